import { z } from 'zod';
import { apiKeys, type ApiKeyDocument } from '../projections/api-keys.ts';
import { IssueApiKeyBody } from '../commands/api-keys.ts';
import { reference } from '../src/domain/references.ts';
import { A_MOMENT, described, instant } from '../src/domain/fields.ts';
import { query, resourceView } from '../src/domain/query.ts';

const { name, role, expiresAt } = IssueApiKeyBody.shape;
const ApiKeyView = resourceView('ApiKey', 'A key of a licence, without its token.', {
  licenseId: reference('license', 'Licence that it belongs to.'),
  name,
  keyPrefix: described(z.string(), 'First characters of the token, to recognise it.', 'srt_Q7wZp2Xk'),
  role,
  enabled: described(
    z.boolean(),
    'False once it was revoked, or the rig that it was issued to has moved to another licence.',
    true,
  ),
  expiresAt: expiresAt.unwrap(),
  lastUsedAt: described(instant.nullable(), 'When it was last used, to the minute; null: never.', A_MOMENT),
  oldTokenValidUntil: described(
    instant.nullable(),
    'Until when the token that the last rotation replaced may still record and read; null: there is none.',
    null,
  ),
});

/**
 * The time until which a replaced token of a key is valid, ISO 8601; null: there is none. It depends on `now` (epoch ms),
 * so no document holds it.
 */
export function oldTokenValidUntil(key: ApiKeyDocument | null, now: number): string | null {
  if (key?.enabled !== true) return null;
  const ends = key._oldTokens.map(({ validUntil }) => validUntil).sort();
  return ends.findLast((end) => Date.parse(end) > now) ?? null;
}

export const apiKeyQuery = query(apiKeys, {
  view: ApiKeyView,
  defaultSort: 'name',
  // A key also ends when its rig moves to another licence, which is an event of the rig.
  isOwnChange: ({ enabled }) => enabled === true,
});
