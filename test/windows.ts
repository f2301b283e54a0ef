import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The binding of LMDB for Windows, which is loaded but not opened: in Wine it never opens a store. */
const BINDING = '@lmdb/lmdb-win32-x64@3.5.6';

/** The tests of the bridge for Windows, which run here, with a service of this system. */
const EXECUTABLE_TESTS = 'dist/test/windows/*.test.js';

/**
 * Suites that need no LMDB, no `fetch`, which cannot connect in Wine, and no links between packages, and that start no
 * process; without the two longest.
 */
const SUITES = [
  ...['access', 'commands', 'config', 'demo', 'kernel', 'kernel/*', 'projector'].map((folder) => `${folder}/*`),
  ...['domain/!(csv-guard|field-events)', 'live/!(histories)', 'projections/!(learning)', 'simulation/!(crashes)'],
  ...['infra/@(disk|processes|system)', 'infra/lmdb/packed-strings', 'observability/@(kept|metrics|monitoring)'],
  ...['contracts/assets.filesystem', 'contracts/event-store.memory', 'contracts/event-store.eventstoredb-protocol'],
];

/** Number of events of a simulated history: fewer than elsewhere, as everything takes three times as long in Wine. */
const SIMULATION_EVENTS = '60';

/** Where Debian puts Wine, and its names elsewhere; each with its server. */
const WINES = [
  ['/usr/lib/wine/wine64', '/usr/lib/wine/wineserver64'],
  ['wine64', 'wineserver'],
  ['wine', 'wineserver'],
] as const;

/** Longest time, in ms, of a start of Wine, which makes its folder, or of an installation. */
const SETUP_MS = 300_000;

/** Why the suites cannot run; it is no failure. */
class Skipped extends Error {}

/**
 * `npm run test:windows`: the suites that need no embedded store, with the Windows build of Node, and the bridge for Windows:
 * on Windows itself, or in Wine, which is installed where apt-get can. Skipped, with the reason, where neither works.
 */
function main(): number {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const mocha = join(dirname(createRequire(import.meta.url).resolve('mocha/package.json')), 'bin', 'mocha.js');
  const patterns = SUITES.map((suite) => `dist/test/${suite}.test.js`);
  const args = [mocha, '--no-color', '--parallel', '--jobs', '2', ...patterns];
  const executableTests = [mocha, '--no-color', EXECUTABLE_TESTS];
  if (process.platform === 'win32') {
    const options = { stdio: 'inherit', cwd: root } as const;
    const suites = exitCode(spawnSync(process.execPath, args, options));
    const env = { ...process.env, BRIDGE_EXE: makeExecutable(root, tmpdir()) };
    return Math.max(suites, exitCode(spawnSync(process.execPath, executableTests, { ...options, env })));
  }
  try {
    const { node, wine, env, cache } = prepare(root);
    process.stdout.write('The Windows build of Node in Wine; its report follows when all suites have run\n');
    const suites = runInWine(wine, [node, ...args], { cwd: root, env });
    const made = { ...env, BRIDGE_EXE: makeExecutable(root, join(cache, 'bridge')) };
    const options = { stdio: 'inherit', cwd: root, env: made } as const;
    return Math.max(suites, exitCode(spawnSync(process.execPath, executableTests, options)));
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    process.stdout.write(`skipped: tests on Windows (${error.message})\n`);
    return 0;
  }
}

/** Makes the bridge for Windows in a folder; returns its path. @throws {Error} when that fails. */
function makeExecutable(root: string, folder: string): string {
  const args = ['src/tools/build/build-bridge.js', 'exe', folder];
  execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  return join(folder, 'timing-bridge.exe');
}

/** Runs a program, whose output goes through a file: Node for Windows cannot write to a pipe of this system. */
function runInWine(wine: string, args: string[], options: { cwd: string; env: NodeJS.ProcessEnv }): number {
  const path = join(options.env['WINEPREFIX'] ?? tmpdir(), 'report.txt');
  const report = openSync(path, 'w');
  const ended = spawnSync(wine, args, { ...options, stdio: ['ignore', report, report] });
  closeSync(report);
  process.stdout.write(readFileSync(path));
  return exitCode(ended);
}

/** Installs Wine and Node for Windows, and makes Wine's folder; all stay for the next run. @throws {Skipped} */
function prepare(root: string) {
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'sim-racing-timing', 'windows');
  const [wine, server] = findWine() ?? installWine();
  const node = windowsNode(root);
  const modules = join(cache, BINDING.replaceAll('/', '-'));
  if (!existsSync(join(modules, 'node_modules', '@lmdb'))) install(modules);
  const env = {
    ...process.env,
    SIMULATION_EVENTS,
    WINE: wine,
    WINESERVER: server,
    WINEPREFIX: join(cache, 'wine'),
    WINEDEBUG: '-all',
    // Wine names the root of this system Z.
    NODE_PATH: `Z:${join(modules, 'node_modules')}`,
  };
  const version = join(cache, 'wine', 'version-is-set');
  if (!existsSync(version)) {
    // Node refuses to run on the Windows that Wine is by default.
    if (exitCode(spawnSync(wine, ['winecfg', '-v', 'win10'], { env, stdio: 'ignore', timeout: SETUP_MS })) !== 0)
      throw new Skipped('Wine does not start');
    writeFileSync(version, '');
  }
  return { node, wine, env, cache };
}

/** The path of the Windows build of Node, which is downloaded once. @throws {Skipped} */
function windowsNode(root: string): string {
  const script = join(root, 'src', 'tools', 'build', 'windows-node.js');
  const found = spawnSync(process.execPath, [script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  if (!succeeds(found)) throw new Skipped('npm could not install Node for Windows');
  return found.stdout.trim();
}

type Wine = (typeof WINES)[number];

function findWine(): Wine | undefined {
  return WINES.find(([wine]) => succeeds(spawnSync(wine, ['--version'], { stdio: 'ignore' })));
}

/** @throws {Skipped} */
function installWine(): Wine {
  if (process.getuid?.() !== 0) throw new Skipped('there is no Wine, and only root can install it');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { env, stdio: 'ignore', timeout: SETUP_MS } as const;
  const updated = succeeds(spawnSync('apt-get', ['-qq', 'update'], options));
  if (!updated) throw new Skipped('there is no Wine, and apt-get cannot install it');
  spawnSync('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', 'wine64'], options);
  const wine = findWine();
  if (wine === undefined) throw new Skipped('Wine could not be installed');
  return wine;
}

/** Installs the binding for Windows, which npm refuses here unless it is forced. @throws {Skipped} */
function install(directory: string): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{ "private": true }');
  const args = ['install', '--no-save', '--force', '--os=win32', '--cpu=x64', '--ignore-scripts', BINDING];
  if (!succeeds(spawnSync('npm', args, { cwd: directory, stdio: 'ignore', timeout: SETUP_MS })))
    throw new Skipped('npm could not install the binding of LMDB for Windows');
}

function succeeds(ended: SpawnSyncReturns<unknown>): boolean {
  return ended.status === 0;
}

function exitCode({ status }: SpawnSyncReturns<unknown>): number {
  return status ?? 1;
}

process.exitCode = main();
