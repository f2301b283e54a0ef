import { execFileSync } from 'node:child_process';

/** Which core measured processes run on, and which one the load comes from. */
export interface Cores {
  readonly server: number;
  readonly load: number;
}

/**
 * Chooses two cores and moves this process, with all its threads, to the one for the load; null where there are no two,
 * or no `taskset` (anything but Linux).
 */
export function takeCores(): Cores | null {
  try {
    const said = execFileSync('taskset', ['-cp', String(process.pid)], { encoding: 'utf8' });
    const [server, load] = listed(said.slice(said.lastIndexOf(':') + 1).trim());
    if (server === undefined || load === undefined) return null;
    execFileSync('taskset', ['-acp', String(load), String(process.pid)], { stdio: 'ignore' });
    return { server, load };
  } catch {
    return null; // No taskset, or it may not: the table says that nothing was pinned.
  }
}

/** `0,2-4` → 0, 2, 3, 4. */
function listed(cores: string): number[] {
  return cores.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, place) => first + place);
  });
}
