import { z } from 'zod';
import { licenses } from '../projections/licenses.ts';
import { instant, uuid } from '../src/domain/fields.ts';
import { query } from '../src/domain/query.ts';

const LicenseView = z
  .object({
    id: uuid,
    name: z.string(),
    displayName: z.string(),
    licenseKey: z.string(),
    enabled: z.boolean(),
    expiresAt: instant.nullable(),
    lastLoginAt: instant.nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'License' });

export const licenseQuery = query(licenses, { view: LicenseView, defaultSort: 'name' });
