import { z } from 'zod';
import { carClasses } from '../projections/car-classes.ts';
import { instant, uuid } from '../src/domain/fields.ts';
import { query } from '../src/domain/query.ts';

const CarClassView = z
  .object({
    id: uuid,
    displayName: z.string(),
    shortName: z.string(),
    logo: z.string(),
    svg: z.boolean(),
    enabled: z.boolean(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'CarClass' });

export const carClassQuery = query(carClasses, { view: CarClassView, defaultSort: 'displayName', hidesDisabled: true });
