import { spawnSync } from 'node:child_process';

/** Runs what follows as process 1 of a process table of its own, as a container does; host name and files are shared. */
export const IN_OWN_PROCESS_TABLE = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'] as const;

/** Why there can be no process table of its own here; null when there can. */
export function noOwnProcessTable(): string | null {
  const [file, ...args] = IN_OWN_PROCESS_TABLE;
  return spawnSync(file, [...args, 'true']).status === 0 ? null : 'unshare --pid is not allowed here';
}
