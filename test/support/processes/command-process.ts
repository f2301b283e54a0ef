import { spawn } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEventStore } from '../../../src/stores/stores.ts';
import type { NewEvent } from '../../../src/kernel/ports/event-store.ts';
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
  return { code, out: running.out, err: running.err };
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
