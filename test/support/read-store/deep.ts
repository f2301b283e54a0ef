import { expect } from 'chai';
import type { Change, ReadModels, Sort, Where } from '../../../src/service/kernel/ports/read-store.ts';
import { idsOf, insert, PLAIN, set, thing, THINGS, type Law } from './fixtures.ts';
import { memoryReadModels } from './memory-read-store.ts';

const ROUNDS = 4;
/** A round adds and changes one document for so many that there were at first. */
const PART = 16;

/** A number that looks like chance, but is the same in each run. */
function scattered(n: number): number {
  return Math.imul(n + 1, 2_654_435_761) >>> 8;
}

function added(n: number, position: number): Change {
  const fields = { value: scattered(n) % 1_000, group: n % 3 === 0 ? 'h' : 'g', tags: ['x', `t${n % 2}`] };
  return insert(thing(`d${scattered(n)}`, { ...fields, _created: position, _position: position }));
}

function changed(id: number, position: number): Change {
  return set(`d${scattered(id)}`, { value: scattered(id + position) % 1_000, group: 'g' }, position);
}

const WANTED: readonly { readonly where: Where; readonly sort: Sort }[] = (['asc', 'desc'] as const).flatMap(
  (direction) => [
    { where: {}, sort: { field: 'value', direction } },
    { where: {}, sort: { field: 'id', direction } },
    { where: { group: 'g' }, sort: { field: 'value', direction } },
    { where: { 'tags[]': 'x' }, sort: { field: 'value', direction } },
  ],
);

/** Compares pages all over the lists of each view with those of the reference. */
async function expectPages(views: readonly ReadModels[], reference: ReadModels, what: string): Promise<void> {
  for (const query of WANTED) {
    const all = idsOf(await reference.find(THINGS.name, { ...query, offset: 0, limit: Infinity }));
    for (const part of [0.45, 0.77, 1, 2]) {
      const page = { ...query, offset: Math.max(0, Math.round(all.length * part) - 5), limit: 8 };
      const wanted = all.slice(page.offset, page.offset + page.limit);
      for (const models of views) {
        expect(idsOf(await models.find(THINGS.name, page)), `${what}: ${JSON.stringify(page)}`).to.deep.equal(wanted);
      }
    }
  }
}

export const deepLaws: Readonly<Record<string, Law>> = {
  'pages far from the start are exact, whichever process has written meanwhile': async ({ store, open, many }) => {
    const name = `deep-${Date.now()}`;
    const other = await open();
    try {
      const views = [await store.namespace(name, [THINGS, PLAIN]), await other.namespace(name, [THINGS, PLAIN])];
      const expected = memoryReadModels([THINGS, PLAIN]);
      for (let round = 1, at = 0; round <= ROUNDS; round += 1) {
        const count = round === 1 ? many : Math.round(many / PART);
        const inserts = Array.from({ length: count }, (_, n) => added(at + n, round));
        const sets = round === 1 ? [] : inserts.map((_, n) => changed(scattered(n * round) % many, round));
        at += count;
        const writer = views[round % 3 === 0 ? 1 : 0];
        for (const models of [writer, expected]) await models?.apply([...inserts, ...sets], round);
        await expectPages(views, expected, `round ${round}`);
      }
    } finally {
      await store.drop(name);
      await other.close();
    }
  },
};
