import { spawn } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMMANDS } from '../../../src/tools/cli/commands.ts';
import { expectNoCanary } from '../canaries.ts';
import { openEventStore } from '../../../src/service/stores/stores.ts';
import type { NewEvent } from '../../../src/service/kernel/ports/event-store.ts';
import { Running } from './world.ts';

/** Sources run through tsx, compiled files as they are: the command runs the way this process does. */
const MAIN = fileURLToPath(new URL(`../../../src/main${extname(import.meta.url)}`, import.meta.url));

/** Starts `sim-racing-timing` with these arguments, and nothing in its environment but what is given. */
export function startCommand(args: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
  const child = spawn(process.execPath, [...process.execArgv, MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  return new Running(child, {});
}

/** Runs it to its end. */
export async function runCommand(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const running = startCommand(args, env);
  const { code } = await running.ended;
  expectNoCanaryOf(args, running);
  return { code, out: running.out, err: running.err };
}

/** Commands that a test has to start as processes of their own: they run until they are told to end. */
const OWN_PROCESS = ['serve', 'projector'];

/**
 * Commands that may be run in the process of a test. Of `rebuild` only what it says before it begins, as it lowers the
 * priority of its process then.
 */
export const CALLABLE: readonly string[] = Object.keys(COMMANDS).filter((name) => !OWN_PROCESS.includes(name));

/**
 * Runs `timing` with these arguments to its end, in this process: what does not depend on a process of its own is spared
 * the start of one. Each command has tests that do start it.
 */
export async function callCommand([name = '', ...args]: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const command = COMMANDS[name];
  if (command === undefined) throw new Error(`there is no command ${name}`);
  const [out, err]: [string[], string[]] = [[], []];
  const { run } = await command.load();
  const code = await run({
    args,
    env,
    signal: new AbortController().signal,
    out: { write: (text) => out.push(text) },
    err: { write: (text) => err.push(text) },
  });
  const said = { out: out.join(''), err: err.join('') };
  expectNoCanaryOf([name, ...args], said);
  return { code, ...said };
}

/** Commands whose output is what was asked for: a token, an analyst's own documents. */
const SHOWING = ['keys', 'replay'];

function expectNoCanaryOf(args: readonly string[], { out, err }: { readonly out: string; readonly err: string }): void {
  const asked = SHOWING.includes(args[0] ?? '') || args.includes('--personal');
  expectNoCanary(asked ? err : out + err, args.join(' '));
}

/** Appends events to the event store of a data directory, one after the other in each stream. */
export async function record(
  dataDir: string,
  events: readonly { readonly stream: string; readonly event: NewEvent }[],
): Promise<void> {
  const store = await openEventStore({ dataDir, eventStoreUrl: null, storeTimeoutMs: 1_000 }, null);
  await Promise.all(events.map(({ stream, event }) => store.append(stream, [event], 'any')));
  await store.close();
}
