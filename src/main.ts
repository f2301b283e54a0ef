#!/usr/bin/env node
import { startApp } from './app.ts';
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
import { startProjectorWorker } from './projector-worker.ts';
import { reasonOf } from './start-failure.ts';

const USAGE = `usage: timing [command]

  serve       run the service (the default)
  projector   keep the read models up to date, for services that run with PROJECTOR=off
  copy        copy the event history from one event store into another; see copy --help
  events      show or export the event history; see events --help
  replay      run a projection of your own over the history; see replay --help
  rebuild     make the read models anew while the service runs; see rebuild --help
  projections show how far the read models are, and who keeps them; see projections --help
  dead-letters  show or retry events that could not be projected; see dead-letters --help
  verify      compare the read models with what the events make of them; see verify --help
  demo        fill a running service with a venue's worth of data; see demo --help

Settings are environment variables; README.md lists them.
`;

/** Period, in ms, of a timer that does nothing. */
const ALIVE_MS = 60_000;

/** Runs one command to its end; the result is the exit code. */
async function main([command = 'serve', ...args]: readonly string[]): Promise<number> {
  if (command === 'serve') return serve();
  if (command === 'projector') return project();
  if (command === 'demo') return runDemo({ args, env: process.env, out: process.stdout, err: process.stderr });
  if (command === 'copy') return stoppable(runCopy, args);
  if (command === 'events') return stoppable(runEvents, args);
  if (command === 'replay') return stoppable(runReplay, args);
  if (command === 'rebuild') return stoppable(runRebuild, args);
  if (command === 'projections') return stoppable(runProjections, args);
  if (command === 'dead-letters') return stoppable(runDeadLetters, args);
  if (command === 'verify') return stoppable(runVerify, args);
  const help = command === 'help' || command === '--help' || command === '-h';
  (help ? process.stdout : process.stderr).write(help ? USAGE : `timing: there is no command ${command}\n\n${USAGE}`);
  return help ? 0 : 2;
}

async function serve(): Promise<number> {
  const config = loadConfig(process.env);
  const log = createLogger({ level: config.logLevel });
  const end = told();
  const app = await startApp({ config, log, announce });
  log.info({ url: app.url, dataDir: config.dataDir }, 'ready');
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
  log.info({ url: worker.url, dataDir: config.dataDir }, 'ready');
  // Neither a subscription nor waiting for a signal keeps a process alive.
  const alive = setInterval(() => undefined, ALIVE_MS);
  await Promise.race([end, worker.ended]);
  clearInterval(alive);
  await worker.close();
  return worker.error() === null ? 0 : 1;
}

/** Runs a command that ends in its own way when it is told to. */
function stoppable(run: (command: CopyCommand) => Promise<number>, args: readonly string[]): Promise<number> {
  const stop = new AbortController();
  void told().then(() => { stop.abort(); });
  const { env, stdout: out, stderr: err } = process;
  return run({ args, env, out, err, signal: stop.signal });
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
