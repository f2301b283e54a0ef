import { spawnSync } from 'node:child_process';
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import { openLmdbReadStore } from '../../infra/lmdb/read-store.ts';
import { useDirectories } from '../support/directories.ts';
import { failureOf } from '../support/failure.ts';
import { by, idsOf, insert, pages, set, setGroup, thing, THINGS } from '../support/read-store/fixtures.ts';
import { readStoreContract } from './read-store.ts';

const directory = useDirectories();
const path = directory();

readStoreContract({ name: 'lmdb', open: () => openLmdbReadStore({ path }) });

describe('read store on LMDB', () => {
  let home: string;
  beforeEach(() => {
    home = directory();
  });

  it('throws StoreUnavailable with the cause once it is closed', async () => {
    const store = await openLmdbReadStore({ path: home });
    const models = await store.namespace('n', [THINGS]);
    await models.apply([insert(thing('a'))], 1);
    await store.close();
    await store.close();
    const query = { where: {}, sort: by('value'), offset: 0, limit: 1 };
    const calls = [
      () => models.get('things', 'a'),
      () => models.find('things', query),
      () => models.count('things', {}),
      () => models.count('things', { value: 1 }),
      () => models.checkpoint(),
      () => models.apply([], 2),
      () => store.namespace('m', [THINGS]),
      () => models.stream('things', { where: {} })[Symbol.asyncIterator]().next(),
    ];
    for (const call of calls) {
      const error = await failureOf(call());
      expect(error, String(call)).to.be.instanceOf(StoreUnavailable).with.property('cause').that.is.instanceOf(Error);
    }
  });

  it('decodes a cached document once, until this or another process changes it', async () => {
    const store = await openLmdbReadStore({ path: home });
    const other = await openLmdbReadStore({ path: home });
    const models = await store.namespace('n', [THINGS]);
    const others = await other.namespace('n', [THINGS]);
    await models.apply([insert(thing('a', { value: 1 })), insert(thing('b', { value: 2 }))], 1);
    const page = () => models.find('things', { where: {}, sort: by('value'), offset: 0, limit: 2, isKept: true });
    const [a, b] = await page();
    await others.apply([set('b', { name: 'changed' }, 2)], 2);
    // lmdb keeps one snapshot per turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    const after = await page();
    expect(after[0]).to.equal(a);
    expect(after[1]).to.deep.equal({ ...b, _position: 2, name: 'changed' });
    await Promise.all([store.close(), other.close()]);
  });

  it('caches documents as they are in the snapshot, even if a change of them failed', async () => {
    const store = await openLmdbReadStore({ path: home });
    const other = await openLmdbReadStore({ path: home });
    const both = [await store.namespace('n', [THINGS]), await other.namespace('n', [THINGS])] as const;
    await both[0].apply(
      ['a', 'b', 'c', 'd'].map((id) => insert(thing(id))),
      1,
    );
    const asked = { where: {}, sort: by('value'), offset: 0, limit: 3 };
    let position = 1;
    const step = fc.record({
      does: fc.constantFrom('renames', 'moves', 'fails'),
      by: fc.constantFrom(...both),
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      readsBefore: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        for (const { does, by: models, id, readsBefore } of steps) {
          position += 1;
          const change = set(id, does === 'moves' ? { value: position % 5 } : { name: `${position}` }, position);
          // Where many documents may change, those before are written first; then an id is too long.
          const failing = [change, setGroup('none', {}, position), insert(thing('x'.repeat(5000)))];
          if (readsBefore) await models.find('things', { ...asked, isKept: true });
          if (does === 'fails') await failureOf(models.apply(failing, position));
          else await models.apply([change], position);
          if (!readsBefore) await new Promise((resolve) => setImmediate(resolve));
          for (const each of both) {
            const found = [each.find('things', { ...asked, isKept: true }), each.find('things', asked)];
            const [kept, plain] = await Promise.all(found);
            expect(kept).to.deep.equal(plain);
          }
        }
      }),
    );
    await Promise.all([store.close(), other.close()]);
  });

  it('forgets the shapes of documents whose transaction failed', async () => {
    const store = await openLmdbReadStore({ path: home });
    const models = await store.namespace('n', [THINGS]);
    const novel = thing('a', { neverSeenBefore: 1 });
    const tooLong = insert(thing('x'.repeat(5000)));
    expect(await failureOf(models.apply([insert(novel), tooLong], 1))).to.be.instanceOf(RangeError);
    expect(await models.get('things', 'a')).to.equal(null);
    expect(await models.checkpoint()).to.equal(null);
    await models.apply([insert(novel)], 1);
    const again = await openLmdbReadStore({ path: home });
    expect(await (await again.namespace('n', [THINGS])).get('things', 'a')).to.deep.equal(novel);
    expect(await models.get('things', 'a')).to.deep.equal(novel);
    await Promise.all([store.close(), again.close()]);
  });

  it('keeps stores that were closed before the machine restarted, and discards those that were open', async function () {
    if (process.platform !== 'linux') this.skip();
    for (const closedWell of [true, false]) {
      const store = await openLmdbReadStore({ path: home });
      await (await store.namespace('n', [THINGS])).apply([insert(thing('a', { value: 1 }))], 1);
      await store.close();
      const [directory = ''] = readdirSync(home);
      renameSync(join(home, directory), join(home, 'boot-of-before'));
      if (!closedWell) writeFileSync(join(home, 'boot-of-before', 'open-1-x'), '');
      const stores = await Promise.all([openLmdbReadStore({ path: home }), openLmdbReadStore({ path: home })]);
      for (const each of stores) {
        const models = await each.namespace('n', [THINGS]);
        const found = await pages(models, 'things', { where: {}, sort: by('value') });
        expect(idsOf(found)).to.deep.equal(closedWell ? ['a'] : []);
        expect(await models.checkpoint()).to.equal(closedWell ? 1 : null);
      }
      for (const each of stores) await each.close();
      expect(readdirSync(home)).to.deep.equal([directory]);
      expect(readdirSync(join(home, directory)).filter((name) => name.startsWith('open-'))).to.deep.equal([]);
    }
  });

  it('removes the marks of killed processes once all data is on disk, but no mark of a live one', async function () {
    if (process.platform !== 'linux') this.skip();
    const store = await openLmdbReadStore({ path: home });
    const [directory = ''] = readdirSync(home).filter((name) => name.startsWith('boot-'));
    const { pid, status } = spawnSync('true');
    expect(status).to.equal(0);
    const living = `open-${process.ppid}-x`;
    for (const mark of [`open-${pid}-x`, living]) writeFileSync(join(home, directory, mark), '');
    await store.close();
    expect(readdirSync(join(home, directory)).filter((name) => name.startsWith('open-'))).to.deep.equal([living]);
    rmSync(join(home, directory, living));
  });
});
