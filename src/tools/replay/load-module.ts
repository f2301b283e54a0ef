import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Message, Plugin } from 'esbuild';
import { ReplayRefused } from './refused.ts';

const PACKAGE_NAME = 'sim-racing-timing';

/** The module behind that name: the source or the compiled one, like this process. */
const API_URL = new URL(`./analysis${extname(import.meta.url)}`, import.meta.url).href;

const MODULE = /\.[mc]?[tj]s$/;
/** A specifier of a package, as opposed to a path. */
const BARE = /^[^./]/;

const MAX_ERRORS = 10;

/**
 * Runs a module in TypeScript or JavaScript; types are not checked.
 * @throws {ReplayRefused} when there is no such file, it has errors, or it throws.
 */
export async function loadModule(file: string) {
  if (!existsSync(file)) throw new ReplayRefused(`there is no file ${file}`);
  if (!MODULE.test(file) || !statSync(file).isFile()) {
    throw new ReplayRefused(`${file} is not a module: its name must end in .ts, .mts, .js or .mjs`);
  }
  const directory = mkdtempSync(join(tmpdir(), 'timing-module-'));
  try {
    const script = join(directory, 'module.mjs');
    const sources = await bundle(file, script);
    process.setSourceMapsEnabled(true);
    /** Identifies the version of the module and of the files that it imports. */
    const version = versionOf(file, sources);
    return { exported: await defaultExportOf(script, file), version };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function defaultExportOf(script: string, file: string): Promise<unknown> {
  try {
    const { default: exported } = (await import(pathToFileURL(script).href)) as { readonly default?: unknown };
    return exported;
  } catch (error) {
    throw new ReplayRefused(`${file} cannot be loaded: ${describeThrown(error)}`);
  }
}

/** Stack frames outside the module: this package, its dependencies, Node. */
const OTHER_FRAME = /node:|node_modules|[/\\]src[/\\](service|tools)[/\\]/;

const STACK_LINES = 3;

/** Describes what a module threw, with the lines of its stack in the module's own files. */
export function describeThrown(error: unknown): string {
  if (!(error instanceof Error)) return `it threw ${typeof error === 'string' ? JSON.stringify(error) : String(error)}`;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ +at /.test(line) && !OTHER_FRAME.test(line));
  return [`${error.name}: ${error.message}`, ...frames.slice(0, STACK_LINES)].join('\n');
}

/**
 * Bundles a module with the files that it imports by path; returns the paths of all of them.
 * @throws {ReplayRefused} with errors and their lines.
 */
async function bundle(file: string, script: string): Promise<readonly string[]> {
  const { build, stop } = await import('esbuild');
  const { metafile } = await build({
    entryPoints: [file],
    outfile: script,
    absWorkingDir: dirname(file),
    bundle: true,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    sourcemap: 'inline',
    logLevel: 'silent',
    plugins: [packages],
  }).catch((error: unknown) => {
    if (error instanceof Error && 'errors' in error) throw refusalOf(file, error.errors as readonly Message[]);
    throw error;
  });
  await stop();
  return Object.keys(metafile.inputs).map((path) => resolve(dirname(file), path));
}

/** Resolves this package from anywhere; other packages are imported from where the module finds them. */
const packages: Plugin = {
  name: 'packages',
  setup(build) {
    const isOurs = Symbol('a look-up of this plugin');
    build.onResolve({ filter: BARE }, async ({ path, kind, resolveDir, pluginData }) => {
      if (path === PACKAGE_NAME) return { path: API_URL, external: true };
      if (kind === 'entry-point' || pluginData === isOurs) return null;
      const found = await build.resolve(path, { kind, resolveDir, pluginData: isOurs });
      if (found.external || found.errors.length > 0) return found;
      return { path: pathToFileURL(found.path).href, external: true };
    });
  },
};

function versionOf(file: string, sources: readonly string[]): string {
  const hash = createHash('sha256');
  const others = sources.filter((path) => path !== file).toSorted();
  for (const path of [file, ...others]) hash.update(JSON.stringify([relative(file, path), readFileSync(path, 'utf8')]));
  return hash.digest('hex');
}

function refusalOf(file: string, errors: readonly Message[]): ReplayRefused {
  const lines = errors.slice(0, MAX_ERRORS).map(({ text, location }) => {
    if (location === null) return text;
    return `${resolve(dirname(file), location.file)}:${location.line}:${location.column + 1}: ${text}`;
  });
  const more = errors.length > MAX_ERRORS ? [`and ${errors.length - MAX_ERRORS} more`] : [];
  const count = errors.length === 1 ? 'an error' : `${errors.length} errors`;
  return new ReplayRefused([`${file} has ${count}`, ...lines, ...more].join('\n  '));
}
