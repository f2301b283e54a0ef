import { z } from 'zod';
import { brands } from '../projections/brands.ts';
import { instant, uuid } from '../src/domain/fields.ts';
import { query } from '../src/domain/query.ts';

const BrandView = z
  .object({
    id: uuid,
    name: z.string(),
    websiteUrl: z.string(),
    logo: z.string(),
    logoScalePercent: z.number(),
    logoUrl: z.boolean(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Brand' });

export const brandQuery = query(brands, { view: BrandView, defaultSort: 'name' });
