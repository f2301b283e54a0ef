import type { ReadStore } from '../../src/kernel/ports/read-store.ts';
import { changeLaws } from '../support/read-store/changes.ts';
import { columnLaws } from '../support/read-store/columns.ts';
import { orderLaws } from '../support/read-store/order.ts';
import { queryLaws } from '../support/read-store/queries.ts';
import { randomLaws } from '../support/read-store/random.ts';
import { registerLaws } from '../support/read-store/registers.ts';

/**
 * One adapter's store, for the contract: `open` opens the same store each time it is called, another process's view of
 * it so to speak.
 */
export interface ReadStoreHarness {
  readonly name: string;
  readonly open: () => Promise<ReadStore>;
  /** Documents of laws that need many; 5,000 unless the adapter takes too long for so many. */
  readonly many?: number;
}

/** What every read store promises, by name. Each law works in namespaces of its own. */
export const laws = { ...changeLaws, ...columnLaws, ...orderLaws, ...queryLaws, ...randomLaws, ...registerLaws };

/** Declares one test per law for an adapter. */
export function readStoreContract({ name, open, many = 5000 }: ReadStoreHarness): void {
  describe(`read store contract: ${name}`, () => {
    let store: ReadStore;
    before(async () => {
      store = await open();
    });
    after(() => store.close());
    for (const [law, check] of Object.entries(laws)) it(law, () => check({ store, open, many }));
  });
}
