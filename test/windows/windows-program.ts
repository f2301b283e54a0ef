import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bounded, until } from '../support/processes/waits.ts';

/** The bridge for Windows; `npm run test:windows` makes it. */
export const EXECUTABLE = required('BRIDGE_EXE');

/** Wine, its folder and the server that all its processes share; null: this is Windows. */
const WINE =
  process.platform === 'win32'
    ? null
    : { program: required('WINE'), server: required('WINESERVER'), folder: required('WINEPREFIX') };

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is missing: npm run test:windows sets it`);
  return value;
}

/** Where programs of a user of Windows keep their files. */
export interface UserFolders {
  readonly local: string;
  readonly roaming: string;
}

/**
 * A user of Windows without files of a bridge, for the tests of the `describe` that calls this. In Wine it is the one of its
 * folder, as Wine names these places itself.
 */
export function useUser(): () => UserFolders {
  const folders = WINE === null ? temporaryUser() : userOfWine(WINE.folder);
  const forget = (): void => {
    rmSync(join(folders.local, 'sim-racing-timing'), { recursive: true, force: true });
    rmSync(startupScriptOf(folders), { force: true });
  };
  beforeEach(forget);
  afterEach(forget);
  return () => folders;
}

function temporaryUser(): UserFolders {
  const folder = mkdtempSync(join(tmpdir(), 'timing-windows-'));
  return { local: join(folder, 'Local'), roaming: join(folder, 'Roaming') };
}

function userOfWine(folder: string): UserFolders {
  const users = join(folder, 'drive_c', 'users');
  const user = readdirSync(users).find((name) => name !== 'Public') ?? '';
  const data = join(users, user, 'AppData');
  return { local: join(data, 'Local'), roaming: join(data, 'Roaming') };
}

/** The script that Windows runs when its user signs in. */
export function startupScriptOf({ roaming }: UserFolders): string {
  const programs = join(roaming, 'Microsoft', 'Windows', 'Start Menu', 'Programs');
  // Names on Windows have no case: Wine has made it under another one.
  const names = existsSync(programs) ? readdirSync(programs) : [];
  const startup = names.find((name) => name.toLowerCase() === 'startup') ?? 'Startup';
  return join(programs, startup, 'timing-bridge.cmd');
}

/** A path of this system as Windows names it. */
export function windowsPath(path: string): string {
  return WINE === null ? path : `Z:${path.replaceAll('/', '\\')}`;
}

/** How a program of Windows is started: its arguments, and lines that are typed before they are asked for. */
interface Start {
  readonly args: readonly string[];
  readonly typed?: readonly string[];
}

/** A program of Windows. Its input and outputs are files: Node for Windows cannot use pipes of another system. */
export class WindowsProgram {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  readonly #outputs: readonly string[];

  constructor(program: string, { local, roaming }: UserFolders, { args, typed = [] }: Start) {
    const directory = mkdtempSync(join(tmpdir(), 'timing-program-'));
    const input = join(directory, 'typed.txt');
    writeFileSync(input, typed.map((line) => `${line}\r\n`).join(''));
    this.#outputs = [join(directory, 'out.txt'), join(directory, 'err.txt')];
    const files = [openSync(input, 'r'), ...this.#outputs.map((path) => openSync(path, 'w'))];
    const command = WINE === null ? [program, ...args] : [WINE.program, program, ...args];
    const env = { ...process.env, LOCALAPPDATA: local, APPDATA: roaming };
    const [file = '', ...rest] = command;
    this.#child = spawn(file, rest, { stdio: files, env });
    for (const one of files) closeSync(one);
    this.#ended = new Promise((resolve) => {
      this.#child.once('exit', (code) => {
        resolve(code);
      });
    });
    after(() => {
      this.#child.kill('SIGKILL');
      rmSync(directory, { recursive: true, force: true });
    });
  }

  /** What it has written so far. */
  get said(): string {
    return this.#outputs.map((path) => readFileSync(path, 'utf8')).join('\n');
  }

  /** Waits until it has written this. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    const find = (): RegExpExecArray | null => pattern.exec(this.said);
    let hasEnded = false;
    void this.#ended.then(() => {
      hasEnded = true;
    });
    const found = await until(find, (match) => match !== null || hasEnded);
    const last = found ?? find();
    if (last === null) throw new Error(`it ended without saying ${pattern.source}:\n${this.said}`);
    return last;
  }

  /** Its exit code, once it has ended. */
  code(): Promise<number | null> {
    return bounded(this.#ended, () => `the end:\n${this.said}`);
  }

  /** Ctrl-C in its window. */
  interrupt(): Promise<number | null> {
    this.#child.kill('SIGINT');
    return this.code();
  }

  /** Ends it as the task manager does. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.code();
  }

  /** Ends it with everything else that runs there, as a power cut does. */
  async cutPower(): Promise<void> {
    if (WINE === null) this.#child.kill('SIGKILL');
    else spawnSync(WINE.server, ['-k'], { stdio: 'ignore' });
    await this.code();
  }
}
