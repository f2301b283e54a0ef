import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import { COMMANDS } from '../../src/tools/cli/commands.ts';
import { listen } from '../support/processes/listen.ts';
import { startCommand } from '../support/processes/command-process.ts';
import { useWorld } from '../support/processes/world.ts';

/** Commands that wait for nobody: `restore` copies files, and `check` reads them (the last test). */
const LOCAL = ['restore', 'check', 'import', 'bridge'];

/** Commands that are started at the same time. */
const AT_ONCE = 5;

describe('a command that waits', () => {
  const world = useWorld();
  let silent: Server;
  let port = 0;

  before(async () => {
    // A server that takes connections, reads what comes, or it would not notice that they end, and says nothing.
    silent = createServer((socket) => socket.resume().on('error', () => undefined));
    port = await listen(silent);
  });
  after(async () => {
    silent.close();
    await once(silent, 'close');
  });

  /** Arguments and environment of each command, so that it waits for the silent server. */
  const waits = () => {
    const url = `http://127.0.0.1:${port}`;
    const esdb = `esdb://127.0.0.1:${port}?tls=false`;
    const env = { DATA_DIR: world.dataDir, EVENTSTORE_URL: esdb, STORE_TIMEOUT_MS: '60000', PORT: '0' };
    const token = ['--url', url, '--token', 'a-token'];
    const module = 'docs/examples/track-records.ts';
    const uses: Readonly<Record<string, readonly string[]>> = {
      rig: ['rig', ...token, '--data', world.dataDir],
      demo: ['demo', ...token],
      doctor: ['doctor', '--url', url],
      serve: ['serve'],
      projector: ['projector'],
      projections: ['projections'],
      // `show` asks the read models only.
      'dead-letters': ['dead-letters', 'retry'],
      rebuild: ['rebuild'],
      verify: ['verify'],
      events: ['events'],
      replay: ['replay', module, '--out', '-'],
      export: ['export', 'laps', '--out', `${world.directory()}/laps.csv`],
      keys: ['keys', 'list'],
      backup: ['backup', world.directory()],
      copy: ['copy', '--from', esdb, '--to', world.directory()],
    };
    return { env, uses };
  };

  it('writes to standard error what it waits for, whichever command it is', async () => {
    const { env, uses } = waits();
    expect(Object.keys(uses)).to.have.members(Object.keys(COMMANDS).filter((name) => !LOCAL.includes(name)));
    const says = async ([name, args]: readonly [string, readonly string[]]): Promise<void> => {
      const running = startCommand(args, env);
      const said = running.said(/waiting for .*|Listening on .*|The projector has started/);
      const [line] = await said.catch(() => expect.fail(`${name}: ${running.err}`));
      if (name !== 'serve' && name !== 'projector') expect(line, name).to.match(new RegExp(`waiting for .*${port}`));
      expect(running.out, name).not.to.include('waiting');
      await running.end('SIGKILL');
    };
    const left = Object.entries(uses);
    while (left.length > 0) await Promise.all(left.splice(0, AT_ONCE).map(says));
  });

  it('repeats that every ten seconds, with the reason', async () => {
    const closed = createServer();
    const free = await listen(closed);
    closed.close();
    const running = startCommand(['rig', '--url', `http://127.0.0.1:${free}`, '--token', 'a', '--data', world.dataDir]);
    await running.said(
      new RegExp(`waiting for an answer of http://127.0.0.1:${free}.* \\(for \\d+ s\\)[^]*waiting for .*`),
    );
    expect(running.err).to.include('which does not answer (ECONNREFUSED)');
    await running.end('SIGKILL');
  });
});
