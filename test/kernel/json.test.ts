import { expect } from 'chai';
import { canonicalJson, differenceIn, sameJson } from '../../src/kernel/json.ts';

describe('JSON values', () => {
  it('are equal whatever the order of their keys', () => {
    expect(sameJson({ a: 1, b: { c: [1], d: null } }, { b: { d: null, c: [1] }, a: 1 })).to.equal(true);
    expect(sameJson({ a: undefined, b: 1 }, { b: 1 })).to.equal(true);
    expect(canonicalJson({ b: 1, a: [{ d: 1, c: 'é"' }] })).to.equal('{"a":[{"c":"é\\"","d":1}],"b":1}');
  });

  it('have a path to their first difference', () => {
    expect(differenceIn({ a: [{ b: 1 }], c: undefined }, { a: [{ b: 1 }] })).to.equal(null);
    expect(differenceIn({ a: [{ b: 1 }] }, { a: [{ b: 2 }] })).to.equal('/a/0/b');
    expect(differenceIn({ a: 1 }, { a: 1, b: 1 })).to.equal('/b');
    expect(differenceIn({ a: [1] }, { a: [1, 2] })).to.equal('/a');
    expect(differenceIn({ a: [] }, { a: {} })).to.equal('/a');
    expect(differenceIn({ a: null }, {})).to.equal('/a');
  });

  it('differ by order in arrays, type and nesting', () => {
    for (const [a, b] of [
      [
        [1, 2],
        [2, 1],
      ],
      [1, '1'],
      [null, 0],
      [{}, []],
      [{ a: null }, {}],
      [[[]], []],
    ] as const) {
      expect(sameJson(a, b), `${canonicalJson(a)} and ${canonicalJson(b)}`).to.equal(false);
    }
  });

  it('are compared by their own keys, not by inherited ones', () => {
    const own = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as { readonly [key: string]: number };
    expect(canonicalJson(own)).to.equal('{"__proto__":{"a":1},"constructor":2}');
    expect(sameJson(own, {})).to.equal(false);
  });
});
