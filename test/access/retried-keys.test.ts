import { expect } from 'chai';
import { createKeyIssuer, type RetriedRegistration } from '../../src/service/access/keys.ts';
import type { Caller } from '../../src/domain/roles.ts';
import { createCommandHandler } from '../../src/kernel/aggregate/command-handler.ts';
import { Aggregates } from '../../src/kernel/aggregate/aggregates.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { manualClock } from '../support/kernel/manual-clock.ts';

const HOUR_MS = 3_600_000;

const caller: Caller = {
  apiKeyId: 'key',
  licenseId: 'license',
  role: 'CRUD',
  rigId: null,
  ofRigOnly: false,
  ofOldToken: false,
};

describe('a fresh key for a retry', () => {
  /** Whether there is one, so long after the first attempt. */
  async function isIssuedAfter(ms: number, by: Caller = caller): Promise<boolean> {
    const store = memoryEventStore();
    const clock = manualClock();
    const ids = { next: () => 'id', random: () => 'id', derived: () => 'id' };
    const aggregates = new Aggregates(store);
    const issuer = createKeyIssuer({
      handler: createCommandHandler({ store, clock, ids, aggregates }),
      aggregates,
      registry: { keysWhere: () => [], waitUntilUpToDate: () => Promise.resolve() },
      usage: { lastUsedAt: () => null },
      clock,
      ids,
    });
    const occurredAt = new Date(clock.now()).toISOString();
    const retried: RetriedRegistration = {
      first: { version: 1, occurredAt, commandId: 'c', correlationId: 'r', apiKeyId: caller.apiKeyId },
      caller: by,
      registration: 'rig',
      isOf: () => true,
    };
    clock.set(ms);
    return issuer.mayIssueAgain(retried);
  }

  it('is issued for an hour', async () => {
    expect(await isIssuedAfter(0)).to.equal(true);
    expect(await isIssuedAfter(HOUR_MS)).to.equal(true);
    expect(await isIssuedAfter(HOUR_MS + 1)).to.equal(false);
  });

  it('is issued to the key that sent the first attempt, and to no other one, not even an ADMIN key', async () => {
    expect(await isIssuedAfter(0, { ...caller, apiKeyId: 'other', role: 'ADMIN' })).to.equal(false);
  });
});
