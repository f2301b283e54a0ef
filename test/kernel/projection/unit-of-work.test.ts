import { expect } from 'chai';
import type { Change, ReadModels } from '../../../src/kernel/ports/read-store.ts';
import type { Later } from '../../../src/kernel/projection/projection.ts';
import { createUnitOfWork } from '../../../src/kernel/projection/unit-of-work.ts';
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

  it('neither writes nor returns changes that were reset', async () => {
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

/** A unit of work over models that record what they are asked to apply. */
function recording(models: ReadModels = memoryReadModels()) {
  const applied: Change[] = [];
  const unit = createUnitOfWork({
    ...models,
    async apply(changes, checkpoint) {
      applied.push(...changes);
      await models.apply(changes, checkpoint);
    },
  });
  return { models, unit, applied };
}

function captained(value: string, captain: string, position: number): Change {
  return { kind: 'setWhere', collection, field: 'name', value, fields: { lastLeft: captain }, position };
}

describe('a batch of changes', () => {
  it('writes only the last of several fan-outs for a value, and one for each other value', async () => {
    const { models, unit, applied } = recording();
    await models.apply([founded('a', 'A', 1), founded('b', 'B', 2)], 2);
    for (let position = 3; position < 100; position += 1) unit.add(captained('A', `p${position}`, position));
    unit.add(captained('B', 'q', 100));
    unit.add(captained('A', 'last', 101));
    expect(await unit.lookup(teams, 'a')).to.include({ lastLeft: 'last', _position: 101 });
    await unit.commit(101);
    expect(applied.map((change) => change.kind)).to.deep.equal(['setWhere', 'setWhere']);
    expect(await models.get(collection, 'a')).to.include({ lastLeft: 'last', _position: 101 });
    expect(await models.get(collection, 'b')).to.include({ lastLeft: 'q', _position: 100 });
    unit.add(captained('A', 'next', 102));
    await unit.commit(102);
    expect(await models.get(collection, 'a'), 'in the next batch').to.include({ lastLeft: 'next' });
  });

  it('keeps a fan-out where a later one sets less, or a document leaves or joins in between', async () => {
    const between: readonly (readonly Change[])[] = [
      [],
      [{ kind: 'set', collection, id: 'a', fields: { name: 'B' }, position: 4 }],
      [{ kind: 'unset', collection, id: 'a', fields: ['name'], position: 4 }],
      [{ kind: 'setWhere', collection, field: 'lastLeft', value: 'p', fields: { name: 'B' }, position: 4 }],
      [{ kind: 'set', collection, id: 'b', fields: { name: 'A' }, position: 4 }],
      [
        {
          kind: 'setWhere',
          collection,
          field: 'lastLeft',
          value: 'p',
          fields: { name: 'C', lastLeft: null },
          position: 4,
        },
      ],
    ];
    for (const some of between) {
      const last = {
        ...captained('A', 'q', 5),
        fields: some.length === 0 ? { other: 1 } : { lastLeft: 'q' },
      } as Change;
      const changes = [captained('A', 'p', 3), ...some, last];
      const together = recording();
      const apart = recording();
      for (const { models } of [together, apart]) await models.apply([founded('a', 'A', 1), founded('b', 'B', 2)], 2);
      for (const change of changes) {
        together.unit.add(change);
        apart.unit.add(change);
        await apart.unit.commit(change.kind === 'insert' ? 0 : change.position);
      }
      const seen = await together.unit.lookup(teams, 'a');
      await together.unit.commit(5);
      for (const id of ['a', 'b'])
        expect(await together.models.get(collection, id)).to.deep.equal(await apart.models.get(collection, id));
      expect(seen).to.deep.equal(await apart.models.get(collection, 'a'));
    }
  });

  it('computes fields from other documents once, after all changes, and writes the document in one change', async () => {
    const { models, unit, applied } = recording();
    await models.apply([founded('a', 'A', 1), founded('b', 'B', 2)], 2);
    let computed = 0;
    const later: Later = async (find) => {
      computed += 1;
      let count = 0;
      for await (const batch of find(players, {})) count += batch.length;
      return { lastLeft: `${count} players` };
    };
    const joined = { teamId: 'a', teamName: 'A', captainOf: null, name: 'P', _revision: 0 };
    for (let position = 3; position < 50; position += 2) {
      const document = { ...joined, id: `p${position}`, _created: position, _position: position };
      unit.add({ kind: 'insert', collection: players.collection, document });
      await unit.lookup(teams, 'a');
      unit.add({ kind: 'set', collection, id: 'a', fields: { name: `A${position}` }, position: position + 1, later });
    }
    unit.add(captained('A49', 'a fan-out', 60));
    unit.add({ kind: 'set', collection, id: 'a', fields: { other: 1 }, position: 61, revision: 7 });
    expect(await unit.lookup(teams, 'a')).to.include({ name: 'A49', lastLeft: 'a fan-out', other: 1 });
    await unit.commit(61);
    expect(computed).to.equal(1);
    const ofTeam = applied.filter((change) => change.kind === 'set');
    expect(ofTeam).to.have.length(1);
    expect(ofTeam[0]).to.include({ position: 61, revision: 7 });
    expect(applied.indexOf(ofTeam[0] ?? expect.fail()), 'before the fan-out').to.be.lessThan(
      applied.findIndex(({ kind }) => kind === 'setWhere'),
    );
    expect(await models.get(collection, 'a')).to.include({
      name: 'A49',
      lastLeft: '24 players',
      other: 1,
      _position: 61,
    });
    expect(await unit.lookup(teams, 'a')).to.deep.equal(await models.get(collection, 'a'));
  });

  it('computes nothing for a document that is ahead of the event', async () => {
    const { models, unit, applied } = recording();
    await models.apply([founded('a', 'A', 9)], 9);
    await unit.lookup(teams, 'a');
    unit.add({
      kind: 'set',
      collection,
      id: 'a',
      fields: { name: 'late' },
      position: 5,
      later: () => Promise.reject(new Error('computed')),
    });
    await unit.commit(9);
    expect(applied).to.deep.equal([]);
  });

  it('counts documents inserted after a missed look-up in the bound of the cache', async () => {
    const { models, unit } = recording();
    const name = 'x'.repeat(1_000_000);
    let read = 0;
    const counting = createUnitOfWork({
      ...models,
      get: (...args) => {
        read += 1;
        return models.get(...args);
      },
    });
    for (let n = 0; n < 40; n += 1) {
      await counting.lookup(teams, `t${n}`);
      counting.add(founded(`t${n}`, name, n + 1));
    }
    await counting.commit(40);
    const before = read;
    for (let n = 0; n < 40; n += 1) await counting.lookup(teams, `t${n}`);
    expect(read - before, 'documents that were not kept').to.be.at.least(20);
    unit.reset();
  });
});
