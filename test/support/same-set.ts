import { expect } from 'chai';

/** Expects two sets to be the same; says what is missing, and what is too much. */
export function sameSet(found: Iterable<string>, wanted: Iterable<string>, what = 'the set'): void {
  const has = new Set(found);
  const expected = new Set(wanted);
  const missing = [...expected].filter((one) => !has.has(one));
  const tooMuch = [...has].filter((one) => !expected.has(one));
  expect({ missing, tooMuch }, what).to.deep.equal({ missing: [], tooMuch: [] });
}
