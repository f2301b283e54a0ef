import type { Endpoint } from '../http/endpoint.ts';
import { apiKeyResource } from '../resources/api-keys.ts';
import { racingEventResource } from '../resources/events.ts';
import { fileResource } from '../resources/files.ts';
import { lapResource } from '../resources/laps.ts';
import { licenseResource } from '../resources/licenses.ts';
import { participantResource } from '../resources/participants.ts';
import { RESOURCES } from '../resources/index.ts';
import type { Resource } from '../resources/resource.ts';
import { rigResource } from '../resources/rigs.ts';
import { trackLayoutResource } from '../resources/track-layouts.ts';
import { apiKeyEndpoints } from './api-keys.ts';
import { cdnEndpoints } from './cdn.ts';
import { checkInEndpoint } from './check-ins.ts';
import { announceSequenceEndpoint, eventCompletenessEndpoint, rigCompletenessEndpoint } from './completeness.ts';
import { declaredEndpoints } from './declared-endpoints.ts';
import { lapBatchEndpoint } from './lap-batch.ts';
import { bestsEndpoint, layoutLeaderboardEndpoint, leaderboardEndpoint, resultsEndpoint } from './leaderboards.ts';
import { licenseEndpoints } from './licenses.ts';
import { liveEndpoint } from './live.ts';
import { personalDataEndpoint } from './personal-data.ts';
import { queueEndpoints } from './queues.ts';
import { rigPairingEndpoints } from './rig-pairings.ts';
import { rigEndpoints } from './rigs.ts';
import { eventSeatsEndpoint, rigSeatEndpoints } from './seats.ts';
import type { ApiServices } from './services.ts';

/** The endpoints that only one resource has. */
const OWN_ENDPOINTS = new Map<Resource, (services: ApiServices) => readonly Endpoint[]>([
  [lapResource, (services) => [lapBatchEndpoint(services, services.settings.bodyDepthLimit)]],
  [
    participantResource,
    (services) => [bestsEndpoint(services), checkInEndpoint(services), personalDataEndpoint(services)],
  ],
  [
    racingEventResource,
    (services) => [
      leaderboardEndpoint(services),
      liveEndpoint(services),
      eventCompletenessEndpoint(services),
      eventSeatsEndpoint(services),
      ...queueEndpoints(services),
      resultsEndpoint(services),
    ],
  ],
  [
    rigResource,
    (services) => [
      ...rigEndpoints(services, services.settings),
      ...rigPairingEndpoints(services, services.settings),
      rigCompletenessEndpoint(services),
      announceSequenceEndpoint(services),
      ...rigSeatEndpoints(services),
    ],
  ],
  [trackLayoutResource, (services) => [layoutLeaderboardEndpoint(services)]],
  [fileResource, ({ files, settings }) => cdnEndpoints(files, settings.cdnBaseUrl)],
  [apiKeyResource, apiKeyEndpoints],
  [licenseResource, licenseEndpoints],
]);

/** The whole HTTP surface under `/api/v1`; router and OpenAPI document are made from it. */
export function endpointsOf(services: ApiServices): readonly Endpoint[] {
  return RESOURCES.flatMap((resource) => [
    // Own endpoints come first: `/rigs/hardwareId/{hardwareId}` would also match the history of a rig.
    ...(OWN_ENDPOINTS.get(resource)?.(services) ?? []),
    ...declaredEndpoints(services, resource),
  ]);
}
