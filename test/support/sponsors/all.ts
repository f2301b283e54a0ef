/** `projections/all.ts` with sponsors. */
export * from '../../../projections/all.ts';

export { sponsorEvents } from './command.ts';
export { sponsors, sponsorsProjection, type SponsorDocument } from './projection.ts';
