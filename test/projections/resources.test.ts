import { ENTRIES } from '../support/resources/entries.ts';
import { productOf } from '../support/resources/product.ts';
import { itIsProjected } from '../support/resources/projection-laws.ts';

for (const [noun, entry] of ENTRIES) {
  // Keys have secrets in their events: test/projections/api-keys.test.ts.
  if (Object.values(entry.events)[0] === 'special') continue;
  const product = await productOf(noun, entry);
  describe(`${entry.name}, as it is read`, () => itIsProjected(entry, product));
}
