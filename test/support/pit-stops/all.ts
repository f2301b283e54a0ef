/** `projections/all.ts` with pit stops. */
export * from '../../../projections/all.ts';

export { pitStopEvents } from './command.ts';
export { pitStops, pitStopsProjection, type PitStopDocument } from './projection.ts';
