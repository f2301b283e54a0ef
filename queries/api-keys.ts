import { z } from 'zod';
import { apiKeys } from '../projections/api-keys.ts';
import { IssueApiKeyBody } from '../commands/api-keys.ts';
import { reference } from '../src/service/domain/examples.ts';
import { described, instant } from '../src/service/domain/fields.ts';
import { query, resourceView } from '../src/service/domain/query.ts';

const { name, role, expiresAt } = IssueApiKeyBody.shape;
const ApiKeyView = resourceView('ApiKey', 'A key of a licence, without its token.', {
  licenseId: reference('license', 'Licence that it belongs to.'),
  name,
  keyPrefix: described(z.string(), 'First characters of the token, to recognise it.', 'srt_Q7wZp2Xk'),
  role,
  enabled: described(z.boolean(), 'False once it was revoked.', true),
  expiresAt: expiresAt.unwrap(),
  lastUsedAt: described(
    instant.nullable(),
    'When it was last used, to the minute; null: never.',
    '2026-05-01T19:42:11.250Z',
  ),
});

export const apiKeyQuery = query(apiKeys, { view: ApiKeyView, defaultSort: 'name' });
