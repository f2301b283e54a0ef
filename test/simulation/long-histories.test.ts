import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { canonicalJson } from '../../src/service/kernel/json.ts';
import { builtInOver } from '../support/simulation/laps.ts';
import { projectedTwice, type Projected } from '../support/simulation/projectors.ts';
import { playHistories } from '../support/simulation/random.ts';
import { depth } from '../support/depth.ts';

/**
 * A deep history takes some ten seconds, as every write of a document is a step that may be the last. Use
 * `SIMULATION_HISTORIES=500` before a release.
 */
const HISTORIES = depth({ short: 3, deep: 6 });
const EVENTS = depth({ short: 400, deep: 2_000 });

const builtIn = builtInOver(EVENTS);

describe('simulation of long histories', () => {
  it('gives every collection the hash that a fresh rebuild gives it, whatever crashes and comes twice', async () => {
    await playHistories('long histories', HISTORIES, async (seed) => {
      const { projected, rebuilt } = await projectedTwice(seed, builtIn);
      expect(hashesOf(projected)).to.deep.equal(hashesOf(rebuilt));
    });
  }).timeout(3_600_000);
});

/** A hash over the documents of each collection, in order of their keys. */
function hashesOf({ documents }: Projected): Readonly<Record<string, string>> {
  const hashes = new Map<string, ReturnType<typeof createHash>>();
  for (const key of [...documents.keys()].sort()) {
    const collection = key.slice(0, key.indexOf('/'));
    const hash = hashes.get(collection) ?? createHash('sha256');
    hashes.set(collection, hash.update(canonicalJson(documents.get(key) ?? null)));
  }
  return Object.fromEntries([...hashes].map(([collection, hash]) => [collection, hash.digest('hex')]));
}
