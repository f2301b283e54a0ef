import { expect } from 'chai';
import fc from 'fast-check';
import { putPacked } from '../../../infra/lmdb/keys.ts';
import { depth } from '../../support/depth.ts';

const LIMIT = 1024;
const RUNS = depth({ short: 2_000, deep: 20_000 });

/** What is packed, between bytes that show where it begins and ends. */
function packed(text: string, { limit = LIMIT, before = 0 } = {}): Buffer {
  const target = Buffer.alloc(2 * LIMIT, 0xaa);
  const end = putPacked(text, { target, at: before, limit });
  expect(target.subarray(0, before).every((byte) => byte === 0xaa)).to.equal(true);
  expect(target.subarray(end).every((byte) => byte === 0xaa)).to.equal(true);
  return Buffer.from(target.subarray(before, end));
}

/** Strings like those in documents, and strings that differ by little at places that matter. */
const text = fc.oneof(
  fc.uuid(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom('\0', '\u0001', ' ', '!', '-', '0', '9', 'T', 'a', 'f', 'g', 'é', '😀', '\ud800'),
  }),
);

describe('packed strings of the embedded read store', () => {
  it('sort like the strings by code point, whatever bytes follow', () => {
    const following = fc.uint8Array({ minLength: 2, maxLength: 2 });
    fc.assert(
      fc.property(text, text, following, (a, b, [afterA = 0, afterB = 0]) => {
        const expected = Buffer.from(a).compare(Buffer.from(b));
        const found = Buffer.of(...packed(a), afterA).compare(Buffer.of(...packed(b), afterB));
        if (expected !== 0) expect(found).to.equal(expected);
        else expect(packed(a)).to.deep.equal(packed(b));
      }),
      { numRuns: RUNS },
    );
  });

  it('differ for each byte, and a prefix sorts first', () => {
    const bytes = Array.from({ length: 0x80 }, (_, byte) => String.fromCharCode(byte));
    const all = ['', ...bytes.flatMap((each) => [each, `${each}\0`, `${each}a`, `${each}~`])];
    const inOrder = [...all].sort((a, b) => Buffer.from(a).compare(Buffer.from(b)));
    const sorted = [...all].sort((a, b) => packed(a).compare(packed(b)));
    expect(sorted).to.deep.equal(inOrder);
    expect(new Set(all.map((each) => packed(each).toString('hex'))).size).to.equal(all.length);
  });

  it('take 24 bytes for a UUID, 16 for a moment, 13 bits for the rarest of bytes', () => {
    expect(packed('0190a000-0000-7000-8000-000000000001', { before: 3 })).to.have.length(24);
    expect(packed('2026-03-01T18:00:00.000Z')).to.have.length(16);
    expect(packed('')).to.deep.equal(Buffer.of(0));
    expect(packed('~'.repeat(LIMIT))).to.have.length(Math.ceil((LIMIT * 13 + 5) / 8));
  });

  it('hold a longer string up to the limit in bytes, even if that cuts a character', () => {
    expect(packed('abcdef', { limit: 3 })).to.deep.equal(packed('abc'));
    for (const last of ['é', '€', '😀']) {
      const long = `${'a'.repeat(LIMIT - 1)}${last}`;
      expect(packed(`${long}x`)).to.deep.equal(packed(long));
      expect(packed(long).compare(packed(`${'a'.repeat(LIMIT - 1)}z`))).to.equal(1);
    }
  });
});
