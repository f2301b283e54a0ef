import { spawnSync } from 'node:child_process';

/** Runs a command as process 1 of a new process table, as a container does; host name and files are shared. */
export const IN_OWN_PROCESS_TABLE = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'] as const;

/** Why a new process table is impossible here; null if it is possible. */
export function noOwnProcessTable(): string | null {
  const [file, ...args] = IN_OWN_PROCESS_TABLE;
  return spawnSync(file, [...args, 'true']).status === 0 ? null : 'unshare --pid is not allowed here';
}
