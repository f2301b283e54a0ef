/**
 * Transpiles the sources to dist/, a JavaScript file and a source map for each module, copies data, and bundles the pages
 * to dist/web; `npm run typecheck` checks types. With `--client` it also generates the types of the interface, which only
 * the compiler and the linter read. It builds only what has changed since the last time, and deletes files whose source
 * is gone: mocha would otherwise keep running deleted tests. It runs on import, and exits the process if it fails.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLIENT_TYPES, generateClient } from './build-client.js';
import { bundlePages } from './build-pages.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FOLDERS = ['src', 'commands', 'projections', 'queries', 'infra', 'docs/examples', 'test'];
/** Files besides the sources that determine the outputs. */
const TOOLS = [
  ...['build.js', 'build-client.js', 'build-pages.js'].map((name) => `src/tools/build/${name}`),
  ...['package-lock.json', 'tsconfig.json'],
];
/** The sources of the pages, and their output folder. */
const PAGES = { from: 'src/clients/web', to: 'dist/web' };
/** Sources that the pages share with commands. */
const SHARED = /^src\/(clients\/((connection|simulators)\.ts|import\/|results\/|delivery\/)|domain\/words\.ts)/;
/** The versions of all sources, and of the tools, that dist/ was made from. */
const RECORD = 'dist/.build.json';
const OUTPUT = /\.(js|js\.map|json)$/;
/** Data files that modules read; they are copied unchanged. */
const DATA = /^src\/.*\/(data|texts)\/.*\.json$/;

const startedAt = performance.now();
const tools = versionsOf(TOOLS);
const sources = versionsOf(
  FOLDERS.flatMap(filesIn).filter((path) => (path.endsWith('.ts') && path !== CLIENT_TYPES) || DATA.test(path)),
);
const pages = {
  ...versionsOf(filesIn(PAGES.from)),
  ...Object.fromEntries(Object.entries(sources).filter(([path]) => SHARED.test(path))),
};
const present = new Set(filesIn('dist').filter((path) => !path.startsWith(`${PAGES.to}/`)));
const built = recorded();
const changed = Object.keys(sources).filter(
  (path) => built.sources[path] !== sources[path] || !outputsOf(path).every((output) => present.has(output)),
);
const pagesLack = Object.keys(pages).length > 0 && filesIn(PAGES.to).length === 0;
const pagesChanged = pagesLack || JSON.stringify(built.pages) !== JSON.stringify(pages);
const wanted = new Set(Object.keys(sources).flatMap(outputsOf));
for (const path of present) {
  if (OUTPUT.test(path) && path !== RECORD && !wanted.has(path)) rmSync(join(ROOT, path), { force: true });
}
if (changed.length > 0 || pagesChanged) {
  await step('transpile the sources', async () => {
    const esbuild = await import('esbuild');
    if (changed.length > 0) await transpile(changed, esbuild);
    if (pagesChanged) await bundlePages(esbuild, { root: ROOT, ...PAGES, write });
    await esbuild.stop();
    writeRecord(built.client);
    const bundled = pagesChanged ? ' and bundled the pages' : '';
    return `Transpiled ${changed.length} of ${Object.keys(sources).length} files${bundled}`;
  });
}
if (process.argv.includes('--client')) {
  await step('generate the types of the interface', async () => {
    const client = await generateClient({ root: ROOT, sources, known: built.client, write });
    if (client === built.client) return null;
    writeRecord(client);
    return `Brought ${CLIENT_TYPES} up to date`;
  });
}

/** A path from the root, with slashes on every system: it is a key of the record, and what patterns match. */
function fromRoot(path) {
  return relative(ROOT, path).split(sep).join('/');
}

/** Paths, from the root, of the files in a folder and below; none where there is no such folder. */
function filesIn(folder) {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => fromRoot(join(parentPath, name)));
}

/** What tells that a file has changed, also when an older one was put in its place. */
function versionsOf(paths) {
  const versionOf = ({ mtimeMs, size }) => `${mtimeMs} ${size}`;
  return Object.fromEntries(paths.map((path) => [path, versionOf(statSync(join(ROOT, path)))]));
}

/** Reports what a step has done, if anything, and the time since the start; ends the process when the step fails. */
async function step(name, run) {
  try {
    const done = await run();
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    if (done !== null) process.stderr.write(`${done} in ${seconds} s\n`);
  } catch (error) {
    process.stderr.write(`The build could not ${name} (npm ci installs what it takes): ${error.message}\n`);
    process.exit(1);
  }
}

function writeRecord(client) {
  write(RECORD, JSON.stringify({ tools, sources, pages, client }));
}

/** The record of the last build, if the same tools made it. */
function recorded() {
  const nothing = { sources: {}, pages: {}, client: null };
  try {
    const record = JSON.parse(readFileSync(join(ROOT, RECORD), 'utf8'));
    return JSON.stringify(record.tools) === JSON.stringify(tools) ? record : nothing;
  } catch {
    return nothing;
  }
}

function outputsOf(source) {
  if (DATA.test(source)) return [posix.join('dist', source)];
  const output = posix.join('dist', source.replace(/\.ts$/, '.js'));
  return [output, `${output}.map`];
}

async function transpile(paths, { build }) {
  const { parse } = await import('es-module-lexer');
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: paths,
    outdir: 'dist',
    outbase: '.',
    loader: { '.json': 'copy' },
    write: false,
    format: 'esm',
    target: 'node20',
    supported: { 'import-attributes': true },
    charset: 'utf8',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'silent',
  });
  for (const { path, text } of outputFiles) {
    write(fromRoot(path), path.endsWith('.js') ? withJsSpecifiers(text, parse(text)[0]) : text);
  }
}

/** Imports `./x.js` where a source says `./x.ts`; a specifier keeps its length, so source maps stay valid. */
function withJsSpecifiers(text, imports) {
  return imports
    .filter(({ specifier }) => /^\..*\.ts$/.test(specifier ?? ''))
    .reduce((result, { start, end }) => {
      // The specifier of import() includes its quotes.
      const specifier = result.slice(start, end).replace(/\.ts(\W?)$/, '.js$1');
      return result.slice(0, start) + specifier + result.slice(end);
    }, text);
}

/**
 * Replaces a file at once: whoever reads it meanwhile finds the old or the new one, never a part. On Windows, where a file
 * that somebody reads cannot be replaced, it tries again for a moment.
 */
function write(path, text) {
  const partial = join(ROOT, `${path}.${process.pid}.part`);
  mkdirSync(dirname(partial), { recursive: true });
  writeFileSync(partial, text);
  for (const ms of process.platform === 'win32' ? [10, 40, 160, 640] : []) {
    try {
      renameSync(partial, join(ROOT, path));
      return;
    } catch (error) {
      if (!['EPERM', 'EACCES', 'EBUSY'].includes(error.code)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, ms);
    }
  }
  renameSync(partial, join(ROOT, path));
}
