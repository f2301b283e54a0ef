#!/usr/bin/env node
import { EXIT, type Invocation } from './tools/cli/arguments.ts';
import { shutdownSignal } from './tools/cli/shutdown-signal.ts';

/** Runs a command with its arguments; the result is the exit code. */
type Run = (args: readonly string[]) => Promise<number>;

/** A command, with its line in the usage text. Its code is loaded only when it runs, for a quick start. */
interface Command {
  readonly about: string;
  readonly load: () => Promise<Run>;
}

/** Runs a command with a signal that aborts at SIGTERM or SIGINT. */
const interruptible =
  (run: (invocation: Invocation) => Promise<number>): Run =>
  (args) => {
    const stop = new AbortController();
    void shutdownSignal().then(() => stop.abort());
    const { env, stdout: out, stderr: err } = process;
    return run({ args, env, out, err, signal: stop.signal });
  };

/** Exits when the command ends: an analyst's code may have left timers and sockets open. */
const ending =
  (run: Run): Run =>
  async (args) =>
    process.exit(await run(args));

const COMMANDS: Readonly<Record<string, Command>> = {
  serve: { about: 'run the service (the default)', load: async () => (await import('./tools/cli/serve.ts')).serve },
  projector: {
    about: 'keep the read models up to date, for services that run with PROJECTOR=off',
    load: async () => (await import('./tools/cli/serve.ts')).project,
  },
  projections: {
    about: 'show how far the read models are, and which process updates them',
    load: async () => interruptible((await import('./tools/cli/projections.ts')).runProjections),
  },
  'dead-letters': {
    about: 'show or retry events that could not be projected',
    load: async () => interruptible((await import('./tools/cli/dead-letters.ts')).runDeadLetters),
  },
  rebuild: {
    about: 'rebuild the read models while the service runs',
    load: async () => interruptible((await import('./tools/cli/rebuild.ts')).runRebuild),
  },
  verify: {
    about: 'compare the read models with a replay of the events',
    load: async () => interruptible((await import('./tools/cli/verify.ts')).runVerify),
  },
  events: {
    about: 'show or export the event history',
    load: async () => interruptible((await import('./tools/cli/events.ts')).runEvents),
  },
  replay: {
    about: 'run your own projection over the history',
    load: async () => ending(interruptible((await import('./tools/cli/replay.ts')).runReplay)),
  },
  export: {
    about: 'write a list (laps, participants, …) as Parquet, CSV or NDJSON, computed from the history',
    load: async () => interruptible((await import('./tools/cli/export.ts')).runExport),
  },
  rig: {
    about: 'drive laps as a rig would, and send them: a reference for builders of rigs',
    load: async () => interruptible((await import('./tools/cli/rig.ts')).runRigCommand),
  },
  keys: {
    about: 'issue an API key directly in the stores, when no key is left that could',
    load: async () => interruptible((await import('./tools/cli/keys.ts')).runKeys),
  },
  backup: {
    about: 'back up a service while it runs',
    load: async () => interruptible((await import('./tools/cli/backup.ts')).runBackup),
  },
  check: {
    about: 'check that the files of an embedded event store are intact',
    load: async () => interruptible((await import('./tools/cli/check.ts')).runCheck),
  },
  copy: {
    about: 'copy the event history from one event store into another',
    load: async () => interruptible((await import('./tools/cli/copy.ts')).runCopy),
  },
  demo: {
    about: "fill a running service with a venue's worth of data",
    load: async () => interruptible((await import('./tools/cli/demo.ts')).runDemo),
  },
};

const NAME_COLUMNS = 14;

const USAGE = `usage: sim-racing-timing [command]

${Object.entries(COMMANDS)
  .map(([name, { about }]) => `  ${name.padEnd(NAME_COLUMNS)}${about}\n`)
  .join('')}
sim-racing-timing COMMAND --help says more. Settings are environment variables; docs/operations.md lists them.
`;

/** Runs one command to its end; the result is the exit code. */
async function main([name = 'serve', ...args]: readonly string[]): Promise<number> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined) return (await command.load())(args);
  const help = name === 'help' || name === '--help' || name === '-h';
  (help ? process.stdout : process.stderr).write(
    help ? USAGE : `sim-racing-timing: there is no command ${name}\n\n${USAGE}`,
  );
  return help ? EXIT.done : EXIT.usage;
}

/**
 * Handles a reader that closes the output early, as `head` does: the demo and `events` then end, other commands continue.
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
  if (cannotEnd(error)) process.kill(process.pid, 'SIGKILL');
}
