import { z } from 'zod';
import { Sequence } from '../commands/laps.ts';
import { laps } from '../projections/laps.ts';
import { atLeast, atMost, before, equal, from } from '../src/domain/filters.ts';
import { query } from '../src/domain/query.ts';
import { EXAMPLES } from '../src/domain/examples.ts';
import { nameOf, ownId, reference, referredName } from '../src/domain/references.ts';
import { createdAt, described, instant, milliseconds, updatedAt } from '../src/domain/fields.ts';
import { Lap } from '../commands/laps.ts';

export const driverName = referredName('participantId', Lap.shape.participantId).meta({
  description:
    'Name of the driver: the one by which everybody sees them; for owners of the participant and ADMIN the whole one, ' +
    'where `publicName` is beside it.',
});
/** The public name of a driver, for those who see the whole one. */
export const publicName = described(
  z.string().optional(),
  'The name by which everybody sees them; only for owners of the participant and ADMIN.',
  'Nora L.',
);

const { examples = [] } = Lap.shape.sectors.meta() ?? {};
/** Times of a lap as they are shown; laps that were recorded by release 0.1.0 may have more sectors. */
export const sectors = z.array(milliseconds).readonly().meta({ description: Lap.shape.sectors.description, examples });
export const { totalTime } = Lap.shape;
export const drivenAt = described(
  instant,
  'When it was driven; by default, when it was recorded.',
  '2026-05-01T19:40:02.000Z',
);

const LapView = z
  .object({
    id: ownId('Lap'),
    participantId: Lap.shape.participantId,
    participantName: driverName,
    publicName,
    rigId: Lap.shape.rigId,
    rigName: nameOf(
      'rigId',
      described(z.string().nullable(), 'Current name of the rig; null: it has none.', EXAMPLES.rig.name),
    ),
    eventId: Lap.shape.eventId,
    eventName: referredName('eventId', Lap.shape.eventId),
    sectors,
    totalTime,
    valid: Lap.shape.valid,
    car: reference('car', 'The car; requests call it `carId`.'),
    trackId: Lap.shape.trackId,
    trackDisplayName: referredName('trackId', Lap.shape.trackId),
    drivenAt,
    sequence: Sequence.nullable().meta({
      description: 'Number of the lap on the rig that recorded it; null if the rig does not number its laps.',
    }),
    createdAt,
    updatedAt,
  })
  .meta({
    id: 'Lap',
    description: 'A lap: who drove it, where, on what and how fast. Laps are recorded by rigs and may be corrected.',
  });

export const lapQuery = query(laps, {
  view: LapView,
  namesDriver: true,
  defaultSort: 'totalTime',
  filters: {
    eventId: equal('eventId'),
    participantId: equal('participantId'),
    rigId: equal('rigId'),
    carId: equal('car'),
    trackId: equal('trackId'),
    valid: equal('valid'),
    from: from('createdAt'),
    to: before('createdAt'),
    drivenFrom: from('drivenAt'),
    drivenTo: before('drivenAt'),
    minTotalTime: atLeast('totalTime'),
    maxTotalTime: atMost('totalTime'),
  },
});
