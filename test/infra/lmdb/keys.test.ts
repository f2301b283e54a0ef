import { expect } from 'chai';
import fc from 'fast-check';
import { boundsOf, idKeyOf, keyOf } from '../../../infra/lmdb/keys.ts';
import { depth } from '../../support/depth.ts';

/** Bytes of a string that are in a key. */
const LIMIT = 1024;
const RUNS = depth({ short: 2_000, deep: 20_000 });

function keyOfTexts(...texts: string[]): Buffer {
  const fields = texts.map((_, n) => `${n}`);
  return Buffer.from(keyOf(fields, Object.fromEntries(texts.map((text, n) => [`${n}`, text]))));
}

/** Strings like those in documents, and strings that differ by little at places that matter. */
const text = fc.oneof(
  fc.uuid(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('\0', '\u0001', '\u0002', ' ', '!', '-', '0', 'a', 'f', 'é', '😀', '\ud800') }),
);

describe('strings in keys of the embedded read store', () => {
  it('sort by code point, whatever follows them', () => {
    fc.assert(
      fc.property(fc.tuple(text, text), fc.tuple(text, text), ([a, afterA], [b, afterB]) => {
        const expected = Buffer.from(a).compare(Buffer.from(b));
        expect(Buffer.from(idKeyOf(a)).compare(idKeyOf(b))).to.equal(expected);
        const following = Buffer.from(afterA).compare(Buffer.from(afterB));
        expect(keyOfTexts(a, afterA).compare(keyOfTexts(b, afterB))).to.equal(expected || following);
      }),
      { numRuns: RUNS },
    );
  });

  it('differ after each single byte, and the shorter of two is first', () => {
    const bytes = Array.from({ length: 0x80 }, (_, byte) => String.fromCharCode(byte));
    const all = ['', ...bytes.flatMap((each) => [each, `${each}\0`, `${each}a`, `${each}~`])];
    const inOrder = [...all].sort((a, b) => Buffer.from(a).compare(Buffer.from(b)));
    expect([...all].sort((a, b) => keyOfTexts(a).compare(keyOfTexts(b)))).to.deep.equal(inOrder);
    expect(new Set(all.map((each) => keyOfTexts(each).toString('hex'))).size).to.equal(all.length);
  });

  it('have exact bounds if a field of 255 characters can hold them, and are cut where they are longer', () => {
    for (const last of ['a', 'é', '€', '😀', '\0', '\u0001']) {
      const longest = last.repeat(255);
      expect(boundsOf(['name'], { name: longest }), last).not.to.equal(null);
      const long = 'a'.repeat(LIMIT - 1);
      expect(boundsOf(['name'], { name: `${long}${last}` }), last).to.equal(null);
      expect(keyOfTexts(`${long}${last}x`)).to.deep.equal(keyOfTexts(`${long}${last}y`));
    }
  });
});
