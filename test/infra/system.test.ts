import { expect } from 'chai';
import { systemIds } from '../../infra/system/system.ts';

/** The variant of RFC 9562 and a version. */
function pattern(version: number): RegExp {
  return new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-${version}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`);
}

/** What release 0.1.0 derived: a stored id must never be derived differently. */
const DERIVED: readonly (readonly [id: string, ...parts: readonly string[]])[] = [
  ['81b4e162-e9d5-5c86-9980-9ce7347e4f16'],
  ['825724d1-66bf-5213-a5e6-17dfe2c2368e', ''],
  ['9083709a-a44b-51be-9fd0-ffecd10e81f6', 'a', 'b'],
  ['1f7f5630-8b72-5697-98ba-16aa858d2699', 'ab'],
  ['244fb3a2-bfa2-5399-84e4-845f4285830a', '1:a1:b'],
  ['95d0130a-9d75-53f3-af7b-d3811063f3c3', 'ü 😀'],
  ['603db05f-c7e3-54aa-ad98-be133d74464f', '\ud800'],
  ['360f229a-88d2-55bd-9e27-6c5be08d886c', '0190a000-0000-7000-8000-000000000001', 'POST /api/v1/laps', 'lap 7'],
];

describe('ids', () => {
  it('derived from parts stay the same for ever', () => {
    for (const [id, ...parts] of DERIVED) expect(systemIds.derived(...parts), JSON.stringify(parts)).to.equal(id);
  });

  it('are UUIDs of version 7, which carry the time and ascend within a ms too', () => {
    const before = Date.now();
    const made = Array.from({ length: 20_000 }, () => systemIds.next());
    for (const id of made) expect(id).to.match(pattern(7));
    expect(Number.parseInt((made[0] ?? '').replace('-', '').slice(0, 12), 16)).to.be.within(before, Date.now());
    expect([...new Set(made)].sort()).to.deep.equal(made);
  });

  it('for events are random UUIDs', () => {
    const made = Array.from({ length: 1_000 }, () => systemIds.random());
    for (const id of made) expect(id).to.match(pattern(4));
    expect(new Set(made)).to.have.length(made.length);
  });
});
