import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

const extension = extname(import.meta.url);

/** How Node runs a script: sources through tsx, compiled files as they are. */
export const execArgv: readonly string[] = extension === '.ts' ? ['--import=tsx'] : [];

/** The file that `sim-racing-timing` runs. */
export const MAIN = fileURLToPath(new URL(`../../../src/main${extension}`, import.meta.url));

/** The file of a script below `test/support`, with the extension that this file has. */
export function scriptFile(script: string): string {
  return fileURLToPath(new URL(`../${script}${extension}`, import.meta.url));
}

/** Starts a script in a process of its own. */
export function forkScript(script: string, args: readonly string[], options: ForkOptions = {}): ChildProcess {
  return fork(scriptFile(script), args, { ...options, execArgv: [...execArgv] });
}
