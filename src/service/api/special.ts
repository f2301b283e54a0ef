import type { Endpoint } from '../http/endpoint.ts';
import { apiKeyResource } from '../resources/api-keys.ts';
import { racingEventResource } from '../resources/events.ts';
import { fileResource } from '../resources/files.ts';
import { lapResource } from '../resources/laps.ts';
import { licenseResource } from '../resources/licenses.ts';
import { participantResource } from '../resources/participants.ts';
import type { Resource } from '../resources/resource.ts';
import { rigResource } from '../resources/rigs.ts';
import { apiKeyEndpoints } from './api-keys.ts';
import { cdnEndpoints } from './cdn.ts';
import { completenessEndpoints } from './completeness.ts';
import type { ApiContext } from './context.ts';
import { filesOf } from './files.ts';
import { lapBatchEndpoint } from './lap-batch.ts';
import { bestsEndpoint, leaderboardEndpoint, resultsEndpoint } from './leaderboards.ts';
import { licenseEndpoints } from './licenses.ts';
import { liveEndpoint } from './live.ts';
import { rigEndpoints } from './rigs.ts';

/** The endpoints that only one resource has. */
const SPECIAL = new Map<Resource, readonly ((api: ApiContext) => Endpoint | readonly Endpoint[])[]>([
  [lapResource, [lapBatchEndpoint]],
  [participantResource, [bestsEndpoint]],
  [racingEventResource, [leaderboardEndpoint, liveEndpoint, completenessEndpoints.ofEvent, resultsEndpoint]],
  [rigResource, [rigEndpoints, completenessEndpoints.ofRig, completenessEndpoints.announce]],
  [fileResource, [(api) => cdnEndpoints(filesOf(api), api.cdnBaseUrl)]],
  [apiKeyResource, Object.values(apiKeyEndpoints)],
  [licenseResource, Object.values(licenseEndpoints)],
]);

export function specialEndpoints(api: ApiContext, resource: Resource): readonly Endpoint[] {
  return (SPECIAL.get(resource) ?? []).flatMap((make) => make(api));
}
