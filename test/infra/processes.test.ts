import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { systemProcesses } from '../../infra/system/processes.ts';
import { IN_OWN_PROCESS_TABLE, noOwnProcessTable } from '../support/processes/own-process-table.ts';
import { itUnless } from '../support/unless.ts';
import { execArgv, scriptFile } from '../support/processes/script.ts';

const running = new Set<ChildProcess>();

/** Starts a process that can be asked what it knows of others by their names. */
async function startNamed(prefix: readonly string[] = []) {
  const script = [process.execPath, ...execArgv, scriptFile('processes/lease-name')];
  const [file = '', ...args] = [...prefix, ...script];
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  running.add(child);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);
  const said = await next();
  const [pid = ''] = said.split(' ', 1);
  return {
    pid,
    name: said.slice(pid.length + 1),
    saysOf(name: string): Promise<string> {
      child.stdin.write(`${name}\n`);
      return next();
    },
    async end(): Promise<void> {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

describe('names of processes', () => {
  afterEach(() => {
    for (const child of running) child.kill('SIGKILL');
    running.clear();
  });

  it('show whether a process of this process table has ended', async () => {
    const mine = systemProcesses.newName();
    const other = await startNamed();
    expect([systemProcesses.hasEnded(mine), systemProcesses.hasEnded(other.name)]).to.deep.equal([false, false]);
    expect(await other.saysOf(mine)).to.equal('may live');
    systemProcesses.retire(mine);
    await other.end();
    expect([systemProcesses.hasEnded(mine), systemProcesses.hasEnded(other.name)]).to.deep.equal([true, true]);
  });

  it('say nothing about a process that an earlier release named, as its table is unknown', async () => {
    const [host = '', table = '', ...others] = systemProcesses.newName().split(' ');
    expect(systemProcesses.hasEnded([host, table.split('/')[0], ...others].join(' '))).to.equal(false);
  });

  const title = 'show nothing about a process of another table, as in a container with the same host name';
  itUnless(noOwnProcessTable(), title, async () => {
    const first = await startNamed(IN_OWN_PROCESS_TABLE);
    const second = await startNamed(IN_OWN_PROCESS_TABLE);
    expect([first.pid, second.pid]).to.deep.equal(['1', '1']);
    expect(await first.saysOf(second.name)).to.equal('may live');
    expect(await second.saysOf(first.name)).to.equal('may live');
    expect(systemProcesses.hasEnded(first.name)).to.equal(false);
    await Promise.all([first.end(), second.end()]);
  });
});
