import { expect } from 'chai';
import { randomFrom } from '../../src/clients/demo/random.ts';
import type { ImportPlan } from '../../src/clients/results/plan.ts';
import { readResults } from '../../src/clients/results/read-results.ts';
import { depth } from '../support/depth.ts';
import { FILES } from './fixtures.ts';

/** Mutations of all files together, and of each. */
const ALL_MUTATIONS = depth({ short: 100_000, deep: 10_000_000 });
const MUTATIONS = Math.ceil(ALL_MUTATIONS / Object.keys(FILES).length);

const SEED = 20_261;

/** Pieces that have a meaning in one of the formats, or are at the edge of what numbers can be. */
const PIECES = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  '<',
  '>',
  '&',
  '</',
  '0',
  '-1',
  '1e999',
  '2147483647',
  'null',
  '\r\n',
  '\0',
];

describe('mutated result files', function () {
  this.timeout(depth({ short: 1_200_000, deep: 2 * 3_600_000 }));

  for (const [n, [name, bytes]] of Object.entries(FILES).entries()) {
    it(`of ${name} are read or refused, and have no impossible values`, () => {
      const random = randomFrom(SEED + n);
      let read = 0;
      for (let mutation = 0; mutation < MUTATIONS; mutation += 1) {
        const mutated = mutate(bytes, random);
        const results = readResults(mutated);
        if (results.outcome === 'read') {
          const fault = faultOf(results.plan);
          if (fault !== null) throw new Error(`mutation ${mutation} has ${fault}`);
          read += 1;
        } else if (results.reason === '') {
          throw new Error(`mutation ${mutation} is refused without a reason`);
        }
      }
      expect(read, 'files that are still readable').to.be.above(0);
    });
  }
});

/** A file with one to three changes: a byte changed, some cut out or doubled, or a piece that has a meaning put in. */
function mutate(bytes: Uint8Array, random: () => number): Uint8Array {
  const below = (bound: number): number => Math.floor(random() * bound);
  let mutated = Buffer.from(bytes);
  const changes = 1 + below(3);
  for (let change = 0; change < changes; change += 1) {
    const at = below(mutated.length);
    const before = mutated.subarray(0, at);
    const length = below(24);
    const kind = below(5);
    if (kind === 0) mutated[at] = below(256);
    else if (kind === 1) mutated = Buffer.concat([before, mutated.subarray(at + length)]);
    else if (kind === 2) mutated = Buffer.concat([mutated.subarray(0, at + length), mutated.subarray(at)]);
    else if (kind === 3)
      mutated = Buffer.concat([
        before,
        Buffer.from(PIECES[below(PIECES.length)] ?? ''),
        mutated.subarray(at + below(4)),
      ]);
    else mutated = mutated.subarray(0, Math.max(1, mutated.length - below(64)));
  }
  return mutated;
}

/** What cannot be in a plan; null where all can. */
function faultOf({ sessions }: ImportPlan): string | null {
  for (const { laps, classification } of sessions) {
    if (laps.length + classification.length === 0) return 'an empty session';
    for (const { lap, ms, sectors, valid } of laps) {
      if (!isCount(lap)) return `lap ${lap}`;
      if (!isTime(ms)) return `a lap of ${ms} ms`;
      if (ms === null && valid !== null) return 'a lap without a time that is valid';
      if (sectors?.every((sector) => sector === null) === true) return 'sectors of which none is known';
      if (sectors?.every(isTime) === false) return `sectors of ${sectors.join(', ')} ms`;
    }
    for (const { position, driver, laps: count, bestMs, totalMs } of classification) {
      if (!isCount(position) || position === 0) return `position ${position}`;
      if (driver.trim() === '') return 'a row without a name';
      if (count !== null && !isCount(count)) return `${count} laps`;
      if (!isTime(bestMs)) return `a best time of ${bestMs} ms`;
      if (!isTime(totalMs)) return `a total time of ${totalMs} ms`;
    }
  }
  return null;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value < 2_147_483_647;
}

function isTime(ms: number | null): boolean {
  return ms === null || (Number.isSafeInteger(ms) && ms > 0 && ms < 999_999_999);
}
