import { z } from 'zod';
import { apiKeys } from '../projections/api-keys.ts';
import { instant, uuid } from '../src/domain/fields.ts';
import { query, resourceView } from '../src/domain/query.ts';
import { ROLES } from '../src/domain/roles.ts';

const ApiKeyView = resourceView('ApiKey', {
  licenseId: uuid,
  name: z.string(),
  keyPrefix: z.string(),
  role: z.enum(ROLES),
  enabled: z.boolean(),
  expiresAt: instant.nullable(),
  lastUsedAt: instant.nullable(),
});

export const apiKeyQuery = query(apiKeys, { view: ApiKeyView, defaultSort: 'name' });
