import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { open as openLmdb } from 'lmdb';
import { enterDirectory } from '../../../infra/lmdb/process-table.ts';
import { openLmdbReadStore } from '../../../infra/lmdb/read-store.ts';
import type { Change, Collection, ReadModels } from '../../../src/kernel/ports/read-store.ts';
import { useDirectories } from '../../support/directories.ts';

const COLUMNS: Collection = { name: 'laps', indexes: [], columns: ['rig'] };

function lap(n: number): Change {
  const document = { id: `l${n}`, rig: 'a', _created: n, _position: n, _revision: 0 };
  return { kind: 'insert', collection: 'laps', document };
}

function moved(n: number, rig: string, position: number): Change {
  return { kind: 'set', collection: 'laps', id: `l${n}`, fields: { rig }, position };
}

function byRig(models: ReadModels, rig: string): Promise<number> {
  return models.count('laps', { rig });
}

describe('an embedded read store that runs for long', () => {
  const directory = useDirectories();

  it('keeps a bounded number of column changes, and a process that missed some reads the columns again', async () => {
    const path = directory();
    const store = await openLmdbReadStore({ path });
    const other = await openLmdbReadStore({ path });
    const models = await store.namespace('n', [COLUMNS]);
    const behind = await other.namespace('n', [COLUMNS]);
    await models.apply([lap(1), lap(2)], 2);
    expect(await byRig(behind, 'a')).to.equal(2);
    let position = 2;
    for (let n = 0; n < 1_500; n += 1) {
      position += 1;
      await models.apply([moved(1, n % 2 === 0 ? 'b' : 'a', position)], position);
    }
    await models.apply([moved(2, 'c', (position += 1))], position);
    expect(await byRig(models, 'c')).to.equal(1);
    expect(await byRig(behind, 'c'), 'by a process that was behind').to.equal(1);
    expect(await byRig(behind, 'a')).to.equal(1);
    await store.close();
    await other.close();
    expect(changesBelow(path)).to.be.within(900, 1_300);
  });

  it('fills an index that is added later completely, in small steps', async () => {
    const path = directory();
    const store = await openLmdbReadStore({ path });
    const models = await store.namespace('n', [COLUMNS]);
    await models.apply(
      Array.from({ length: 3_000 }, (_, n) => lap(n + 1)),
      3_000,
    );
    await models.apply([moved(7, 'b', 3_001)], 3_001);
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const indexed = await store.namespace('n', [{ ...COLUMNS, indexes: [['rig', '_created']] }]);
    isOver = true;
    expect(turns, 'turns of other work meanwhile').to.be.at.least(5);
    const sort = { field: '_created', direction: 'asc' } as const;
    const page = await indexed.find('laps', { where: { rig: 'a' }, sort, offset: 2_990, limit: 20, budget: 100 });
    expect(page.map(({ id }) => id))
      .to.have.length(9)
      .and.to.include('l3000');
    expect(await byRig(indexed, 'b')).to.equal(1);
    await store.close();
  });
});

/** Entries of the changes of columns in the environment that has some. */
function changesBelow(path: string): number {
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('data.mdb'));
  const counts = files.map((file) => {
    const root = openLmdb({ path: dirname(join(path, file)), maxDbs: 200 });
    const count = root.openDB({ name: 'laps/changes', keyEncoding: 'uint32' }).getKeysCount();
    void root.close();
    return count;
  });
  return Math.max(...counts);
}

describe('a directory of embedded stores', () => {
  const directory = useDirectories();

  it('shows the socket of a process only once it listens, and removes those that never did', async function () {
    const path = directory();
    const old = join(path, `entering-${'1'.repeat(36)}.sock`);
    const young = join(path, `entering-${'2'.repeat(36)}.sock`);
    for (const name of [old, young]) writeFileSync(name, '');
    utimesSync(old, 0, 0);
    const entered = await enterDirectory(path);
    const names = readdirSync(path);
    if (!names.some((name) => name.startsWith('open-'))) this.skip();
    expect(names.filter((name) => name.startsWith('open-'))).to.have.length(1);
    expect(names.filter((name) => name.startsWith('entering-'))).to.deep.equal([`entering-${'2'.repeat(36)}.sock`]);
    expect(await entered.isShared()).to.equal(false);
    await entered.leave();
    expect(readdirSync(path).filter((name) => name.startsWith('open-'))).to.deep.equal([]);
  });
});
