/** Loaded first into a child, whose handlers then cannot digest laps of one total time: what a release mends. */
import { lapsProjection } from '../../../projections/laps.ts';

const handlers: unknown = lapsProjection.on;
if (!(handlers instanceof Map)) throw new Error('there is nothing to poison');
const poison = Number(process.env['POISON_TOTAL_TIME']);

for (const type of ['LapRecorded', 'LapCorrected']) {
  const digest = lapsProjection.on.get(type);
  if (digest === undefined) throw new Error(`there is no ${type} to poison`);
  const ailing: typeof digest = (event, look) => {
    if (event.data['totalTime'] === poison) throw new Error('cannot digest such a time');
    return digest(event, look);
  };
  handlers.set(type, ailing);
}
