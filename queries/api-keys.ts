import { z } from 'zod';
import { apiKeys } from '../projections/api-keys.ts';
import { instant, uuid } from '../src/domain/fields.ts';
import { query } from '../src/domain/query.ts';
import { ROLES } from '../src/domain/roles.ts';

const ApiKeyView = z
  .object({
    id: uuid,
    licenseId: uuid,
    name: z.string(),
    keyPrefix: z.string(),
    role: z.enum(ROLES),
    enabled: z.boolean(),
    lastUsedAt: instant.nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'ApiKey' });

export const apiKeyQuery = query(apiKeys, { view: ApiKeyView, defaultSort: 'name' });
