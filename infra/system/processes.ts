import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Processes } from '../../src/kernel/ports/system.ts';
import { hasCode } from './disk.ts';
import { systemClock } from './system.ts';

const SEPARATOR = ' ';

/** Placeholder for what is known only on Linux: elsewhere host name and process id have to suffice. */
const UNKNOWN = '-';

export const systemProcesses: Processes = { newName, retire, hasEnded, isOnThisHost, describe };

/** Names issued in this process and not retired. */
const activeNames = new Set<string>();

/**
 * A name for this process in a lease: host, boot id with the process table, process id, start time, current time, and a
 * random UUID. Names are compared across releases: one of another form is of a process that nothing is known of.
 */
function newName(): string {
  const start = startTimeOf(process.pid) ?? UNKNOWN;
  const now = new Date(systemClock.now()).toISOString();
  const name = [...hostAndTable(), String(process.pid), start, now, randomUUID()].join(SEPARATOR);
  activeNames.add(name);
  return name;
}

/** Call it when the holder of the name has ended although the process continues. */
function retire(name: string): void {
  activeNames.delete(name);
}

/**
 * Whether the process of that name has certainly ended: it was in this process table (on this host, since its last
 * boot, in this container), and its process id is now free or belongs to another process. So a service that was killed
 * need not wait for its own lease to expire.
 */
function hasEnded(name: string): boolean {
  const [, , pid = '', start] = name.split(SEPARATOR);
  if (!isOnThisHost(name) || !/^\d+$/.test(pid)) return false;
  if (Number(pid) === process.pid) return !activeNames.has(name);
  const now = startTimeOf(Number(pid));
  return now === null || (now !== UNKNOWN && start !== UNKNOWN && now !== start);
}

/** Whether the process of that name is, or was, in this process table, so that its process id can be looked up. */
function isOnThisHost(name: string): boolean {
  const [host, table] = name.split(SEPARATOR);
  const [ownHost, ownTable] = hostAndTable();
  return host === ownHost && table === ownTable;
}

/** The name as text for people: process id, host, and since when it has the name. */
function describe(name: string): string {
  const [host = '', , pid = '', , since = ''] = name.split(SEPARATOR);
  return `process ${pid} on ${host} (since ${since})`;
}

/** Start time of a process in clock ticks since the boot; null when there is none of that id, or it is a zombie. */
function startTimeOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name in parentheses, which may hold anything (proc(5)).
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? null : (fields[START_FIELD] ?? UNKNOWN);
  } catch {
    return isRunning(pid) ? UNKNOWN : null;
  }
}

/** Index of `starttime` after `state`, in proc(5) the 22nd and the third field. */
const START_FIELD = 18;

/** Whether a process of that id runs on this host, under any user. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, under another user.
    return !hasCode(error, 'ESRCH');
  }
}

/**
 * The identity of this process table. All parts are needed: containers have the same boot id and may have the same host
 * name, and cloned machines may have everything but the boot id in common.
 */
function hostAndTable(): readonly [host: string, table: string] {
  return [hostname(), `${bootId() ?? UNKNOWN}/${pidNamespace() ?? UNKNOWN}`];
}

/**
 * The process table that this process is in (pid_namespaces(7)), as a number in text: a container has one of its own,
 * in which its first process is 1. Null where the system does not say: on anything but Linux.
 */
export function pidNamespace(): string | null {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? null;
  } catch {
    return null;
  }
}

/** The id of this boot of the machine; null on anything but Linux. */
export function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}
