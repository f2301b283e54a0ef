import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openLmdbEventStore } from '../../infra/lmdb/event-store.ts';
import { SharedInstances } from '../../infra/lmdb/environment.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { gathered, newEvents, newStream, temporaryStorePath } from '../support/event-store/events.ts';

/** Sources run through tsx, compiled files as they are; the scripts have the extension that this file has. */
const extension = import.meta.url.slice(-3);
const execArgv = extension === '.ts' ? ['--import=tsx'] : [];

describe('lock between processes on an LMDB environment', () => {
  let path: string;
  let store: EventStore;

  beforeEach(() => {
    path = temporaryStorePath();
    store = openLmdbEventStore({ path: join(path, 'events') });
  });
  afterEach(async () => {
    await store.close();
    rmSync(path, { recursive: true });
  });

  for (const end of ['leaves', 'is killed'] as const) {
    it(`keeps commits and openings out while another process is inside, until it ${end}`, async () => {
      await store.append(newStream(), newEvents(1), 'no_stream');
      const holder = run('read-store/lock-holder', join(path, 'events'));
      await once(holder, 'message');
      const done: string[] = [];
      const appended = store.append(newStream(), newEvents(1), 'no_stream').then(() => done.push('appended'));
      const opened = exitOf(run('event-store/opener', join(path, 'events'), '1')).then((code) =>
        done.push(`opened: ${code}`),
      );
      // Two others open a store that nobody keeps shut: time enough for one append and one opening.
      for (const other of ['one', 'two']) {
        mkdirSync(join(path, other));
        expect(await exitOf(run('event-store/opener', join(path, other), '1'))).to.equal('0');
      }
      expect(done).to.deep.equal([]);
      expect(await gathered(store.readAll(null)), 'reads go on').to.have.length(1);
      if (end === 'leaves') holder.send('leave');
      else holder.kill('SIGKILL');
      await Promise.all([appended, opened]);
      expect(done).to.have.members(['appended', 'opened: 0']);
      expect(await gathered(store.readAll(null))).to.have.length(2);
    });
  }

  it('is taken again and again by a process that opens one store twice', async () => {
    const second = openLmdbEventStore({ path: join(path, 'events') });
    const appends = Array.from({ length: 200 }, (_, n) =>
      (n % 2 === 0 ? store : second).append(newStream(), newEvents(1), 'no_stream'),
    );
    const positions = (await Promise.all(appends)).map(({ position }) => position).sort((a, b) => a - b);
    expect(positions).to.deep.equal(appends.map((_, at) => at + 1));
    await second.close();
    await store.append(newStream(), newEvents(1), 'no_stream');
    expect(await gathered(store.readAll(null))).to.have.length(201);
  });
});

describe('what a process has open', () => {
  it('is opened once, closed by its last user, and not opened while it is being closed', async () => {
    const shared = new SharedInstances<object>();
    const [here, there] = [shared.acquire('.', () => ({})), shared.acquire('.', () => ({}))];
    expect(there).to.equal(here);
    const closed: string[] = [];
    await shared.release(here, async () => {
      closed.push('too early');
    });
    const closing = shared.release(there, async () => {
      closed.push('in time');
    });
    expect(() => shared.acquire('.', () => ({}))).to.throw('being closed');
    await closing;
    expect(closed).to.deep.equal(['in time']);
    expect(shared.acquire('.', () => ({}))).not.to.equal(here);
  });
});

function run(script: string, ...args: readonly string[]): ChildProcess {
  return fork(fileURLToPath(new URL(`../support/${script}${extension}`, import.meta.url)), args, { execArgv });
}

/** Resolves to the exit code. */
async function exitOf(child: ChildProcess): Promise<string> {
  return String((await once(child, 'exit'))[0]);
}
