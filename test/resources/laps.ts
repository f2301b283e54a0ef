import { entry, of } from '../support/resources/entry.ts';

/** Fields of a lap that is changed. */
const lap = {
  participantId: of.references('Participant', { participantName: 'firstName lastName' }),
  rigId: of.references('Rig', { rigName: 'name' }),
  eventId: of.references('Event', { eventName: 'name' }),
  sectors: of.millisecondLists(),
  totalTime: of.like(of.wholeNumbers(0), 99_576),
  valid: of.flags(),
  carId: { ...of.references('Car'), shownAs: 'car' },
  trackId: of.references('TrackLayout', { trackDisplayName: 'displayName' }),
  drivenAt: of.pastInstants('createdAt'),
};

/** docs/interface.md#laps */
export default entry('Lap', 'laps', {
  commands: ['RecordLap', 'ChangeLap'],
  sort: 'totalTime',
  owner: { kind: 'parent', field: 'rigId' },
  parents: ['eventId'],
  rigs: ['create', 'change'],
  history: true,
  filters: {
    eventId: 'eventId',
    participantId: 'participantId',
    rigId: 'rigId',
    carId: 'car',
    trackId: 'trackId',
    valid: 'valid',
    from: null,
    to: null,
    drivenFrom: null,
    drivenTo: null,
    minTotalTime: null,
    maxTotalTime: null,
  },
  create: {
    ...lap,
    participantId: { ...lap.participantId, isOfSeat: true },
    eventId: { ...lap.eventId, isOfSeat: true },
    sequence: of.sequences(),
  },
  change: lap,
  // Owners of the driver see it.
  shows: ['publicName'],
  internal: ['_recorded'],
  events: {
    LapRecorded: 'all',
    LapCorrected: ['sectors', 'totalTime'],
    LapValidated: { valid: true },
    LapInvalidated: { valid: false },
    LapReassigned: { moves: 'participantId' },
    LapMovedToRig: { moves: 'rigId' },
    LapMovedToEvent: { moves: 'eventId' },
    LapCarCorrected: { moves: 'carId' },
    LapTrackCorrected: { moves: 'trackId' },
    LapDrivenAtCorrected: { to: 'drivenAt' },
  },
  more: { 'POST /batch': 'CRUD' },
});
