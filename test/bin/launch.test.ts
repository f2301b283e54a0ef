import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { z } from 'zod';
import { useDirectories } from '../support/directories.ts';
import { Running } from '../support/processes/world.ts';

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

/** The scripts that operators run, on every system. */
const OF_OPERATORS = ['start', 'projector', 'demo', 'rig'];

/** What cmd.exe of Windows does not know, or another shell does otherwise. */
const POSIX_ONLY = /\bexec\b|\brm\b|(^|&& )[A-Z_]+=|'[^']*\*|;|\$|^\./;

const newDirectory = useDirectories();

/** Starts a script of package.json by npm, which a test may send signals as a supervisor does. */
function npm(script: string, args: readonly string[] = []): Running {
  const env = { ...process.env, DATA_DIR: newDirectory(), PORT: '0', HOST: '127.0.0.1', PROJECTOR_PORT: '0' };
  const child = spawn('npm', ['run', '--silent', script, '--', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    // In a process group of its own, like what a terminal starts.
    detached: true,
  });
  return new Running(child, {});
}

describe('scripts of package.json', () => {
  it('take no shell that only POSIX has; those for operators are one start of Node', () => {
    for (const [name, script] of Object.entries(scripts)) expect(script, name).not.to.match(POSIX_ONLY);
    for (const name of OF_OPERATORS) {
      expect(scripts[name], name).to.match(/^node (--[\w-]+(=\d+)? )*src\/tools\/build\/launch\.js src\/main\.js \w+$/);
    }
  });

  const ENDINGS = [
    ['SIGTERM to npm alone, as a supervisor sends it', 'SIGTERM', 1],
    ['SIGTERM to npm and all that it has started', 'SIGTERM', -1],
    ['SIGINT to all, as Ctrl-C sends it', 'SIGINT', -1],
  ] as const;
  for (const [title, signal, whom] of ENDINGS) {
    it(`hand signals on to the service, which ends in order: ${title}`, async () => {
      const started = npm('start');
      const [, url = ''] = await started.said(/Listening on (\S+)/);
      expect((await fetch(`${url}/actuator/health/liveness`)).status).to.equal(200);
      process.kill(whom * started.pid, signal);
      await started.said(/The service has stopped/);
      await started.ended;
    });
  }

  it('hand a signal on to the projector, and arguments and exit codes of all commands', async () => {
    const projector = npm('projector');
    await projector.said(/The projector has started/);
    await projector.end('SIGTERM');
    expect(projector.out + projector.err).not.to.match(/^\s+at /m);
    const wrong = npm('rig', ['--no-such-option']);
    expect(await wrong.ended).to.deep.equal({ code: 2, signal: null });
    expect(wrong.err).to.include('sim-racing-timing rig: ').and.include('--no-such-option');
    const help = npm('demo', ['--help']);
    expect(await help.ended).to.deep.equal({ code: 0, signal: null });
    expect(help.out).to.include('usage: sim-racing-timing demo');
  });
});
