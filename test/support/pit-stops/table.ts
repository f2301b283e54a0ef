import { changePitStop, recordPitStop } from './command.ts';
import { pitStopQuery } from './query.ts';
import type { Endpoint } from '../../../src/http/endpoint.ts';
import type { ApiContext } from '../../../src/routes/context.ts';
import { readRows } from '../../../src/routes/reads.ts';
import { endpointsOf as builtInEndpoints } from '../../../src/routes/table.ts';
import { writeRows } from '../../../src/routes/writes.ts';

/** `src/routes/table.ts` with pit stops. */
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
