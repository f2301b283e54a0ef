import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { toIso, type Processes } from '../../src/kernel/ports/system.ts';
import { systemClock } from './system.ts';

const SEPARATOR = ' ';

/** Stands for what only Linux tells: elsewhere the host name and process id have to do. */
const UNKNOWN = '-';

/** The processes of this host. */
export const systemProcesses: Processes = { newName, retire, hasEnded, isOnThisHost, describe };

/** Names given in this process and not taken back. */
const ours = new Set<string>();

/**
 * A name for this process in a lease: host, boot, process id, when it started, what time it is, and something that no
 * other has.
 */
function newName(): string {
  const start = startOf(process.pid) ?? UNKNOWN;
  const name = [...place(), String(process.pid), start, toIso(systemClock.now()), randomUUID()].join(SEPARATOR);
  ours.add(name);
  return name;
}

/** To be called when what bore the name is over, though the process goes on. */
function retire(name: string): void {
  ours.delete(name);
}

/**
 * Whether the process of that name has surely ended: it ran on this host, since its present boot, and its id is free,
 * another's or ours now. So a service that was killed need not wait for its own lease to run out.
 */
function hasEnded(name: string): boolean {
  const [, , pid = '', start] = name.split(SEPARATOR);
  if (!isOnThisHost(name) || !/^\d+$/.test(pid)) return false;
  if (Number(pid) === process.pid) return !ours.has(name);
  const now = startOf(Number(pid));
  return now === null || (now !== UNKNOWN && start !== UNKNOWN && now !== start);
}

/** Whether the process of that name runs, or ran, on this host since its present boot. */
function isOnThisHost(name: string): boolean {
  const [host, boot] = name.split(SEPARATOR);
  const [ownHost, ownBoot] = place();
  return host === ownHost && boot === ownBoot;
}

/** The name for people: which process, where, and since when it bears it. */
function describe(name: string): string {
  const [host = '', , pid = '', , since = ''] = name.split(SEPARATOR);
  return `process ${pid} on ${host} (since ${since})`;
}

/** In which clock tick since the boot a process started; null when there is none of that id, or only its remains. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name in parentheses, which may hold anything (proc(5)).
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? null : (fields[START_FIELD] ?? UNKNOWN);
  } catch {
    return runs(pid) ? UNKNOWN : null;
  }
}

/** Place of `starttime` after `state`, in proc(5) the 22nd and the third field. */
const START_FIELD = 18;

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, under another user.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** Containers share a boot and differ in host name; cloned machines the other way round. */
function place(): readonly [host: string, boot: string] {
  return [hostname(), bootId()];
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return UNKNOWN;
  }
}
