#!/usr/bin/env node
/**
 * The `timing` command. In a checkout (`npx timing …`) it compiles first what has changed since the last time.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = join(ROOT, 'dist/src/main.js');
/** Written by each build. */
const BUILT = join(ROOT, 'dist/.tsbuildinfo');
/** Modules for `timing replay`, which compiles them itself. */
const EXAMPLES = join(ROOT, 'projections/examples');
/** A package that was installed has none. */
const SOURCES = ['src', 'commands', 'projections', 'queries', 'infra'].map((folder) => join(ROOT, folder));

function newestSource() {
  const times = SOURCES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.parentPath !== EXAMPLES)
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );
  return Math.max(...times);
}

function build() {
  process.stderr.write('Compiling …\n');
  const startedAt = new Date();
  // Its standard output must not get into ours.
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
  // The compiler leaves the file alone when nothing but the times of sources has changed.
  if (status === 0) utimesSync(BUILT, startedAt, startedAt);
  return status === 0;
}

const inCheckout = SOURCES.every((folder) => existsSync(folder));
const builtAt = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0;
if (!inCheckout || (existsSync(MAIN) && builtAt >= newestSource()) || build()) {
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(MAIN).href);
} else {
  process.stderr.write(`timing: it could not be compiled; try npm ci && npm run build in ${ROOT}\n`);
  process.exitCode = 1;
}
