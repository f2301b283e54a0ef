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
import { apiKeyEndpoints } from './api-keys.ts';
import { cdnEndpoints } from './cdn.ts';
import { completenessEndpoints } from './completeness.ts';
import type { ApiContext } from './context.ts';
import { declaredEndpoints } from './declared-endpoints.ts';
import { filesOf } from './files.ts';
import { lapBatchEndpoint } from './lap-batch.ts';
import { bestsEndpoint, leaderboardEndpoint, resultsEndpoint } from './leaderboards.ts';
import { licenseEndpoints } from './licenses.ts';
import { liveEndpoint } from './live.ts';
import { rigEndpoints } from './rigs.ts';

/** The endpoints that only one resource has. */
const OWN_ENDPOINTS = new Map<Resource, readonly ((api: ApiContext) => Endpoint | readonly Endpoint[])[]>([
  [lapResource, [lapBatchEndpoint]],
  [participantResource, [bestsEndpoint]],
  [racingEventResource, [leaderboardEndpoint, liveEndpoint, completenessEndpoints.ofEvent, resultsEndpoint]],
  [rigResource, [rigEndpoints, completenessEndpoints.ofRig, completenessEndpoints.announce]],
  [fileResource, [(api) => cdnEndpoints(filesOf(api), api.cdnBaseUrl)]],
  [apiKeyResource, Object.values(apiKeyEndpoints)],
  [licenseResource, Object.values(licenseEndpoints)],
]);

/** The whole HTTP surface under `/api/v1`; router and OpenAPI document are made from it. */
export function endpointsOf(api: ApiContext): readonly Endpoint[] {
  // Own endpoints come first: `/rigs/hardwareId/{hardwareId}` would also match the history of a rig.
  return RESOURCES.flatMap((resource) => [...ownEndpoints(api, resource), ...declaredEndpoints(api, resource)]);
}

function ownEndpoints(api: ApiContext, resource: Resource): readonly Endpoint[] {
  return (OWN_ENDPOINTS.get(resource) ?? []).flatMap((endpointsFor) => endpointsFor(api));
}
