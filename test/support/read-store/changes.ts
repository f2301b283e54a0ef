import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { DocumentTooLarge } from '../../../src/kernel/ports/errors.ts';
import { MAX_DOCUMENT_BYTES, type Change } from '../../../src/kernel/ports/read-store.ts';
import { by, fresh, idsOf, insert, pages, PLAIN, set, setGroup, streamed, thing, THINGS, unset } from './fixtures.ts';
import { AWKWARD, fill, type Law } from './fixtures.ts';
import { failureOf } from '../failure.ts';

export const changeLaws = {
  'an insert is found by id, exactly; an unknown id is null': async ({ store }) => {
    const models = await fresh(store);
    const document = thing('a', { value: 1, name: 'A', list: [1, 2], none: null });
    await models.apply([insert(document)], 1);
    expect(await models.get('things', 'a')).to.deep.equal(document);
    expect(await models.get('things', 'b')).to.equal(null);
    expect(await models.get('plain', 'a')).to.equal(null);
  },

  'a document that is too large is refused for good, and everything else goes on': async ({ store }) => {
    const models = await fresh(store);
    const half = 'x'.repeat(MAX_DOCUMENT_BYTES / 2 - 100);
    await models.apply([insert(thing('a', { one: half, two: half, three: '' }))], 1);
    const grown = await models.apply([set('a', { three: half }, 2)], 2).catch((error: unknown) => error);
    // FerretDB holds it.
    if (grown !== undefined) expect(grown).to.be.instanceOf(DocumentTooLarge).with.property('collection', 'things');
    expect(await models.checkpoint()).to.equal(grown === undefined ? 2 : 1);
    await models.apply([set('a', { three: '' }, 3)], 3);
    const late = models.apply([insert(thing('b', { list: [half, half, half] }))], 4);
    expect(await failureOf(late)).to.be.instanceOf(DocumentTooLarge);
    expect(await models.checkpoint()).to.equal(3);
    expect(await models.get('things', 'b')).to.equal(null);
    await models.apply([set('a', { one: '' }, 5), insert(thing('b'))], 5);
    expect(await models.get('things', 'a')).to.deep.include({ one: '', three: '', _position: 5 });
    expect(await models.count('things', {})).to.equal(2);
  },

  'set, unset and setWhere change only documents whose position is smaller': async ({ store }) => {
    for (const change of [set('a', { value: 2 }, 5), unset('a', ['value'], 5), setGroup('g', { value: 2 }, 5)]) {
      for (const [position, takesEffect] of [
        [4, true],
        [5, false],
        [6, false],
      ] as const) {
        const models = await fresh(store);
        const before = thing('a', { value: 1, group: 'g', _position: position, _revision: 3 });
        await models.apply([insert(before), change], 9);
        const { value: _, ...bare } = before;
        const after = change.kind === 'unset' ? { ...bare, _position: 5 } : { ...before, value: 2, _position: 5 };
        const found = await models.get('things', 'a');
        expect(found, `${change.kind} at ${position}`).to.deep.equal(takesEffect ? after : before);
      }
    }
  },

  'of several changes in one apply each document takes those that come after its position': async ({ store }) => {
    const models = await fresh(store);
    const before = { value: 1, group: 'g', name: 'N' };
    const started = [
      ['a', 0],
      ['b', 3],
      ['c', 4],
      ['d', 9],
    ] as const;
    await models.apply(
      started.map(([id, _position]) => insert(thing(id, { ...before, _position }))),
      9,
    );
    const many = (id: string): Change[] => [
      set(id, { name: 'early', value: 2, early: true }, 2),
      unset(id, ['group'], 3),
      { kind: 'set', collection: 'things', id, fields: { group: 'h' }, position: 4, revision: 8 },
      set(id, { value: 3 }, 5),
      unset(id, ['name'], 6),
    ];
    await models.apply(['nobody', 'a', 'b', 'c', 'd'].flatMap(many), 9);
    const late = { value: 3, group: 'h', _position: 6 };
    expect(await pages(models, 'things', { where: {}, sort: by('id') })).to.deep.equal([
      thing('a', { ...late, early: true, _revision: 8 }),
      thing('b', { ...late, _revision: 8 }),
      thing('c', { ...late, group: 'g' }),
      thing('d', { ...before, _position: 9 }),
    ]);
  },

  'changes of an unknown id have no effect': async ({ store }) => {
    const models = await fresh(store);
    await models.apply([set('a', { value: 2 }, 5), unset('a', ['value'], 6)], 6);
    expect(await models.get('things', 'a')).to.equal(null);
    expect(await models.count('things', {})).to.equal(0);
    await models.apply([set('a', { value: 2 }, 7), insert(thing('a', { value: 1 })), set('a', { other: 3 }, 8)], 8);
    expect(await models.get('things', 'a')).to.deep.equal(thing('a', { value: 1, other: 3, _position: 8 }));
  },

  'setWhere finds null in documents without the field, and works without an index': async ({ store }) => {
    const models = await fresh(store);
    const documents = [thing('a'), thing('b', { owner: null }), thing('c', { owner: 'x' })];
    await fill(models, documents, ['plain']);
    const nobodys = { collection: 'plain', field: 'owner', value: null };
    await models.apply([{ kind: 'setWhere', ...nobodys, fields: { owner: 'x' }, position: 2 }], 2);
    const found = await pages(models, 'plain', { where: { owner: 'x' }, sort: by('id') });
    expect(found.map(({ id, _position }) => [id, _position])).to.deep.equal([
      ['a', 2],
      ['b', 2],
      ['c', 1],
    ]);
  },

  'the checkpoint is null at first, never moves back, and survives reopening': async (context) => {
    const { store } = context;
    const name = `law-${Math.random()}`;
    const models = await store.namespace(name, [THINGS]);
    expect(await models.checkpoint()).to.equal(null);
    await models.apply([insert(thing('c', { value: 3 }))], null);
    expect(await models.checkpoint()).to.equal(null);
    await models.apply([insert(thing('a', { value: 1 }))], 7);
    await models.apply([insert(thing('b', { value: 2 }))], 5);
    expect(await models.checkpoint()).to.equal(7);
    await models.apply([], 8);
    const again = await context.open();
    const reopened = await again.namespace(name, [THINGS]);
    expect(await reopened.checkpoint()).to.equal(8);
    expect(idsOf(await pages(reopened, 'things', { where: {}, sort: by('value') }))).to.deep.equal(['a', 'b', 'c']);
    await again.close();
  },

  'the version of collections is another one after each change of them, and in each namespace': async ({
    store,
    open,
  }) => {
    const name = `law-${randomUUID()}`;
    const models = await store.namespace(name, [THINGS, PLAIN]);
    const seen: string[] = [];
    const expectNew = async (): Promise<void> => {
      const version = await models.version(['things', 'plain']);
      expect(seen).not.to.include(version);
      expect(await models.version(['things', 'plain'])).to.equal(version);
      seen.push(version);
    };
    await expectNew();
    await models.apply([insert(thing('a'))], 1);
    await expectNew();
    await models.apply([set('a', { value: 2 }, 2)], null);
    await expectNew();
    await models.apply([setGroup('g', { value: 3 }, 3), insert(thing('b'), 'plain')], 3);
    await expectNew();
    const things = await models.version(['things']);
    const plain = await models.version(['plain']);
    await models.apply([insert(thing('c'), 'plain')], 4);
    expect(await models.version(['things'])).to.equal(things);
    expect(await models.version(['plain'])).not.to.equal(plain);
    await models.apply([], 5);
    const again = await open();
    const others = await again.namespace(name, [THINGS, PLAIN]);
    expect(await others.version(['things'])).to.equal(things);
    await others.apply([set('a', { value: 4 }, 6)], 6);
    expect(await models.checkpoint()).to.equal(6);
    expect(await models.version(['things'])).not.to.equal(things);
    const version = await models.version(['things', 'plain']);
    await store.drop(name);
    const anew = await store.namespace(name, [THINGS, PLAIN]);
    for (let n = 1; n <= 8; n += 1) {
      await anew.apply([insert(thing(`n${n}`)), insert(thing(`n${n}`), 'plain')], n);
      expect([...seen, version]).not.to.include(await anew.version(['things', 'plain']));
    }
    await again.close();
  },

  'what processes change in turns is read, and changed, as the other one has left it': async ({ store, open }) => {
    const name = `law-${randomUUID()}`;
    const again = await open();
    const models = await store.namespace(name, [THINGS]);
    const others = await again.namespace(name, [THINGS]);
    await models.apply([insert(thing('a', { value: 1 })), insert(thing('b', { value: 1 }))], 1);
    await others.apply([set('a', { value: 2 }, 2), set('b', { value: 2 }, 2)], 2);
    // A store may keep one snapshot per turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    expect(await models.get('things', 'a')).to.deep.include({ value: 2, _position: 2 });
    await models.apply([set('b', { name: 'x' }, 3)], 3);
    expect(await models.get('things', 'b')).to.deep.include({ value: 2, name: 'x', _position: 3 });
    await others.apply([set('b', { group: 'g' }, 4)], 4);
    expect(await others.get('things', 'b')).to.deep.include({ value: 2, name: 'x', group: 'g' });
    await again.close();
  },

  'a rename fans out to thousands of documents, also when it changes the very field': async ({ store, many }) => {
    const models = await fresh(store);
    const groupOf = (at: number): string => (at < many ? 'old' : 'other');
    const documents = Array.from({ length: many + 200 }, (_, at) => thing(`t${at}`, { group: groupOf(at), value: at }));
    await fill(models, documents);
    const renames = [
      setGroup('old', { name: 'x' }, 2),
      setGroup('old', { group: 'new', value: 0 }, 3),
      setGroup('new', { last: true }, 4),
    ];
    await models.apply(renames, 4);
    expect(await models.count('things', { group: 'new' })).to.equal(many);
    expect(await models.count('things', { group: 'old' })).to.equal(0);
    expect(await models.count('things', {})).to.equal(documents.length);
    const changed = await streamed(models, 'things', { where: { group: 'new' } });
    const fields = { group: 'new', name: 'x', value: 0, last: true, _position: 4 };
    expect(changed).to.deep.equal(idsOf(changed).map((id) => thing(id, fields)));
    expect(idsOf(changed).toSorted()).to.deep.equal(idsOf(documents.slice(0, many)).toSorted());
    expect(await models.checkpoint()).to.equal(4);
  },

  'namespaces are apart; one name is one state': async ({ store }) => {
    const name = `law-${Math.random()}`;
    const first = await store.namespace(name, [THINGS]);
    const second = await store.namespace(name, [THINGS]);
    const other = await fresh(store);
    await first.apply([insert(thing('a'))], 3);
    expect(await second.get('things', 'a')).to.deep.equal(thing('a'));
    expect(await second.checkpoint()).to.equal(3);
    expect(await other.get('things', 'a')).to.equal(null);
    expect(await other.checkpoint()).to.equal(null);
  },

  'an index that is declared later includes earlier documents': async ({ store }) => {
    const name = `law-${Math.random()}`;
    const before = await store.namespace(name, [PLAIN]);
    await before.apply(
      [3, 1, 2].map((value) => insert(thing(`t${value}`, { value }), 'plain')),
      1,
    );
    const after = await store.namespace(name, [{ ...PLAIN, indexes: [['value']] }]);
    await before.apply([insert(thing('t0', { value: 0 }), 'plain')], 2);
    const found = await pages(after, 'plain', { where: {}, sort: by('value') });
    expect(idsOf(found)).to.deep.equal(['t0', 't1', 't2', 't3']);
    expect(await after.count('plain', { value: 2 })).to.equal(1);
  },

  'JSON-valued fields are returned exactly, and pollute no prototype': async ({ store }) => {
    const models = await fresh(store);
    const document = thing('a', { json: AWKWARD, list: [AWKWARD, AWKWARD], text: 'a\u0000b' });
    await models.apply([insert(document)], 1);
    await models.apply([set('a', { other: AWKWARD }, 2)], 2);
    const changed = { ...document, other: AWKWARD, _position: 2 };
    expect(await models.get('things', 'a')).to.deep.equal(changed);
    // A store may remember what it has written: this is read.
    expect(await pages(models, 'things', { where: {}, sort: by('value') })).to.deep.equal([changed]);
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
  },

  'thousands of different sets of keys do no harm': async ({ store }) => {
    const models = await fresh(store);
    const documents = Array.from({ length: 3000 }, (_, at) => {
      const fields = { value: at, json: { [`key${at}`]: { [`inner${at}`]: at, _position: at, id: 'x' } } };
      return thing(`t${at}`, at % 20 === 0 ? { ...fields, [`field${at}`]: at } : fields);
    });
    for (let from = 0; from < documents.length; from += 500) {
      await models.apply(
        documents.slice(from, from + 500).map((document) => insert(document)),
        from,
      );
    }
    const found = await models.find('things', { where: {}, sort: by('value'), offset: 0, limit: 5000 });
    expect(found).to.deep.equal(documents);
  },
} satisfies Record<string, Law>;
