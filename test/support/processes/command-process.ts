import { spawn } from 'node:child_process';
import { expect } from 'chai';
import { COMMANDS } from '../../../src/tools/cli/commands.ts';
import { expectNoCanary } from '../canaries.ts';
import { withStoreAt } from '../../../src/service/stores/stores.ts';
import type { NewEvent, RecordedEvent } from '../../../src/kernel/ports/event-store.ts';
import { gathered } from '../event-store/events.ts';
import { MAIN } from './script.ts';
import { PATIENCE_MS } from './waits.ts';
import { Running } from './world.ts';

/** Starts `sim-racing-timing` with exactly this environment. */
export function startCommand(args: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
  const child = spawn(process.execPath, [...process.execArgv, MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  return new Running(child, {});
}

/** Runs `sim-racing-timing` to its end. */
export async function runCommand(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const running = startCommand(args, env);
  const { code } = await running.ended;
  expectNoCanaryOf(args, running);
  return { code, out: running.out, err: withoutWaiting(running.err) };
}

/**
 * Runs `sim-racing-timing` to its end in this process, which saves the start of a process. Each command also has tests
 * that start one: `serve` and `projector` run until they are stopped, and `rebuild` lowers the priority of its process.
 */
export async function callCommand([name = '', ...args]: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const command = COMMANDS[name];
  if (command === undefined) throw new Error(`there is no command ${name}`);
  const out: string[] = [];
  const err: string[] = [];
  const { run } = await command.load();
  const code = await run({
    args,
    env,
    signal: new AbortController().signal,
    out: { write: (text) => out.push(text) },
    err: { write: (text) => err.push(text) },
  });
  const said = { out: out.join(''), err: withoutWaiting(err.join('')) };
  expectNoCanaryOf([name, ...args], said);
  return { code, ...said };
}

/** What a command has said, but for what it waited for: that depends on how busy the machine is. */
export function withoutWaiting(said: string): string {
  return said.replaceAll(/^sim-racing-timing [\w-]+: waiting for .*\n/gm, '');
}

/** What a command has said, which must end with this code. */
export async function expectCode<T extends Awaited<ReturnType<typeof runCommand>>>(
  expected: number,
  running: Promise<T>,
): Promise<T> {
  const ended = await running;
  expect(ended.code, ended.err + ended.out).to.equal(expected);
  return ended;
}

/** Expects each of these uses of a command to end with 2 and one line, which says what is wrong. */
export async function expectRefusedUses(
  command: string,
  wrong: readonly (readonly [message: RegExp, args: readonly string[]])[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const line = new RegExp(`^sim-racing-timing ${command}: .*; see sim-racing-timing ${command} --help\\n$`);
  for (const [message, args] of wrong) {
    const { code, out, err } = await callCommand([command, ...args], env);
    expect({ code, out }, err).to.deep.equal({ code: 2, out: '' });
    expect(err).to.match(message).and.to.match(line);
  }
}

/** Commands that print secrets or personal data on request: a token, an analyst's own documents. */
const SHOWING = ['keys', 'replay'];

function expectNoCanaryOf(args: readonly string[], { out, err }: { readonly out: string; readonly err: string }): void {
  const asked = SHOWING.includes(args[0] ?? '') || args.includes('--personal');
  expectNoCanary(asked ? err : out + err, args.join(' '));
}

/** Appends events to the event store of a data directory. */
export async function record(
  dataDir: string,
  events: readonly { readonly stream: string; readonly event: NewEvent }[],
): Promise<void> {
  await withStoreAt({ dataDir }, PATIENCE_MS, (store) =>
    Promise.all(events.map(({ stream, event }) => store.append(stream, [event], 'any'))),
  );
}

/** All events of the event store of a data directory. */
export function recordedIn(dataDir: string): Promise<readonly RecordedEvent[]> {
  return withStoreAt({ dataDir }, PATIENCE_MS, (store) => gathered(store.readAll(null)));
}
