import { crc32 } from 'node:zlib';
import type { lapEvents } from '../../../commands/laps.ts';
import type { Lap } from '../../../projections/leaderboards/best-laps.ts';
import type { LapFacts } from '../../../projections/laps.ts';
import type { Waiting } from '../../domain/queue-order.ts';
import type { MarkedPosition } from '../http/marked-position.ts';
import { idOf } from '../../kernel/stream-names.ts';
import type { Position, RecordedEvent } from '../../kernel/ports/event-store.ts';

/** Fields of every change of a racing event. */
interface ChangeBase {
  readonly position: Position;
  /** When it happened by the clock of the node that recorded it, epoch ms. Clocks differ, so it may fall along the log. */
  readonly at: number;
  /** `at`, or the moment of the change before it if that is later, epoch ms: replays follow it, as it never falls. */
  moment: number;
  /** When this process learnt of it, in ms of its monotonic clock: delays count from it. It never falls either. */
  learntAt: number;
}

/** A lap was recorded, changed, or moved to or from the racing event. */
export interface LapChange extends ChangeBase {
  readonly kind: 'lap';
  readonly cause: keyof typeof lapEvents;
  /** The same object in all changes of a lap: it serves as a key. */
  readonly lap: Lap;
  /** Null: the lap was just recorded. */
  readonly before: LapFacts | null;
  readonly after: LapFacts;
  /** The next change of the lap; null: there is none yet. */
  next: LapChange | null;
}

/** Somebody has taken the seat of a rig for the racing event, or has left it. */
export interface SeatChange extends ChangeBase {
  readonly kind: 'seat';
  /** The rig. */
  readonly id: string;
  /** Who sits there after it, and since when, ISO 8601; null: nobody does for this event. */
  readonly sitting: { readonly participantId: string; readonly from: string } | null;
  /** The queue after it, where they had waited there; null: they had not. */
  readonly queue: readonly Waiting[] | null;
}

/** The queue of the racing event has changed. */
export interface QueueChange extends ChangeBase {
  readonly kind: 'queue';
  /** The racing event. */
  readonly id: string;
  /** The whole queue after it. */
  readonly queue: readonly Waiting[];
}

/** Something that boards show, or are made by, has changed. */
export interface OtherChange extends ChangeBase {
  /**
   * A participant, people of a licence (`license`) or a maker of cars (`brand`) have another name; a car another class;
   * other laps are too short (`minimum`); the event has other times, is finished or reopened (`times`); or the names,
   * layouts or makers on the board have changed (`event`).
   */
  readonly kind: 'participant' | 'license' | 'brand' | 'class' | 'minimum' | 'times' | 'event';
  readonly id: string;
}

export type Change = LapChange | SeatChange | QueueChange | OtherChange;

/**
 * The mark of a change, which differs from that of any change that another history has at the same position: the id of a lap
 * is random, and a change of an older thing happens at another millisecond.
 */
export function markOf(change: Change): string {
  const what = change.kind === 'lap' ? `${change.lap.lapId} ${change.cause}` : `${change.id} ${change.kind}`;
  return crc32(`${what} ${change.at}`).toString(36);
}

/** The position of a reader who was sent all changes up to one; undefined: they were sent none. */
export function positionAfter(change: Change | undefined): MarkedPosition {
  return change === undefined ? { position: 0, mark: null } : { position: change.position, mark: markOf(change) };
}

/** The kind of thing that changed. `any`: a board looks up whether it shows the thing. */
export type Subject = 'participant' | 'car' | 'trackLayout' | 'event' | 'any';

/** The events, other than those of laps, that boards may show. */
const SHOWN: { readonly [type: string]: { readonly kind: OtherChange['kind']; readonly of: Subject } } = {
  ParticipantRenamed: { kind: 'participant', of: 'participant' },
  ParticipantNicknameChanged: { kind: 'participant', of: 'participant' },
  ParticipantMovedToLicense: { kind: 'participant', of: 'participant' },
  ParticipantErased: { kind: 'participant', of: 'participant' },
  LicensePublicNamesChanged: { kind: 'license', of: 'any' },
  CarRenamed: { kind: 'event', of: 'car' },
  CarMovedToBrand: { kind: 'event', of: 'car' },
  CarMovedToClass: { kind: 'class', of: 'any' },
  CarBrandRenamed: { kind: 'brand', of: 'any' },
  TrackLayoutRenamed: { kind: 'event', of: 'trackLayout' },
  TrackLayoutMinLapTimeChanged: { kind: 'minimum', of: 'trackLayout' },
  EventRenamed: { kind: 'event', of: 'event' },
  EventTrackLayoutsChanged: { kind: 'event', of: 'event' },
  EventMinLapTimeChanged: { kind: 'minimum', of: 'event' },
  EventRescheduled: { kind: 'times', of: 'event' },
  EventFinished: { kind: 'times', of: 'event' },
  EventReopened: { kind: 'times', of: 'event' },
};

export const SHOWN_EVENTS = Object.keys(SHOWN);

/** The change that an event of anything but a lap makes, and the kind of thing it is of; null: boards do not show it. */
export function changeOf(event: RecordedEvent): { readonly change: OtherChange; readonly of: Subject } | null {
  const shown = SHOWN[event.type];
  if (shown === undefined) return null;
  return { change: { kind: shown.kind, id: idOf(event.stream), ...momentOf(event) }, of: shown.of };
}

export function momentOf({ position, metadata }: RecordedEvent): ChangeBase {
  return changeAt(position, Date.parse(metadata.occurredAt));
}

/** The fields of a change that is not on a timeline yet; the timeline sets `moment` and `learntAt`. */
export function changeAt(position: Position, at: number): ChangeBase {
  return { position, at, moment: at, learntAt: 0 };
}
