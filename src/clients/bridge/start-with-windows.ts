import { mkdirSync } from 'node:fs';
import { dirname, win32 } from 'node:path';
import { readIfThere, replaceFile } from '../delivery/durable-file.ts';

/** Name of the script among those that Windows runs when its user signs in. */
const SCRIPT = 'timing-bridge.cmd';

/** What is started with Windows. */
export interface StartedProgram {
  /** The program, and the script that it runs, if it is not the bridge itself: absolute paths. */
  readonly command: readonly string[];
  readonly args: readonly string[];
}

/** The script in the Startup folder of this user, who needs no rights for it; null: there is no such folder. */
export function startupScript(env: Readonly<Record<string, string | undefined>>): string | null {
  const roaming = env['APPDATA'];
  if (roaming === undefined || roaming === '') return null;
  return win32.join(roaming, 'Microsoft', 'Windows', 'Start Menu', 'Programs', 'Startup', SCRIPT);
}

/** Whether exactly this starts with Windows. */
export function startsWithWindows(script: string, program: StartedProgram): boolean {
  return readIfThere(script) === textOf(program);
}

/** Lets a program start whenever this user signs in. */
export function startWithWindows(script: string, program: StartedProgram): void {
  mkdirSync(dirname(script), { recursive: true });
  replaceFile(script, textOf(program));
}

/** A script of Windows. It says by its first lines that paths are in UTF-8, and that a person may delete it. */
function textOf({ command, args }: StartedProgram): string {
  const [program = '', ...rest] = [...command, ...args].map(quoted);
  const lines = [
    '@echo off',
    'chcp 65001 >nul',
    'rem Starts the timing bridge when you sign in. Delete this file, and it does not.',
    `start "Timing bridge" /min ${program} ${rest.join(' ')}`,
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}

/** A word of a script of Windows. No path has quotes; percent signs would be variables. */
function quoted(word: string): string {
  return `"${word.replaceAll('%', '%%')}"`;
}
