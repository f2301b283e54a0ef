import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

/** Why blocks of shell cannot be run here, or null. */
export function missingTool(): string | null {
  for (const tool of ['bash', 'curl']) {
    try {
      execFileSync(tool, ['--version'], { stdio: 'ignore' });
    } catch {
      return `needs ${tool}`;
    }
  }
  return null;
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
