import { z } from 'zod';
import { cars } from '../projections/cars.ts';
import { instant, uuid } from '../src/domain/fields.ts';
import { query } from '../src/domain/query.ts';

const CarView = z
  .object({
    id: uuid,
    brandId: uuid,
    brandDisplayName: z.string(),
    modelName: z.string(),
    carClassId: uuid,
    carClassDisplayName: z.string(),
    enabled: z.boolean(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Car' });

export const carQuery = query(cars, { view: CarView, defaultSort: 'modelName', hidesDisabled: true });
