import { expect } from 'chai';
import { createKeyUsage } from '../../src/service/access/authenticator.ts';
import type { Caller } from '../../src/domain/roles.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { manualClock } from '../support/kernel/manual-clock.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const rights = { role: 'R', rigId: null, ofRigOnly: false, ofOldToken: false } as const;
const caller: Caller = { apiKeyId: 'key', licenseId: 'license', ...rights };

describe('the record of key use', () => {
  it('is written once a minute, even after the clock was set forward and back', () => {
    const store = memoryEventStore();
    const clock = manualClock();
    let appended = 0;
    const usage = createKeyUsage({
      store: {
        append: (...args) => {
          appended += 1;
          return store.append(...args);
        },
      },
      registry: { key: () => null, license: () => null },
      clock,
      ids: { next: () => 'id', random: () => 'id', derived: () => 'id' },
      onError: (error) => {
        throw error;
      },
    });
    const counts = [0, 1, MINUTE_MS, DAY_MS, 1 - DAY_MS, 1].map((byMs) => {
      clock.set(byMs);
      usage.recordUse(caller);
      return appended;
    });
    expect(counts).to.deep.equal([1, 1, 2, 3, 4, 4]);
    expect(usage.lastUsedAt('key')).to.equal(new Date(clock.now()).toISOString());
  });
});
