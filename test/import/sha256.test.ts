import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { sha256 } from '../../src/clients/import/sha256.ts';

describe('the digest of a file', () => {
  it('is the SHA-256 that everybody else finds, of any length', () => {
    const lengths = [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1_000, 100_003];
    for (const length of lengths) {
      const bytes = randomBytes(length);
      expect(sha256(bytes), `${length} bytes`).to.equal(createHash('sha256').update(bytes).digest('hex'));
    }
  });
});
