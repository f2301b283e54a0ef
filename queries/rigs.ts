import { z } from 'zod';
import { rigs } from '../projections/rigs.ts';
import { instant, uuid } from '../src/domain/fields.ts';
import { query } from '../src/domain/query.ts';

const RigView = z
  .object({
    id: uuid,
    name: z.string().nullable(),
    description: z.string().nullable(),
    hardwareId: z.string(),
    licenseId: uuid,
    licenseDisplayName: z.string(),
    enabled: z.boolean(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Rig' });

export const rigQuery = query(rigs, { view: RigView, defaultSort: 'name', hidesDisabled: true });
