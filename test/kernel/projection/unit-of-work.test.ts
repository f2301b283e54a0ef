import { expect } from 'chai';
import type { Change, ReadModels } from '../../../src/service/kernel/ports/read-store.ts';
import { createUnitOfWork } from '../../../src/service/kernel/projection/unit-of-work.ts';
import { memoryReadModels } from '../../support/read-store/memory-read-store.ts';
import { players, teams } from '../../support/simulation/league.ts';

const collection = 'teams';

function founded(id: string, name: string, position: number): Change {
  return {
    kind: 'insert',
    collection,
    document: { id, name, lastLeft: null, _created: position, _position: position, _revision: 0 },
  };
}

function renamed(id: string, name: string, position: number): Change {
  return { kind: 'set', collection, id, fields: { name }, position, revision: position };
}

/** A unit of work over models that count look-ups. */
function working(models: ReadModels = memoryReadModels()) {
  const lookups: string[] = [];
  const unit = createUnitOfWork({
    ...models,
    get: (from, id) => {
      lookups.push(`${from}/${id}`);
      return models.get(from, id);
    },
  });
  return { models, unit, lookups };
}

describe('unit of work', () => {
  it('sees the changes of its own batch before they are written', async () => {
    const { models, unit } = working();
    unit.add(founded('a', 'A', 1));
    unit.add(renamed('a', 'B', 2));
    expect(await unit.lookup(teams, 'a')).to.include({ name: 'B', _position: 2, _revision: 2 });
    expect(await unit.lookup(teams, 'b')).to.equal(null);
    expect(await models.get(collection, 'a')).to.equal(null);
    await unit.commit(2);
    expect(await models.get(collection, 'a')).to.deep.equal(await unit.lookup(teams, 'a'));
    expect(await models.checkpoint()).to.equal(2);
  });

  it('caches documents over batches, and applies changes and fan-outs to them', async () => {
    const { unit, lookups } = working();
    unit.add(founded('a', 'A', 1));
    expect(await unit.lookup(teams, 'a')).to.include({ name: 'A' });
    await unit.commit(1);
    unit.add(renamed('a', 'B', 2));
    expect(await unit.lookup(teams, 'a')).to.include({ name: 'B' });
    unit.add({ kind: 'setWhere', collection, field: 'name', value: 'B', fields: { lastLeft: 'p' }, position: 3 });
    unit.add({ kind: 'setWhere', collection, field: 'name', value: 'A', fields: { name: 'C' }, position: 4 });
    expect(await unit.lookup(teams, 'a')).to.include({ name: 'B', lastLeft: 'p', _position: 3 });
    unit.add({ kind: 'unset', collection, id: 'a', fields: ['lastLeft'], position: 5 });
    expect(await unit.lookup(teams, 'a')).to.not.have.property('lastLeft');
    expect(lookups).to.deep.equal(['teams/a']);
  });

  it('caches that a document does not exist, until it does', async () => {
    const { unit, lookups } = working();
    expect(await unit.lookup(teams, 'a')).to.equal(null);
    unit.add({ kind: 'setWhere', collection, field: 'name', value: null, fields: { name: 'x' }, position: 1 });
    expect(await unit.lookup(teams, 'a')).to.equal(null);
    unit.add(founded('a', 'A', 2));
    expect(await unit.lookup(teams, 'a')).to.include({ name: 'A' });
    expect(lookups).to.deep.equal(['teams/a']);
  });

  it('keeps collections apart, those with similar names too', async () => {
    const { unit } = working();
    unit.add(founded('a', 'A', 1));
    expect(await unit.lookup(players, 'a')).to.equal(null);
    unit.add({ kind: 'setWhere', collection: 'team', field: 'name', value: 'A', fields: { name: 'x' }, position: 2 });
    expect(await unit.lookup(teams, 'a')).to.include({ name: 'A' });
  });

  it('changes, as the store does, only documents at a smaller position', async () => {
    const { models, unit } = working();
    await models.apply([founded('a', 'A', 9)], 9);
    const late = { collection, position: 5 } as const;
    unit.add(renamed('a', 'late', 5));
    expect(await unit.lookup(teams, 'a'), 'pending').to.include({ name: 'A' });
    unit.add(founded('a', 'again', 5));
    unit.add(renamed('a', 'late', 9));
    unit.add({ kind: 'unset', id: 'a', fields: ['name'], ...late });
    unit.add({ kind: 'setWhere', field: 'name', value: 'A', fields: { name: 'late' }, ...late });
    expect(await unit.lookup(teams, 'a'), 'remembered').to.deep.equal(await models.get(collection, 'a'));
  });

  it('neither writes nor returns what was reset', async () => {
    const { models, unit, lookups } = working();
    unit.add(founded('a', 'A', 1));
    await unit.lookup(teams, 'a');
    unit.reset();
    expect(await unit.lookup(teams, 'a')).to.equal(null);
    await unit.commit(1);
    expect(await models.get(collection, 'a')).to.equal(null);
    expect(lookups).to.deep.equal(['teams/a', 'teams/a']);
  });

  it('finds all documents that match, those of its own batch included, and leaves the checkpoint', async () => {
    const { models, unit } = working();
    for (const [n, id] of ['c', 'a', 'b'].entries()) unit.add(founded(id, id.toUpperCase(), n + 1));
    const found: string[] = [];
    for await (const batch of unit.find(teams, { name: { from: 'B' } })) found.push(...batch.map(({ id }) => id));
    expect(found).to.have.members(['b', 'c']);
    expect(await models.checkpoint()).to.equal(null);
    await unit.commit(3);
    expect(await models.checkpoint()).to.equal(3);
  });
});
