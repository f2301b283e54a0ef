import { changePitStop, recordPitStop } from './command.ts';
import { pitStopQuery } from './query.ts';
import type { Endpoint } from '../../../src/service/http/endpoint.ts';
import type { ApiContext } from '../../../src/service/api/context.ts';
import { readRows } from '../../../src/service/api/reads.ts';
import { endpointsOf as builtInEndpoints } from '../../../src/service/api/table.ts';
import { writeRows } from '../../../src/service/api/writes.ts';

/** `src/service/api/table.ts` with pit stops. */
export function endpointsOf(api: ApiContext): readonly Endpoint[] {
  const { list, paged, one } = readRows(api);
  const { create, change } = writeRows(api);
  return [
    ...builtInEndpoints(api),
    list('/api/v1/pit-stops', 'public', pitStopQuery),
    paged('/api/v1/pit-stops/paged', 'public', pitStopQuery),
    one('/api/v1/pit-stops/{pitStopId}', 'public', pitStopQuery),
    create('/api/v1/pit-stops', pitStopQuery, recordPitStop),
    change('/api/v1/pit-stops/{pitStopId}', pitStopQuery, changePitStop),
  ];
}
