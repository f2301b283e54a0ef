import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { openLmdbEventStore } from '../../infra/lmdb/event-store.ts';
import { SharedInstances } from '../../infra/lmdb/environment.ts';
import { ProcessLock } from '../../infra/lmdb/process-lock.ts';
import { StoreLocked, StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { useDirectories } from '../support/directories.ts';
import { gathered, newEvents, newStream } from '../support/event-store/events.ts';
import { failureOf } from '../support/failure.ts';
import { forkScript } from '../support/processes/script.ts';

const directory = useDirectories();

describe('lock between processes on an LMDB environment', () => {
  let path: string;
  let store: EventStore;
  let holder: ChildProcess | null = null;

  beforeEach(async () => {
    path = directory();
    // Longer than any holder stays.
    store = await openLmdbEventStore({ path: join(path, 'events'), timeoutMs: 60_000 });
  });
  afterEach(async () => {
    // First: the store cannot be closed while another process holds its lock.
    holder?.kill('SIGKILL');
    await store.close();
  });

  it('blocks commits and opens while another process holds it, until that process is killed', async () => {
    await store.append(newStream(), newEvents(1), 'no_stream');
    holder = forkScript('read-store/lock-holder', [join(path, 'events')]);
    await once(holder, 'message');
    const done: string[] = [];
    const appended = store.append(newStream(), newEvents(1), 'no_stream').then(() => done.push('appended'));
    const opened = exitOf(forkScript('event-store/opener', [join(path, 'events'), '1'])).then((code) =>
      done.push(`opened: ${code}`),
    );
    // Two others open a store that nobody keeps shut: time enough for one append and one opening.
    for (const other of ['one', 'two'])
      expect(await exitOf(forkScript('event-store/opener', [join(path, other), '1']))).to.equal('0');
    expect(done).to.deep.equal([]);
    expect(await gathered(store.readAll(null)), 'reads go on').to.have.length(1);
    holder.kill('SIGKILL');
    await Promise.all([appended, opened]);
    expect(done).to.have.members(['appended', 'opened: 0']);
    expect(await gathered(store.readAll(null))).to.have.length(2);
  });
});

describe('lock on an LMDB environment that a stopped process holds', () => {
  let path: string;
  let holder: ChildProcess;

  const hold = async (): Promise<void> => {
    holder = forkScript('read-store/lock-holder', [path, path]);
    await once(holder, 'message');
    holder.kill('SIGSTOP');
  };

  beforeEach(() => {
    path = directory();
  });
  afterEach(() => holder.kill('SIGKILL'));

  it('delays the opening of the store by at most its timeout, without blocking the event loop', async () => {
    await (await openLmdbEventStore({ path })).close();
    await hold();
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 10);
    expect(await failureOf(openLmdbEventStore({ path }))).to.include({ name: 'StoreUnavailable' });
    clearInterval(ticking);
    expect(turns).to.be.greaterThan(1);
    holder.kill('SIGKILL');
    const store = await openLmdbEventStore({ path });
    expect(await gathered(store.readAll(null))).to.deep.equal([]);
    await store.close();
  });

  it('fails appends after the timeout, never writes them, and lets reads pass', async () => {
    const store = await openLmdbEventStore({ path });
    await store.append('known', newEvents(1), 'no_stream');
    await hold();
    const refused = [1, 2, 3].map((n) => failureOf(store.append(`late-${n}`, newEvents(1), 'no_stream')));
    expect(await gathered(store.readAll(null))).to.have.length(1);
    for (const error of await Promise.all(refused)) expect(error).to.be.instanceOf(StoreUnavailable);
    holder.kill('SIGCONT');
    holder.send('leave');
    await once(holder, 'exit');
    await store.append('after', newEvents(1), 'no_stream');
    expect((await gathered(store.readAll(null))).map(({ stream }) => stream)).to.deep.equal(['known', 'after']);
    await store.close();
  });

  it('fails the closing of the store after the timeout, and this process cannot open it again', async () => {
    const store = await openLmdbEventStore({ path });
    await hold();
    expect(await failureOf(store.close())).to.be.instanceOf(StoreLocked);
    holder.kill('SIGKILL');
    expect(await failureOf(openLmdbEventStore({ path }))).to.be.instanceOf(StoreUnavailable);
  });
});

describe('a lock that another process may hold', () => {
  it('is first opened by a child process, which also opens locks that follow soon', async () => {
    const path = directory();
    const started: unknown[] = [];
    const onChild = (child: unknown) => started.push(child);
    subscribe('child_process', onChild);
    for (const name of ['one', 'two', 'three']) {
      await new ProcessLock(join(path, name)).close();
      await (await ProcessLock.open(join(path, name), { isShared: () => Promise.resolve(true) })).close();
    }
    unsubscribe('child_process', onChild);
    // One of an earlier test may still wait.
    expect(started).to.have.length.of.at.most(1);
  });
});

describe('an environment that a process has open', () => {
  it('is opened once, closed by its last user, and not opened while it is being closed', async () => {
    const closed: string[] = [];
    let expected = 'too early';
    const open = async () => ({
      close: async () => {
        closed.push(expected);
      },
    });
    const shared = new SharedInstances<{ close(): Promise<void> }>();
    const [here, there] = await Promise.all([shared.acquire('.', open), shared.acquire('.', open)]);
    expect(there.value).to.equal(here.value);
    await here.release();
    expected = 'in time';
    const closing = there.release();
    expect(String(await failureOf(shared.acquire('.', open)))).to.include('being closed');
    await closing;
    expect(closed).to.deep.equal(['in time']);
    expect((await shared.acquire('.', open)).value).not.to.equal(here.value);
  });

  it('can be opened again after opening it failed', async () => {
    const shared = new SharedInstances<{ close(): Promise<void> }>();
    const refused = new Error('no');
    expect(await failureOf(shared.acquire('.', () => Promise.reject(refused)))).to.equal(refused);
    const { release } = await shared.acquire('.', async () => ({ close: () => Promise.resolve() }));
    await release();
  });
});

/** Resolves to the exit code. */
async function exitOf(child: ChildProcess): Promise<string> {
  return String((await once(child, 'exit'))[0]);
}
