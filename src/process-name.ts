import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

const SEPARATOR = ' ';

/** Names given in this process and not taken back. */
const ours = new Set<string>();

/** A name for this process in a lease: host, boot, process id and something that no other has. */
export function newProcessName(): string {
  const name = [...place(), String(process.pid), randomUUID()].join(SEPARATOR);
  ours.add(name);
  return name;
}

/** To be called when what bore the name is over, though the process goes on. */
export function retire(name: string): void {
  ours.delete(name);
}

/**
 * Whether the process of that name has surely ended: it ran on this host, since its present boot, and its id is free or
 * ours now. So a service that was killed need not wait for its own lease to run out.
 */
export function hasEnded(name: string): boolean {
  const [host, boot, pid = ''] = name.split(SEPARATOR);
  const [ownHost, ownBoot] = place();
  if (host !== ownHost || boot !== ownBoot || !/^\d+$/.test(pid)) return false;
  return Number(pid) === process.pid ? !ours.has(name) : !runs(Number(pid));
}

/** Whether the process of that name runs, or ran, on this host since its present boot. */
export function isHere(name: string): boolean {
  const [host, boot] = name.split(SEPARATOR);
  const [ownHost, ownBoot] = place();
  return host === ownHost && boot === ownBoot;
}

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
    return '-'; // Only Linux tells: elsewhere the host name has to do.
  }
}
