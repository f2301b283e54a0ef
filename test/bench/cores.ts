import { execFileSync } from 'node:child_process';

/** The core for measured processes and the one for the load. */
export type Cores = NonNullable<ReturnType<typeof takeCores>>;

/**
 * Chooses two cores and moves this process, with all its threads, to the one for the load. Null if there are fewer than
 * two, or no `taskset` (only Linux has it).
 */
export function takeCores() {
  try {
    const said = execFileSync('taskset', ['-cp', String(process.pid)], { encoding: 'utf8' });
    const [server, load] = listed(said.slice(said.lastIndexOf(':') + 1).trim());
    if (server === undefined || load === undefined) return null;
    execFileSync('taskset', ['-acp', String(load), String(process.pid)], { stdio: 'ignore' });
    return { server, load };
  } catch {
    return null; // No taskset, or not permitted; the report says that nothing is pinned.
  }
}

/** `0,2-4` → 0, 2, 3, 4. */
function listed(cores: string): number[] {
  return cores.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, place) => first + place);
  });
}
