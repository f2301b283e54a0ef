import { expect } from 'chai';
import { hashOf, newToken, sameHash } from '../../src/service/access/authenticator.ts';
import { depth } from '../support/depth.ts';

/** Characters of `srt_`, the part that finds the key, and `_`. */
const FRONT = 13;

/** The same token with another character at a place. */
function changed(token: string, at: number): string {
  return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
}

/** Characters that two texts have in common at their start. */
function commonStart(a: string, b: string): number {
  let n = 0;
  while (n < a.length && a[n] === b[n]) n += 1;
  return n;
}

describe('the look-up of a key', () => {
  it('compares hashes, so that a nearly correct guess is no better than any other', () => {
    const TRIES = 200;
    let near = 0;
    let far = 0;
    for (let n = 0; n < TRIES; n++) {
      const token = newToken();
      near += commonStart(hashOf(token), hashOf(changed(token, token.length - 1)));
      far += commonStart(hashOf(token), hashOf(changed(token, FRONT)));
    }
    // A character of base64 is the same by chance once in 64 times.
    expect([near / TRIES, far / TRIES].every((common) => common < 0.2)).to.equal(true);
  });

  // What measures can fail by chance.
  const measuring = depth({ short: it.skip, deep: it });
  measuring(
    'takes as long for hashes that differ at the start as at the end (short: only in npm run test:deep)',
    () => {
      const ROUNDS = 200;
      const CALLS = 500;
      const hash = hashOf(newToken());
      const first = changed(hash, 0);
      const last = changed(hash, hash.length - 1);
      const time = (other: string): number => {
        const began = performance.now();
        for (let n = 0; n < CALLS; n++) if (sameHash(hash, other)) throw new Error('not the same');
        return performance.now() - began;
      };
      time(first);
      time(last);
      // The shortest of many: whatever else the machine does makes it longer only.
      const rounds = Array.from({ length: ROUNDS }, () => [time(first), time(last)] as const);
      const least = Math.min(...rounds.map(([a]) => a));
      const leastToo = Math.min(...rounds.map(([, b]) => b));
      expect(least / leastToo).to.be.within(0.7, 1.4);
    },
  );

  it('distinguishes a hash from others, and from a shorter one', () => {
    const hash = hashOf(newToken());
    expect(sameHash(hash, hash)).to.equal(true);
    expect(sameHash(hash, changed(hash, 0))).to.equal(false);
    expect(sameHash(hash, hash.slice(1))).to.equal(false);
  });
});
