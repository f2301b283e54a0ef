#!/usr/bin/env node
import { asker } from './tools/cli/asking.ts';
import { EXIT } from './tools/cli/command.ts';
import { COMMANDS } from './tools/cli/commands.ts';
import { shutdownSignal } from './tools/cli/shutdown-signal.ts';

const NAME_COLUMNS = 14;

const USAGE = `usage: sim-racing-timing [command]

${Object.entries(COMMANDS)
  .map(([name, { about }]) => `  ${name.padEnd(NAME_COLUMNS)}${about}\n`)
  .join('')}
sim-racing-timing COMMAND --help says more. Settings are environment variables; docs/operations.md lists them.
`;

/** Time, in ms, after a failure in which everything closes. What is left then must not keep the process alive. */
const LINGER_MS = 2_000;

/** Runs one command to its end; the result is the exit code. */
async function main([name = 'serve', ...args]: readonly string[]): Promise<number> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined) {
    const { run } = await command.load();
    const { env, stdout: out, stderr: err } = process;
    const { signal, release } = shutdownSignal();
    try {
      const isAttended = process.stdin.isTTY && out.isTTY;
      const asked = asker(process.stdin, err, signal);
      const ask = async (question: string): Promise<string> => (await asked(question)) ?? '';
      const asking = isAttended ? { ask } : {};
      const code = await run({ args, env, out, err, signal, ...asking });
      return command.endsProcess === true ? process.exit(code) : code;
    } finally {
      release();
    }
  }
  const help = name === 'help' || name === '--help' || name === '-h';
  (help ? process.stdout : process.stderr).write(
    help ? USAGE : `sim-racing-timing: there is no command ${name}\n\n${USAGE}`,
  );
  return help ? EXIT.done : EXIT.usage;
}

/**
 * Handles a reader that closes the output early, as `head` does: the demo and `events` then end, other commands
 * continue.
 */
function tolerateClosedOutput(command: string | undefined): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      if (command === 'demo') process.exit(1);
      if (command === 'events') process.exit(0);
    });
  }
}

/** Rights that nobody gets to what a command writes, except its owner: files are 0600, directories 0700. */
const OF_GROUP_AND_OTHERS = 0o077;

process.umask(OF_GROUP_AND_OTHERS);
const args = process.argv.slice(2);
tolerateClosedOutput(args[0]);
try {
  process.exitCode = await main(args);
} catch (error) {
  const { cannotEnd, reasonOf } = await import('./service/config/start-failure.ts');
  const reason = reasonOf(error);
  if (reason === null) throw error;
  process.stderr.write(`${reason}\n`);
  process.exitCode = 1;
  setTimeout(() => process.exit(1), LINGER_MS).unref();
  if (cannotEnd(error)) process.kill(process.pid, 'SIGKILL');
}
