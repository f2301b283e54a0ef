import { basename, resolve } from 'node:path';
import { asker } from './tools/cli/asking.ts';
import { setUpBridge } from './tools/cli/bridge-setup.ts';
import { run } from './tools/cli/bridge.ts';
import { shutdownSignal } from './tools/cli/shutdown-signal.ts';

/*
 * The bridge as a program of its own: `npm run bridge:mjs` and `npm run bridge:exe` make one file of it. Without arguments,
 * say after a double click, it asks for what it does not know.
 */

/** Runs the bridge to its end; the result is the exit code. */
async function main(): Promise<number> {
  const [program = '', script = '', ...args] = process.argv;
  const { env, stdout: out, stderr: err } = process;
  const { signal, release } = shutdownSignal();
  // An executable is its own script.
  const command = resolve(script) === resolve(program) ? [program] : [program, resolve(script)];
  const invocation = { args, env, out, err, signal, program: basename(script) };
  try {
    if (args.length > 0) return await run(invocation);
    const { stdin } = process;
    const code = await setUpBridge({ ...invocation, command, ask: asker(stdin, out, signal) });
    // An input that was read would keep the process alive.
    stdin.destroy();
    return code;
  } finally {
    release();
  }
}

/** Rights that nobody gets to what the bridge writes, except its owner: files are 0600, directories 0700. */
const OF_GROUP_AND_OTHERS = 0o077;

process.umask(OF_GROUP_AND_OTHERS);
for (const stream of [process.stdout, process.stderr]) {
  // Who reads its output may leave; it goes on.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
// No await at the top: an executable is a script, not a module.
void main().then((code) => {
  process.exitCode = code;
});
