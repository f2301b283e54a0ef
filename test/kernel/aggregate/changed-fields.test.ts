import { expect } from 'chai';
import {
  changedFields,
  eventIf,
  eventIfChanged,
  changedReference,
} from '../../../src/kernel/aggregate/changed-fields.ts';
import { canonicalJson, sameJson } from '../../../src/kernel/json.ts';

const state = { name: 'a', size: 1 as number | null, tags: { x: 1, y: [1, 2] } };

describe('changes', () => {
  it('finds the new values of fields that one event carries together', () => {
    expect(changedFields(state, { name: 'b' }, 'name')).to.deep.equal({ name: 'b' });
    expect(changedFields(state, { name: 'b' }, 'name', 'size')).to.deep.equal({ name: 'b', size: 1 });
    expect(changedFields(state, { size: null }, 'size')).to.deep.equal({ size: null });
    expect(changedFields(state, { tags: { x: 1, y: [2, 1] } }, 'tags')).to.deep.equal({ tags: { x: 1, y: [2, 1] } });
  });

  it('finds none where nothing differs', () => {
    expect(changedFields(state, {}, 'name', 'size')).to.equal(null);
    expect(changedFields(state, { name: undefined, size: 1 }, 'name', 'size')).to.equal(null);
    expect(changedFields(state, { name: 'b' }, 'size')).to.equal(null);
    expect(changedFields(state, { tags: { y: [1, 2], x: 1 } }, 'tags')).to.equal(null);
  });

  it('says what a reference was and becomes', () => {
    expect(changedReference({ carId: 'a' }, { carId: 'b' }, 'carId')).to.deep.equal({ from: 'a', to: 'b' });
    expect(changedReference({ carId: 'a' }, { carId: 'a' }, 'carId')).to.equal(null);
    expect(changedReference({ carId: 'a' }, {}, 'carId')).to.equal(null);
  });

  it('makes one event or none', () => {
    expect(eventIfChanged('Renamed', { name: 'b' })).to.deep.equal([{ type: 'Renamed', data: { name: 'b' } }]);
    expect(eventIfChanged('Renamed', null)).to.deep.equal([]);
    expect(eventIf(true, 'Enabled')).to.deep.equal([{ type: 'Enabled', data: {} }]);
    expect(eventIf(false, 'Enabled')).to.deep.equal([]);
  });
});

describe('JSON values', () => {
  it('are the same whatever the order of their keys', () => {
    expect(sameJson({ a: 1, b: { c: [1], d: null } }, { b: { d: null, c: [1] }, a: 1 })).to.equal(true);
    expect(sameJson({ a: undefined, b: 1 }, { b: 1 })).to.equal(true);
    expect(canonicalJson({ b: 1, a: [{ d: 1, c: 'é"' }] })).to.equal('{"a":[{"c":"é\\"","d":1}],"b":1}');
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

  it('keep keys that objects have anyway apart', () => {
    const own = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as { readonly [key: string]: number };
    expect(canonicalJson(own)).to.equal('{"__proto__":{"a":1},"constructor":2}');
    expect(sameJson(own, {})).to.equal(false);
  });
});
