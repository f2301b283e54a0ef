import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const MISSING = ['bash', 'curl'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);

/** A test of blocks of shell; skipped where a tool for them is missing. */
export function itInShell(title: string, test: () => Promise<void>): void {
  if (MISSING.length === 0) it(title, test);
  else it.skip(`${title} (needs ${MISSING.join(', ')})`, test);
}

/** Additions to the environment of this process. */
export interface Surroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a script up to its first failing command; rejects if there is one. */
export function bash(script: string, { cwd = '.', env = {} }: Surroundings = {}) {
  return promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd,
    env: { ...process.env, ...env },
  });
}
