import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { itUnless } from '../unless.ts';

const MISSING = ['bash', 'curl'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);

/** A test of blocks of shell; skipped where a tool for them is missing. */
export function itInShell(title: string, test: () => Promise<void>): void {
  itUnless(MISSING.length === 0 ? null : `needs ${MISSING.join(', ')}`, title, test);
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
