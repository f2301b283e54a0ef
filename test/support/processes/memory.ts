import { readFileSync } from 'node:fs';

const BYTES_PER_KB = 1_024;
const BYTES_PER_MB = 1_000_000;

/** Anonymous memory of a process in MB: maps of stores are not counted. Null where the system does not tell. */
export function anonymousMb(pid: number | undefined): number | null {
  try {
    const kb = /^RssAnon:\s*(\d+)/m.exec(readFileSync(`/proc/${pid ?? ''}/status`, 'utf8'))?.[1];
    return kb === undefined ? null : (Number(kb) * BYTES_PER_KB) / BYTES_PER_MB;
  } catch {
    return null; // No /proc (anything but Linux), or the process has just ended.
  }
}
