import { z } from 'zod';
import { Sequence } from '../commands/laps.ts';
import { laps } from '../projections/laps.ts';
import { before, equal, from } from '../src/domain/filters.ts';
import { query } from '../src/domain/query.ts';
import { instant, milliseconds, uuid } from '../src/domain/fields.ts';

const LapView = z
  .object({
    id: uuid,
    participantId: uuid,
    participantName: z.string(),
    rigId: uuid,
    rigName: z.string().nullable(),
    eventId: uuid,
    eventName: z.string(),
    sectors: z.array(milliseconds).readonly(),
    totalTime: milliseconds,
    valid: z.boolean(),
    car: uuid,
    trackId: uuid,
    trackDisplayName: z.string(),
    drivenAt: instant.meta({ description: 'When it was driven: when it was recorded, unless said.' }),
    sequence: Sequence.nullable().meta({ description: 'Which lap of the rig that recorded it; null: not counted.' }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Lap' });

export const lapQuery = query(laps, {
  view: LapView,
  defaultSort: 'totalTime',
  personal: ['participantName'],
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
  },
});
