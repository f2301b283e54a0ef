/** Loaded first into a child, whose handlers then cannot digest laps of one total time: what a release mends. */
import { lapsProjection } from '../../projections/laps.ts';

const handlers: unknown = lapsProjection.on;
const record = lapsProjection.on.get('LapRecorded');
if (!(handlers instanceof Map) || record === undefined) throw new Error('there is nothing to poison');
const poison = Number(process.env['POISON_TOTAL_TIME']);

const ailing: typeof record = (event, look) => {
  if (event.data['totalTime'] === poison) throw new Error('cannot digest such a time');
  return record(event, look);
};
handlers.set('LapRecorded', ailing);
