#!/usr/bin/env node
import { startApp } from './app.ts';
import { EXIT } from './cli/arguments.ts';
import { runCopy, type CopyCommand } from './cli/copy.ts';
import { runEvents } from './cli/events.ts';
import { runDeadLetters } from './cli/dead-letters.ts';
import { runProjections } from './cli/projections.ts';
import { runRebuild } from './cli/rebuild.ts';
import { runReplay } from './cli/replay.ts';
import { runVerify } from './cli/verify.ts';
import { loadConfig } from './config.ts';
import { runDemo } from './demo/main.ts';
import { createLogger } from './log.ts';
import { startProjectorWorker } from './projector/worker.ts';
import { reasonOf } from './start-failure.ts';

/** A command, and what the usage says of it. */
interface Command {
  readonly about: string;
  readonly run: (args: readonly string[]) => Promise<number>;
}

/** Runs a command that ends in its own way when it is told to. */
const stoppable = (run: (command: CopyCommand) => Promise<number>) => (args: readonly string[]): Promise<number> => {
  const stop = new AbortController();
  void told().then(() => { stop.abort(); });
  const { env, stdout: out, stderr: err } = process;
  return run({ args, env, out, err, signal: stop.signal });
};

const COMMANDS: Readonly<Record<string, Command>> = {
  'serve': { about: 'run the service (the default)', run: serve },
  'projector': { about: 'keep the read models up to date, for services that run with PROJECTOR=off', run: project },
  'projections': { about: 'show how far the read models are, and who keeps them', run: stoppable(runProjections) },
  'dead-letters': { about: 'show or retry events that could not be projected', run: stoppable(runDeadLetters) },
  'rebuild': { about: 'make the read models anew while the service runs', run: stoppable(runRebuild) },
  'verify': { about: 'compare the read models with what the events make of them', run: stoppable(runVerify) },
  'events': { about: 'show or export the event history', run: stoppable(runEvents) },
  'replay': { about: 'run a projection of your own over the history', run: stoppable(runReplay) },
  'copy': { about: 'copy the event history from one event store into another', run: stoppable(runCopy) },
  'demo': { about: "fill a running service with a venue's worth of data", run: demo },
};

const NAME_COLUMNS = 14;

const USAGE = `usage: timing [command]

${Object.entries(COMMANDS).map(([name, { about }]) => `  ${name.padEnd(NAME_COLUMNS)}${about}\n`).join('')}
timing COMMAND --help says more. Settings are environment variables; README.md lists them.
`;

/** Period, in ms, of a timer that does nothing. */
const ALIVE_MS = 60_000;

/** Runs one command to its end; the result is the exit code. */
async function main([name = 'serve', ...args]: readonly string[]): Promise<number> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined) return command.run(args);
  const help = name === 'help' || name === '--help' || name === '-h';
  (help ? process.stdout : process.stderr).write(help ? USAGE : `timing: there is no command ${name}\n\n${USAGE}`);
  return help ? EXIT.done : EXIT.usage;
}

function demo(args: readonly string[]): Promise<number> {
  return runDemo({ args, env: process.env, out: process.stdout, err: process.stderr });
}

async function serve(): Promise<number> {
  const config = loadConfig(process.env);
  const log = createLogger({ level: config.logLevel });
  const end = told();
  const app = await startApp({ config, log, announce });
  log.info({ url: app.url, dataDir: config.dataDir }, 'listening');
  process.stderr.write(`Listening on ${app.url} (try ${app.url}/swagger-ui)\n`);
  await end;
  log.info('shutting down');
  await app.close();
  log.info('stopped');
  return 0;
}

async function project(): Promise<number> {
  const config = loadConfig(process.env);
  const log = createLogger({ level: config.logLevel });
  const end = told();
  const worker = await startProjectorWorker({ config, log });
  log.info({ url: worker.url, dataDir: config.dataDir }, 'listening');
  // Neither a subscription nor waiting for a signal keeps a process alive.
  const alive = setInterval(() => undefined, ALIVE_MS);
  await Promise.race([end, worker.ended]);
  clearInterval(alive);
  await worker.close();
  return worker.error() === null ? 0 : 1;
}

/**
 * Resolves at SIGTERM or SIGINT, from the call on: one that comes during the start is heeded after it. A second one
 * ends the process at once.
 */
function told(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => { resolve(); });
  });
}

/** Shows the root key's token. Standard error, since it belongs in no log. */
function announce(token: string): void {
  process.stderr.write(`\nFirst start: this is the ADMIN key. It is shown only this once.\n\n  ${token}\n\n`);
}

/**
 * Who reads our output may leave, as `head` does: the demo and who shows events then have nothing left to say, the
 * service goes on.
 */
function withoutReader(command: string | undefined): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      if (command === 'demo') process.exit(1);
      if (command === 'events') process.exit(0);
    });
  }
}

const args = process.argv.slice(2);
withoutReader(args[0]);
try {
  process.exitCode = await main(args);
} catch (error) {
  const reason = reasonOf(error);
  if (reason === null) throw error;
  process.stderr.write(`${reason}\n`);
  process.exitCode = 1;
}
