import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const BYTES_PER_KB = 1_024;
const BYTES_PER_MB = 1_000_000;
const NS_PER_MICRO = 1_000;

/** Anonymous memory of a process in MB: maps of stores are not counted. Null where the system does not report it. */
export function anonymousMb(pid: number | undefined): number | null {
  try {
    const kb = /^RssAnon:\s*(\d+)/m.exec(readFileSync(`/proc/${pid ?? ''}/status`, 'utf8'))?.[1];
    return kb === undefined ? null : (Number(kb) * BYTES_PER_KB) / BYTES_PER_MB;
  } catch {
    return null; // No /proc (anything but Linux), or the process has just ended.
  }
}

/** CPU that the threads of a process have taken, in µs; exact once they sleep. NaN where the system does not report it. */
export function threadMicros(pid: number | undefined): number {
  const tasks = `/proc/${pid ?? ''}/task`;
  try {
    const taken = readdirSync(tasks).map((id) => parseInt(readFileSync(join(tasks, id, 'schedstat'), 'utf8'), 10));
    return taken.reduce((sum, ns) => sum + ns, 0) / NS_PER_MICRO;
  } catch {
    return NaN; // No /proc, or a kernel without statistics of threads.
  }
}

/** Whether a thread of a process runs, or could; false where the system does not report it. */
export function isRunning(pid: number | undefined): boolean {
  const tasks = `/proc/${pid ?? ''}/task`;
  try {
    return readdirSync(tasks).some((id) => readFileSync(join(tasks, id, 'stat'), 'utf8').includes(') R '));
  } catch {
    return false; // As above.
  }
}

/** Paths of the files below a directory. */
export function filesBelow(directory: string): readonly string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** Total size of the files below a directory, without those being deleted. */
export function bytesBelow(directory: string): number {
  const sizes = filesBelow(directory).map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}
