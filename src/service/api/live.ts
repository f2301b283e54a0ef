import { z } from 'zod';
import { lapEvents } from '../../../commands/laps.ts';
import { drivenAt, driverName, sectors, totalTime } from '../../../queries/laps.ts';
import { QueueEntryView } from '../../../queries/event-queues.ts';
import { LeaderboardHeadView, LeaderboardRowView, makerName } from '../../../queries/leaderboards/leaderboards.ts';
import { racingEventQuery } from '../../../queries/racing-events.ts';
import { component } from '../../domain/component.ts';
import { EXAMPLES } from '../../domain/examples.ts';
import { reference, referredName } from '../../domain/references.ts';
import { createdAt, described, instant } from '../../domain/fields.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import { MARKED_POSITION, parseMarkedPosition } from '../http/marked-position.ts';
import { integer } from '../http/paging.ts';
import { invalidProblem } from '../http/problems.ts';
import { NotInEvent } from '../live/listed-filter.ts';
import type { Live } from '../live/live.ts';
import { boardFilters } from './leaderboards.ts';
import { endpointBase } from './endpoint-base.ts';
import { notFoundProblem } from './views.ts';

const at = '2026-05-01T20:03:17.402Z';
const car = reference('car', 'The car.');

const LiveSeat = z
  .object({
    rigId: reference('rig', 'The rig.'),
    rigName: described(z.string().nullable(), 'Current name of the rig; null: it has none.', EXAMPLES.rig.name),
    participantId: reference('participant', 'Who sits there; null: nobody does for this event.').nullable(),
    participantName: driverName,
    eventId: reference('event', 'The event that is watched.'),
    from: described(instant.nullable(), 'Since when they sit there; null where nobody does.', at),
  })
  .meta({ id: 'LiveSeat', description: 'Event `seat`: who sits on a rig, after a change.' });

const LiveQueue = z
  .object({ queue: z.array(QueueEntryView).meta({ description: 'Everybody who waits, the next one first.' }) })
  .meta({ id: 'LiveQueue', description: 'Event `queue`: who waits for a seat, after a change.' });

const LiveBoard = z
  .object({
    head: LeaderboardHeadView,
    rows: z.array(LeaderboardRowView).meta({ description: 'All rows, in order.' }),
    seats: z.array(LiveSeat).meta({ description: 'The rigs on which somebody sits for the event, by id.' }),
    queue: LiveQueue.shape.queue,
    at: described(instant.nullable(), 'When the newest change that it shows happened; null: it shows none.', at),
    position: described(
      z.int().min(0),
      'Place in the log up to which it is complete: the first part of its `id`.',
      48_211,
    ),
  })
  .meta({ id: 'LiveBoard', description: 'Event `board`: the whole board. It replaces everything received before.' });

const LiveLap = z
  .object({
    lapId: reference('lap', 'The lap.'),
    participantId: reference('participant', 'The driver.'),
    participantName: driverName,
    rigId: reference('rig', 'The rig.'),
    rigName: described(z.string().nullable(), 'Current name of the rig; null: it has none.', EXAMPLES.rig.name),
    car,
    carDisplayName: referredName('car', car),
    carBrandDisplayName: makerName,
    trackId: reference('trackLayout', 'The track layout.'),
    totalTime,
    sectors,
    valid: described(z.boolean(), 'Whether it counts.', true),
    drivenAt,
    createdAt,
  })
  .meta({ id: 'LiveLap', description: 'A lap as it is after a change.' });

// The names of the events of laps.
const CAUSES = Object.keys(lapEvents) as [string, ...string[]];

const LiveLapChange = z
  .object({
    lap: LiveLap,
    left: described(z.boolean(), 'Whether it is no longer on this board.', false),
    cause: described(
      z.enum(CAUSES).meta(component('LapCause', 'What happened to a lap.')),
      'What happened, as histories name it.',
      'LapRecorded',
    ),
    at: described(instant, 'When it happened.', at),
  })
  .meta({
    id: 'LiveLapChange',
    description: 'Event `lap`: a lap that was recorded or changed, or has left the board.',
  });

const { position, participantId, ...others } = LeaderboardRowView.shape;
const LiveRows = z
  .object({
    rows: z
      .array(
        z
          .object(others)
          .partial()
          .extend({
            participantId,
            position: position
              .nullable()
              .optional()
              .meta({ description: 'The new position; null: the driver left the board.', examples: [2] }),
          })
          .meta({ id: 'LiveRow', description: 'The fields of a row that changed; all fields of a new row.' }),
      )
      .meta({ description: 'The rows that have changed, in order.' }),
  })
  .meta({ id: 'LiveRows', description: 'Event `rows`: rows to merge by `participantId`.' });

const LiveHeads = LeaderboardHeadView.pick({ bestSectors: true, theoreticalBest: true }).meta({
  id: 'LiveHeads',
  description: 'Event `heads`: who was the fastest in each sector.',
});

const LiveHeartbeat = z
  .object({
    now: described(instant, 'The time of the server.', at),
    behindMs: described(z.int().min(0), 'How long, in ms, the log has been ahead of this server; 0: it is not.', 0),
  })
  .meta({ id: 'LiveHeartbeat', description: 'Event `heartbeat`, every 15 seconds; every 5 while the past is sent.' });

const LiveEvent = z
  .union([LiveBoard, LiveLapChange, LiveRows, LiveHeads, LiveSeat, LiveQueue, LiveHeartbeat])
  .meta({ id: 'LiveEvent', description: 'The data of one event. The name of the event says which kind it is.' });

/** Longest delay, in s, and fastest replay. */
const MAX_DELAY_S = 3_600;
const MAX_SPEED = 60;

const SPEED = /^\d{1,2}(\.\d{1,3})?$/;

const liveParameters = z
  .object({
    ...boardFilters,
    after: z
      .string()
      .refine((text) => parseMarkedPosition(text) !== null, { error: 'must be the id of an event of a live board' })
      .optional()
      .meta({
        pattern: MARKED_POSITION.source,
        examples: ['48211-1x7k2qz'],
        description:
          'Continue after the event with this id, not with the whole board. `0`: send everything. `Last-Event-ID` takes ' +
          'precedence.',
      }),
    delaySeconds: integer(0, MAX_DELAY_S, 'Everything is shown so much later, the first board too.', 0, 30),
    from: instant
      .optional()
      .meta({
        description: 'Replay what has happened since this moment, then continue live.',
        examples: ['2026-05-01T18:00:00.000Z'],
      }),
    speed: z
      .string()
      .refine((text) => SPEED.test(text) && Number(text) >= 1 && Number(text) <= MAX_SPEED, {
        error: `must be a number from 1 to ${MAX_SPEED}`,
      })
      .transform(Number)
      .optional()
      .meta({
        type: 'number',
        minimum: 1,
        maximum: MAX_SPEED,
        examples: [10],
        description: 'Speed of the replay, as a multiple of real time. Only with `from`. Default: 1.',
      }),
  })
  .refine(({ from, speed }) => speed === undefined || from !== undefined, {
    error: 'goes with from only',
    path: ['speed'],
  });

/** GET of a live board: public like the leaderboard, of which it shows every change. */
export function liveEndpoint({ live }: { readonly live: Pick<Live, 'watch'> }): Endpoint {
  return endpoint({
    ...endpointBase('GET', '/api/v1/events/{eventId}/live', racingEventQuery),
    operationId: 'watchEvent',
    summary: 'Watch the leaderboard of an event live',
    description:
      'Server-sent events with JSON: first `board`, the whole of it, and then `lap`, `rows`, `heads`, `seat` and `queue` ' +
      'for each change. ' +
      'The last event of a change has an `id`, after which a returning reader continues.',
    access: 'public',
    params: z.object({ eventId: reference('event', 'Id of the event.') }),
    query: liveParameters,
    responses: { 200: 'text/event-stream' },
    events: LiveEvent,
    isReplay: ({ from }) => from !== undefined,
    features: ['last-event-id'],
    async handle(request) {
      const { eventId } = request.params;
      const { query, headers } = request;
      const { trackLayoutId, carId, carClassId, validOnly, after = null, delaySeconds, from, speed = 1 } = query;
      const board = {
        eventId,
        trackLayoutId,
        carId,
        carClassId,
        validOnly,
        after: headers.lastEventId ?? (after === null ? null : parseMarkedPosition(after)),
        delayMs: delaySeconds * 1_000,
        replay: from === undefined ? null : { from: Date.parse(from), speed },
      };
      const source = await live.watch(board, request).catch((error: unknown) => {
        throw error instanceof NotInEvent ? invalidProblem(error.message, `#/query/${error.field}`) : error;
      });
      if (source === null) throw notFoundProblem();
      return { kind: 'events', source };
    },
  });
}
