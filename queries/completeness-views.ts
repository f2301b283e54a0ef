import { z } from 'zod';
import { reference } from '../src/service/domain/examples.ts';
import { described } from '../src/service/domain/fields.ts';

const number = z.int().min(1);
const count = z.int().min(0);

/** Which numbered laps of a rig have arrived since one start of its software. */
export const BootCompletenessView = z
  .object({
    boot: described(z.string(), 'One start of the software of the rig.', '2026-05-01T17:55:00Z'),
    received: described(count, 'How many different numbers have come in.', 37),
    expected: described(count, 'How many should have.', 40),
    missing: described(
      z.array(z.array(number).min(2).max(2).readonly()).readonly(),
      'Numbers that were not received: ranges, first and last number of each, ascending.',
      [
        [12, 12],
        [39, 40],
      ],
    ),
    late: described(z.array(number).readonly(), 'Numbers received after a higher one, ascending.', [20, 21]),
    conflicts: described(
      z.array(number).readonly(),
      'Numbers received with different laps, ascending: two rigs use one identity.',
      [],
    ),
  })
  .meta({ id: 'BootCompleteness', description: 'Which numbered laps were received since one start of a rig.' });

/** The same for all starts, oldest first. */
export const RigCompletenessView = z
  .object({
    rigId: reference('rig', 'The rig that recorded the laps.'),
    boots: z
      .array(BootCompletenessView)
      .readonly()
      .meta({ description: 'The starts of its software, the first one first.' }),
  })
  .meta({ id: 'RigCompleteness', description: 'Which numbered laps of a rig were received.' });

export type BootCompleteness = z.output<typeof BootCompletenessView>;
export type RigCompleteness = z.output<typeof RigCompletenessView>;
