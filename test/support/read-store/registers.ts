import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { AWKWARD, insert, thing, THINGS } from './fixtures.ts';
import type { Law } from './fixtures.ts';

const WRITERS = 20;
const ROUNDS = 10;

/** A name that no other law uses. */
function fresh(): string {
  return `law-${randomUUID()}`;
}

export const registerLaws = {
  'a register is null at first, and then as it was written last': async ({ store }) => {
    const name = fresh();
    expect(await store.readRegister(name)).to.equal(null);
    expect(await store.writeRegister(name, AWKWARD, 0)).to.equal(true);
    expect(await store.readRegister(name)).to.deep.equal({ version: 1, value: AWKWARD });
    expect(await store.writeRegister(name, {}, 1)).to.equal(true);
    expect(await store.readRegister(name)).to.deep.equal({ version: 2, value: {} });
    expect(await store.readRegister(`${name}@`)).to.equal(null);
    expect(await store.readRegister(name.slice(0, -1))).to.equal(null);
  },

  'a register is written only at the version that the writer names': async ({ store }) => {
    const name = fresh();
    expect(await store.writeRegister(name, { at: 1 }, 1)).to.equal(false);
    expect(await store.readRegister(name)).to.equal(null);
    for (let version = 0; version < 12; version += 1) {
      expect(await store.writeRegister(name, { at: version }, version)).to.equal(true);
      for (const other of [0, version, version + 2]) {
        expect(await store.writeRegister(name, { at: 'wrong' }, other)).to.equal(false);
      }
      expect(await store.readRegister(name)).to.deep.equal({ version: version + 1, value: { at: version } });
    }
  },

  'of twenty racing writers exactly one wins each version': async ({ store, open }) => {
    const name = fresh();
    const other = await open();
    for (let version = 0; version < ROUNDS; version += 1) {
      const race = Array.from({ length: WRITERS }, (_, writer) =>
        (writer % 2 === 0 ? store : other).writeRegister(name, { writer }, version),
      );
      const winners = (await Promise.all(race)).flatMap((won, writer) => (won ? [writer] : []));
      expect(winners).to.have.length(1);
      const expected = { version: version + 1, value: { writer: winners[0] } };
      expect(await store.readRegister(name)).to.deep.equal(expected);
      expect(await other.readRegister(name)).to.deep.equal(expected);
    }
    await other.close();
  },

  'registers are apart, and survive reopening': async ({ store, open }) => {
    const first = fresh();
    const second = fresh();
    await store.writeRegister(first, { of: 'first' }, 0);
    await store.writeRegister(second, { of: 'second' }, 0);
    const again = await open();
    expect(await again.readRegister(first)).to.deep.equal({ version: 1, value: { of: 'first' } });
    expect(await again.writeRegister(second, { of: 'again' }, 1)).to.equal(true);
    await again.close();
    expect(await store.readRegister(first)).to.deep.equal({ version: 1, value: { of: 'first' } });
    expect(await store.readRegister(second)).to.deep.equal({ version: 2, value: { of: 'again' } });
  },

  'drop deletes one namespace, and nothing else': async ({ store }) => {
    const name = fresh();
    const others = [`${name}.things`, `${name}.`, `${name}x`, name.slice(0, -1)];
    for (const each of [name, ...others]) {
      const models = await store.namespace(each, [THINGS]);
      await models.apply([insert(thing('a', { value: 1, namespace: each }))], 3);
    }
    await store.writeRegister(name, { kept: true }, 0);
    await store.drop(name);
    for (const each of others) {
      const models = await store.namespace(each, [THINGS]);
      expect(await models.get('things', 'a'), each).to.deep.equal(thing('a', { value: 1, namespace: each }));
      expect(await models.checkpoint(), each).to.equal(3);
    }
    expect(await store.readRegister(name)).to.deep.equal({ version: 1, value: { kept: true } });
    const gone = await store.namespace(name, [THINGS]);
    expect(await gone.checkpoint()).to.equal(null);
    expect(await gone.count('things', {})).to.equal(0);
    expect(await gone.get('things', 'a')).to.equal(null);
  },

  'a dropped namespace can be built again; dropping one that does not exist has no effect': async ({ store, open }) => {
    const name = fresh();
    await store.drop(name);
    for (const value of [1, 2]) {
      const models = await store.namespace(name, [THINGS]);
      await models.apply([insert(thing('a', { value })), insert(thing(`b${value}`, { value }))], value);
      expect(await models.checkpoint()).to.equal(value);
      const found = await models.find('things', {
        where: { value },
        sort: { field: 'value', direction: 'asc' },
        offset: 0,
        limit: 9,
      });
      expect(found).to.deep.equal([thing('a', { value }), thing(`b${value}`, { value })]);
      const again = await open();
      await again.drop(name);
      await again.close();
      expect(await (await store.namespace(name, [THINGS])).checkpoint()).to.equal(null);
    }
  },
} satisfies Record<string, Law>;
