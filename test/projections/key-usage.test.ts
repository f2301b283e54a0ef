import { expect } from 'chai';
import { apiKeys } from '../../projections/api-keys.ts';
import { licenses } from '../../projections/licenses.ts';
import { rigs } from '../../projections/rigs.ts';
import { builtInProjections } from '../../src/service/resources/built-in.ts';
import { eventOn } from '../support/history/lap-events.ts';
import { givenHistory, minute, type HistoryEvent } from '../support/kernel/projecting.ts';

const license = (n: number): HistoryEvent =>
  eventOn(`license-l${n}`, 'LicenseIssued', { name: 'acme', displayName: 'Acme', licenseKey: `lic_${n}` });
const rig = (n: number): HistoryEvent =>
  eventOn(`rig-r${n}`, 'RigRegistered', { hardwareId: `hw-${n}`, licenseId: `l${n}` });
const key = (n: number): HistoryEvent =>
  eventOn(`apiKey-k${n}`, 'ApiKeyIssued', {
    licenseId: `l${n}`,
    name: 'Timing',
    role: 'CR',
    keyPrefix: 'srt_12345678',
    tokenHash: 'hash',
    rigId: null,
    registration: `r${n}`,
  });
const used = (n: number, rigId?: string): HistoryEvent => {
  const licenseId = `l${n}`;
  return eventOn(`apiKeyUsage-k${n}`, 'ApiKeyUsed', rigId === undefined ? { licenseId } : { licenseId, rigId });
};

const made = [1, 2].flatMap((n) => [license(n), rig(n), key(n)]);
/** At minutes 6 to 8; the last one is of a key, a licence and a rig that there are not. */
const use = [used(1, 'r1'), used(2), used(3, 'r3')];

/** What shows when a key was last used, and the first letter of its ids. */
const SHOWN = [
  { model: apiKeys, its: 'k', field: 'lastUsedAt', change: eventOn('apiKey-k1', 'ApiKeyRevoked') },
  { model: licenses, its: 'l', field: 'lastLoginAt', change: eventOn('license-l1', 'LicenseDisabled') },
  { model: rigs, its: 'r', field: 'lastSeenAt', change: eventOn('rig-r1', 'RigDisabled') },
];

for (const { model, its, field, change } of SHOWN) {
  describe(`${field} of ${model.collection}`, () => {
    const after = async (n: number, ...history: readonly HistoryEvent[]) =>
      (await givenHistory(builtInProjections, ...made, ...history)).models.get(model.collection, `${its}${n}`);

    it('is when one of its keys was last used, which changes nothing else and creates no document', async () => {
      const before = await after(1);
      expect(await after(1, ...use)).to.deep.equal({ ...before, [field]: minute(6), _position: 7 });
      expect(await after(2, ...use)).to.include({ [field]: model === rigs ? null : minute(7) });
      expect(await after(3, ...use)).to.equal(null);
    });

    it('survives other changes, and follows later uses', async () => {
      const changed = { enabled: false, updatedAt: minute(9) };
      expect(await after(1, ...use, change)).to.include({ ...changed, [field]: minute(6) });
      expect(await after(1, ...use, change, used(1, 'r1'))).to.include({ ...changed, [field]: minute(10) });
    });
  });
}
