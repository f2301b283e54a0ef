import { z } from 'zod';
import { carBrands } from '../projections/car-brands.ts';
import { instant, uuid } from '../src/domain/fields.ts';
import { query } from '../src/domain/query.ts';

const CarBrandView = z
  .object({
    id: uuid,
    displayName: z.string(),
    slug: z.string(),
    logo: z.string(),
    svg: z.boolean(),
    country: z.string(),
    enabled: z.boolean(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'CarBrand' });

export const carBrandQuery = query(carBrands, { view: CarBrandView, defaultSort: 'displayName', hidesDisabled: true });
