import { EventEmitter, once } from 'node:events';
import { cpSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { LockedEnvironment, Transactions } from '../../infra/lmdb/environment.ts';
import { openLmdbReadStore } from '../../infra/lmdb/read-store.ts';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { ReadStore } from '../../src/kernel/ports/read-store.ts';
import { depth } from '../support/depth.ts';
import { useDirectories } from '../support/directories.ts';
import { insert, set, thing, THINGS } from '../support/read-store/fixtures.ts';
import { failureOf } from '../support/failure.ts';
import { forkScript } from '../support/processes/script.ts';
import { until } from '../support/processes/waits.ts';

/** Namespaces that one process makes and drops: release 0.1.0 failed from the 45th on. */
const NAMESPACES = depth({ short: 50, deep: 200 });

/** Changes of the same documents, after a reader was killed. */
const CHANGES = depth({ short: 150, deep: 5_000 });

const directory = useDirectories();

describe('read store on LMDB: an environment for each namespace', () => {
  let path: string;
  let store: ReadStore;
  beforeEach(async () => {
    path = directory();
    store = await openLmdbReadStore({ path });
  });
  afterEach(() => store.close());

  /** The directory of this boot, and the environments in it. */
  const boot = (): string => join(path, readdirSync(path).find((name) => name.startsWith('boot-')) ?? '');
  const environments = (): readonly string[] =>
    readdirSync(boot(), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  const directoryOf = (namespace: string): string => {
    const found = environments().find((name) => name.startsWith(`${namespace}-`));
    return join(boot(), found ?? expect.fail(`no directory of ${namespace}`));
  };
  it(`creates and drops ${NAMESPACES} in one process, and leaves no files`, async () => {
    for (let n = 1; n <= NAMESPACES; n += 1) {
      const models = await store.namespace('again', [THINGS]);
      expect(await models.checkpoint(), 'a dropped namespace begins anew').to.equal(null);
      await models.apply([insert(thing('a', { value: n }))], n);
      expect(await models.get('things', 'a')).to.include({ value: n });
      await store.drop('again');
      expect(environments()).to.deep.equal(['root']);
    }
  });

  it('ends reads of a dropped namespace without affecting others', async () => {
    const models = await store.namespace('n', [THINGS]);
    await models.apply(
      Array.from({ length: 1_000 }, (_, at) => insert(thing(`t${at}`))),
      1,
    );
    const batches = models.stream('things', { where: {} })[Symbol.asyncIterator]();
    expect((await batches.next()).done).to.not.equal(true);
    await store.drop('n');
    for (const read of [() => batches.next(), () => models.get('things', 't1'), () => models.checkpoint()]) {
      expect(await failureOf(read())).to.be.instanceOf(StoreUnavailable);
    }
    const changes = [insert(thing('b'))];
    expect(await failureOf(models.apply(changes, 2))).to.be.instanceOf(StoreUnavailable);
  });

  it('closes an environment only after the reads that hold a snapshot have ended', async () => {
    const env = await LockedEnvironment.open({
      directory: path,
      lmdb: { path: join(path, 'own') },
      databases: ['some'],
    });
    const gate = new EventEmitter();
    const some = env.database<number, number>('some');
    await env.write(() => {
      for (let key = 0; key < 1_000; key += 1) some.putSync(key, key);
    });
    const read = env.reading(async () => {
      const found: number[] = [];
      for (const key of some.getKeys()) {
        found.push(key);
        if (found.length === 500) await once(gate, 'open');
      }
      return found;
    });
    const closed: string[] = [];
    const closing = env.close().then(() => closed.push('closed'));
    await store.readRegister('any');
    gate.emit('open');
    closed.push(`read ${(await read).length}`);
    await closing;
    expect(closed).to.deep.equal(['read 1000', 'closed']);
  });

  it('closes an open namespace that another process has dropped', async () => {
    const other = await openLmdbReadStore({ path });
    const models = await store.namespace('n', [THINGS]);
    await models.apply([insert(thing('a'))], 1);
    await other.drop('n');
    expect(environments()).to.deep.equal(['root']);
    await store.readRegister('any');
    expect(await (await store.namespace('n', [THINGS])).get('things', 'a')).to.equal(null);
    await other.close();
  });

  it('removes on opening the files of a process that was killed while it dropped a namespace', async () => {
    await store.namespace('kept', [THINGS]);
    const kept = environments();
    await store.close();
    cpSync(directoryOf('kept'), join(boot(), 'dropped-1'), { recursive: true });
    store = await openLmdbReadStore({ path });
    expect(environments()).to.have.members(kept);
  });

  it('stops growing after a reader was killed', async () => {
    const models = await store.namespace('n', [THINGS]);
    const text = 'x'.repeat(2_000);
    const all = Array.from({ length: 50 }, (_, at) => `t${at}`);
    await models.apply(
      all.map((id) => insert(thing(id, { text }))),
      1,
    );
    const reader = forkScript('read-store/reader', [path, 'n', 'things', 't0']);
    await once(reader, 'message');
    reader.kill('SIGKILL');
    await once(reader, 'exit');
    let position = 1;
    const change = async (): Promise<number> => {
      position += 1;
      const fields = { text: `${text}${position}` };
      await models.apply(
        all.map((id) => set(id, fields, position)),
        position,
      );
      return statSync(join(directoryOf('n'), 'data.mdb')).size;
    };
    // Until the slot of the reader is looked at, which happens once a second, nothing can be used again.
    const sizes = async (): Promise<readonly number[]> => {
      const found: number[] = [];
      for (let n = 0; n < 20; n += 1) found.push(await change());
      return found;
    };
    const [before = 0] = await until(sizes, (found) => new Set(found).size === 1);
    for (let n = 0; n < CHANGES; n += 1) await change();
    expect(await change()).to.equal(before);
  });

  it('delays only the opening of a namespace while another process holds its lock', async () => {
    await store.namespace('held', [THINGS]);
    const held = directoryOf('held');
    await store.close();
    const holder = forkScript('read-store/lock-holder', [held, path]);
    await once(holder, 'message');
    store = await openLmdbReadStore({ path });
    let isOpen = false;
    const opening = store.namespace('held', [THINGS]).then(() => {
      isOpen = true;
    });
    expect(await store.readRegister('any')).to.equal(null);
    await (await store.namespace('free', [THINGS])).apply([insert(thing('a'))], 1);
    expect(isOpen).to.equal(false);
    holder.kill('SIGKILL');
    await opening;
  });
});

describe('transactions on LMDB', () => {
  const root = { readerCheck: () => 0 };
  const defect = new Error('MDB_BAD_TXN: Transaction must abort: reserved freelist had a data entry with zero-size');

  it('are repeated once after a defect of lmdb, and after no other error', async () => {
    for (const [error, expected] of [
      [defect, 2],
      [new Error('MDB_MAP_FULL'), 1],
    ] as const) {
      let runs = 0;
      const run = new Transactions(root).run(() => {
        runs += 1;
        throw error;
      });
      expect(await failureOf(run)).to.equal(error);
      expect(runs).to.equal(expected);
    }
  });
});
