import { z } from 'zod';
import { lapEvents } from '../../../commands/laps.ts';
import { drivenAt, driverName, sectors, totalTime } from '../../../queries/laps.ts';
import { LeaderboardHeadView, LeaderboardRowView } from '../../../queries/leaderboards/leaderboards.ts';
import { EXAMPLES, reference, referredName } from '../domain/examples.ts';
import { createdAt, described, instant } from '../domain/fields.ts';

const at = '2026-05-01T20:03:17.402Z';
const car = reference('car', 'The car.');

const LiveBoard = z
  .object({
    head: LeaderboardHeadView,
    rows: z.array(LeaderboardRowView).meta({ description: 'All rows, in order.' }),
    at: described(instant.nullable(), 'When the newest change that it shows happened; null: it shows none.', at),
    position: described(z.int().min(0), 'Place in the log up to which it is complete: its `id`.', 48_211),
  })
  .meta({ id: 'LiveBoard', description: 'Event `board`: the whole board, which takes the place of all before.' });

const LiveLap = z
  .object({
    lapId: reference('lap', 'The lap.'),
    participantId: reference('participant', 'Who drove.'),
    participantName: driverName,
    rigId: reference('rig', 'The rig.'),
    rigName: described(z.string().nullable(), 'Current name of the rig; null: it has none.', EXAMPLES.rig.name),
    car,
    carDisplayName: referredName('car', car),
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
    cause: described(z.enum(CAUSES), 'What happened, as histories name it.', 'LapRecorded'),
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
  .meta({ id: 'LiveRows', description: 'Event `rows`: to be merged by `participantId`.' });

const LiveHeads = LeaderboardHeadView.pick({ bestSectors: true, theoreticalBest: true }).meta({
  id: 'LiveHeads',
  description: 'Event `heads`: who was the fastest in each sector.',
});

const LiveHeartbeat = z
  .object({
    now: described(instant, 'The time of the server.', at),
    behindMs: described(z.int().min(0), 'How long, in ms, the log has been ahead of this server; 0: it is not.', 0),
  })
  .meta({ id: 'LiveHeartbeat', description: 'Event `heartbeat`, every 15 seconds.' });

/** The JSON of the events of a live board. */
export const LiveEvent = z
  .union([LiveBoard, LiveLapChange, LiveRows, LiveHeads, LiveHeartbeat])
  .meta({ id: 'LiveEvent', description: 'The data of one event; which, its name says.' });
