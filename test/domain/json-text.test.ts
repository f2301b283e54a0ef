import { expect } from 'chai';
import fc from 'fast-check';
import { parseJson } from '../../src/service/http/json-body.ts';
import { Problem } from '../../src/service/http/problems.ts';

/** The value of a JSON text; null if it is refused. */
function taken(text: string): { readonly value: unknown } | null {
  try {
    return { value: parseJson(text, 32) };
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/** The digits of a number without a sign and zeros before it. */
const written = (token: string): bigint => BigInt(token);

describe('JSON as it is sent', () => {
  it('is accepted where its integers come back digit by digit, and refused elsewhere', () => {
    const numbers = fc.oneof(
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
      fc.bigInt({ min: 2n ** 53n - 50n, max: 2n ** 53n + 50n }),
      fc.integer().map(BigInt),
      fc
        .tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 0, max: 300 }))
        .map(([a, n]) => BigInt(a) * 10n ** BigInt(n)),
    );
    fc.assert(
      fc.property(numbers, (number) => {
        const text = String(number);
        const found = taken(`{"a":[${text}]}`);
        const shown = JSON.stringify(Number(text));
        const [mantissa = '', power = '0'] = shown.split('e');
        const [whole = '', fraction = ''] = mantissa.split('.');
        const back = written(whole + fraction) * 10n ** BigInt(Number(power) - fraction.length);
        expect(found !== null, text).to.equal(back === number);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is taken whatever its decimals, which are rounded as doubles', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.nat(), (number, more) => {
        const shown = JSON.stringify(number);
        expect(taken(shown), shown).not.to.equal(null);
        if (!shown.includes('.') || shown.includes('e')) return;
        expect(taken(`[${shown}${more}7]`), `${shown}${more}7`).not.to.equal(null);
      }),
      { numRuns: 3_000 },
    );
  });

  it('is accepted where each name occurs once in its object, whatever its texts look like', () => {
    const text = fc.string({ unit: fc.constantFrom('"', ':', '\\', ',', '{', '}', '1', 'a', ' '), maxLength: 12 });
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), fc.dictionary(text, text), (value, object) => {
        fc.pre(!JSON.stringify([value, object]).includes('__proto__'));
        const sent = JSON.stringify({ value, object }, null, 1);
        expect(taken(sent)?.value, sent).to.deep.equal(JSON.parse(sent));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is refused where a name occurs twice, however it is written', () => {
    const name = fc.string({ unit: fc.constantFrom('"', ':', '\\', 'é', 'a', ' ', '/'), maxLength: 6 });
    const escaped = (key: string): string =>
      `"${Array.from(key, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
    fc.assert(
      fc.property(name, fc.array(name), fc.boolean(), (key, others, isEscaped) => {
        const rest = [...new Set(others)].filter((one) => one !== key).map((one) => `${JSON.stringify(one)}:{"x":1}`);
        const second = isEscaped ? escaped(key) : JSON.stringify(key);
        const sent = `[{"o":{${[`${JSON.stringify(key)} : 1`, ...rest, `${second}\n:2`].join()}}}]`;
        expect(taken(sent), sent).to.equal(null);
      }),
      { numRuns: 2_000 },
    );
  });
});
