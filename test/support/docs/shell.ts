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

/** What a script needs besides the environment of this process. */
export interface Surroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a script, which ends at its first command that fails; rejects when there is one. */
export function bash(script: string, { cwd = '.', env = {} }: Surroundings = {}) {
  return promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd,
    env: { ...process.env, ...env },
  });
}
