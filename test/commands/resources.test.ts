import { ChangeLicenseBody, licenseIntents } from '../../commands/licenses.ts';
import { readdirSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { itDecides } from '../support/resources/decider-laws.ts';
import { ENTRIES } from '../support/resources/entries.ts';
import { decidersIn, productOf, type Product } from '../support/resources/product.ts';
import { sameSet } from '../support/same-set.ts';

/** Commands that take no JSON body of a resource: `test/api` has tests of them. */
const NO_RESOURCE = ['event-queues', 'files', 'rig-pairings', 'rig-seats', 'sequences'];

describe('the decider of each resource has an entry', () => {
  it('in test/resources', async () => {
    const extension = extname(import.meta.url);
    const files = readdirSync(new URL('../../commands/', import.meta.url)).filter((file) => file.endsWith(extension));
    const nouns = await Promise.all(
      files.map(async (file) => {
        const noun = basename(file, extension);
        return (await decidersIn(noun)).length > 0 ? [noun] : [];
      }),
    );
    sameSet(nouns.flat(), [...ENTRIES.keys(), ...NO_RESOURCE], 'deciders');
  });
});

/** Changes of which a body alone does not say all: a licence's by a key of another one. */
const CHANGES = new Map<string, Product['change']['commands']>([
  ['licenses', (body) => licenseIntents(ChangeLicenseBody.parse(body), { own: false, lastAdmin: false })],
]);

for (const [noun, entry] of ENTRIES) {
  const found = await productOf(noun, entry);
  const { schema, commands } = found.change;
  const product = { ...found, change: { schema, commands: CHANGES.get(noun) ?? commands } };
  describe(`${entry.name} by its entry`, () => {
    itDecides(entry, product);
  });
}
