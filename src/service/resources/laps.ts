import { changeLap, lapDecider, recordLap } from '../../../commands/laps.ts';
import { lapQuery } from '../../../queries/laps.ts';
import { reject, type Rejection } from '../../kernel/aggregate/rejection.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { RecordedEvent } from '../../kernel/ports/event-store.ts';
import { listsRig } from './events.ts';
import { resource } from './resource.ts';

/** Another licence may set `valid` to this, with a reason, and change nothing else. */
function onlyValid(value: boolean) {
  return ({ valid, reason, ...others }: JsonObject, notYours: Rejection): Rejection | null => {
    if (valid !== value || Object.keys(others).length > 0) return notYours;
    if (typeof reason === 'string' && reason.trim() !== '') return null;
    return reject(
      'INVALID',
      'A lap on the rig of another licence is struck, or brought back, with a reason.',
      '/reason',
    );
  };
}

const DRIVER = { field: 'participantId', category: 'participant' } as const;
const EVENT = { field: 'eventId', category: 'event' } as const;

/** The strike of a lap that stands after an event of its stream. */
function strikeAfter(standing: RecordedEvent | null, event: RecordedEvent): RecordedEvent | null {
  if (event.type === 'LapInvalidated') return event;
  return event.type === 'LapValidated' ? null : standing;
}

export const lapResource = resource({
  path: '/api/v1/laps',
  decider: lapDecider,
  query: lapQuery,
  create: recordLap,
  change: changeLap,
  access: {
    read: 'public',
    write: 'CRUD',
    owner: { kind: 'parent', field: 'rigId', category: 'rig' },
    // An event admits the laps of its rigs, whoever owns these.
    parents: [{ ...EVENT, admits: (event, { rigId }) => listsRig(event, rigId) }],
    // Whoever owns the driver or the event strikes any lap; and whoever owns the event brings back what they struck.
    foreignChanges: [
      { ownerOf: DRIVER, rejectionOf: onlyValid(false) },
      { ownerOf: EVENT, rejectionOf: onlyValid(false) },
      { ownerOf: EVENT, rejectionOf: onlyValid(true), takesBackOwn: true },
    ],
    ruling: {
      ownerOf: EVENT,
      takesBack: ({ valid }, change) => !valid && change.valid === true,
      standingAfter: strikeAfter,
      rejection: reject(
        'NOT_YOURS',
        'The owner of the event, the operator or an ADMIN key has struck this lap, and alone brings it back.',
        '/valid',
      ),
    },
    rigKeys: { create: true, change: 'all', rig: 'rigId' },
  },
  history: true,
  export: { name: 'laps' },
});
