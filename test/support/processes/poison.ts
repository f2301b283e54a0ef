/** Preloaded into a child, whose handlers then fail on laps with one total time, as a faulty release might. */
import { lapsProjection } from '../../../projections/laps.ts';

const handlers: unknown = lapsProjection.on;
if (!(handlers instanceof Map)) throw new Error('there is nothing to poison');
const poison = Number(process.env['POISON_TOTAL_TIME']);

for (const type of ['LapRecorded', 'LapCorrected']) {
  const original = lapsProjection.on.get(type);
  if (original === undefined) throw new Error(`there is no ${type} to poison`);
  const failing: typeof original = (event, ...reading) => {
    if (event.data['totalTime'] === poison) throw new Error('cannot project such a time');
    return original(event, ...reading);
  };
  handlers.set(type, failing);
}
