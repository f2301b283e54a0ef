/*
 * The events of each noun, and the read models made of them: what the service projects, and what analysts may import by
 * name (`src/tools/replay/analysis.ts`).
 */
export { apiKeyEvents, apiKeyUsageEvents } from '../commands/api-keys.ts';
export { brandEvents } from '../commands/brands.ts';
export { carBrandEvents } from '../commands/car-brands.ts';
export { carClassEvents } from '../commands/car-classes.ts';
export { carEvents } from '../commands/cars.ts';
export { eventQueueEvents } from '../commands/event-queues.ts';
export { fileEvents } from '../commands/files.ts';
export { lapEvents } from '../commands/laps.ts';
export { licenseEvents } from '../commands/licenses.ts';
export { participantEvents } from '../commands/participants.ts';
export { racingEventEvents } from '../commands/racing-events.ts';
export { rigEvents } from '../commands/rigs.ts';
export { rigSeatEvents } from '../commands/rig-seats.ts';
export { sequenceEvents } from '../commands/sequences.ts';
export { signupFieldEvents } from '../commands/signup-fields.ts';
export { simulatorCarEvents } from '../commands/simulator-cars.ts';
export { simulatorLayoutEvents } from '../commands/simulator-layouts.ts';
export { simulatorEvents } from '../commands/simulators.ts';
export { trackLayoutEvents } from '../commands/track-layouts.ts';
export { trackEvents } from '../commands/tracks.ts';

export { apiKeys, apiKeysProjection, type ApiKeyDocument } from './api-keys.ts';
export { brands, brandsProjection, type BrandDocument } from './brands.ts';
export { carBrands, carBrandsProjection, type CarBrandDocument } from './car-brands.ts';
export { carClasses, carClassesProjection, type CarClassDocument } from './car-classes.ts';
export { cars, carsProjection, type CarDocument } from './cars.ts';
export { eventQueues, eventQueuesProjection, type EventQueueDocument } from './event-queues.ts';
export { files, filesProjection, type FileDocument } from './files.ts';
export { isMeasured } from './leaderboards/best-laps.ts';
export { drivenCars, drivenCarsProjection, type DrivenCarDocument } from './leaderboards/gathering-laps.ts';
export { eventLayouts, eventLayoutsProjection, type EventLayoutDocument } from './leaderboards/gathering-laps.ts';
export { lapDepartures, lapDeparturesProjection, type LapDepartureDocument } from './leaderboards/lap-versions.ts';
export { lapVersions, lapVersionsProjection, type LapVersionDocument } from './leaderboards/lap-versions.ts';
export { fullName } from '../src/domain/public-names.ts';
export { laps, lapsProjection, type LapDocument } from './laps.ts';
export { leaderboards, leaderboardsProjection, type LeaderboardDocument } from './leaderboards/leaderboards.ts';
export { stints, stintsProjection, type StintDocument } from './leaderboards/stints.ts';
export { licenses, licensesProjection, type LicenseDocument } from './licenses.ts';
export { participants, participantsProjection, type ParticipantDocument } from './participants.ts';
export { racingEvents, racingEventsProjection, type RacingEventDocument } from './racing-events.ts';
export { rigs, rigsProjection, type RigDocument } from './rigs.ts';
export { rigSeats, rigSeatsProjection, type RigSeatDocument } from './rig-seats.ts';
export { seatChanges, seatChangesProjection, type SeatChangeDocument } from './rig-seats.ts';
export { announcedSequences, announcedSequencesProjection, type AnnouncedSequenceDocument } from './sequences.ts';
export { eventBoots, eventBootsProjection, type EventBootDocument } from './sequences.ts';
export { numberedLaps, numberedLapsProjection, type NumberedLapDocument } from './sequences.ts';
export { signupFields, signupFieldsProjection, type SignupFieldDocument } from './signup-fields.ts';
export { simulatorCars, simulatorCarsProjection, type SimulatorCarDocument } from './simulator-cars.ts';
export { simulatorLayouts, simulatorLayoutsProjection, type SimulatorLayoutDocument } from './simulator-layouts.ts';
export { simulators, simulatorsProjection, type SimulatorDocument } from './simulators.ts';
export { trackLayouts, trackLayoutsProjection, type TrackLayoutDocument } from './track-layouts.ts';
export { tracks, tracksProjection, type TrackDocument } from './tracks.ts';
