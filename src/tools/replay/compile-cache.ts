import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync, type BigIntStats } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';

/** A module and the files of its own that it imports, ready to be run. */
export interface Compiled {
  /** URL of the module. */
  readonly entry: string;
  /** JavaScript by URL of the source. */
  readonly outputs: ReadonlyMap<string, string>;
  /** Tells one version of the module from another. */
  readonly fingerprint: string;
  /** Paths of all files that were read, those with types only, too. */
  readonly sources: readonly string[];
  /** The versions of the module's own files from which the outputs were made. */
  readonly versions: Versions;
}

/** Where tools keep what they can make again. */
export const CACHE = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  '../.cache/timing-replay',
);

/** What decides on the result besides the files that were read. */
const COMPILER = fileURLToPath(new URL(`./compile${extname(import.meta.url)}`, import.meta.url));

/** Files that something was made from, and what tells the versions of each apart. */
export const Versions = z.array(z.tuple([z.string(), z.string()]));
type Versions = z.output<typeof Versions>;

const Entry = z.object({
  sources: Versions,
  entry: z.string(),
  outputs: z.array(z.tuple([z.string(), z.string()])),
  fingerprint: z.string(),
});

/**
 * What was remembered of a module, if none of the files that it was made of has changed since; or null. To load
 * TypeScript and check types takes as long as to replay half a million laps.
 */
export function recall(file: string): Compiled | null {
  const known = Entry.safeParse(readCached(nameOf(file)));
  if (!known.success) return null; // There is none, or one of another release: the module is compiled.
  const { sources, outputs, ...others } = known.data;
  if (others.entry !== pathToFileURL(file).href || !unchanged(sources)) return null;
  return { ...others, outputs: new Map(outputs), sources: sources.map(([path]) => path), versions: sources };
}

/** Remembers a module that was compiled without errors. */
export function remember(file: string, { sources, versions, entry, outputs, fingerprint }: Compiled): void {
  const compiled = new Set(versions.map(([path]) => path));
  const others = versionsOf([COMPILER, ...sources.filter((path) => !compiled.has(path))]);
  writeCached(nameOf(file), { sources: [...versions, ...others], entry, outputs: [...outputs], fingerprint });
}

/** One of 256: a module may take the place of another, so that there are never more. */
function nameOf(file: string): string {
  return `${createHash('sha256').update(file).digest('hex').slice(0, 2)}.json`;
}

/** What was kept under a name; undefined when there is nothing that can be read. */
export function readCached(name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(CACHE, name), 'utf8'));
  } catch {
    return undefined;
  }
}

/** Keeps something under a name. Where nothing can be written, as in a container, it is made again each time. */
export function writeCached(name: string, value: unknown): void {
  const partial = join(CACHE, `${randomUUID()}.part`);
  try {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(partial, JSON.stringify(value));
    renameSync(partial, join(CACHE, name));
  } catch {
    // It is a cache.
  }
}

/** @throws {Error} when there is no such file. */
export function versionsOf(paths: readonly string[]): Versions {
  return paths.map((path) => [path, versionOf(statSync(path, { bigint: true }))]);
}

/** Whether all files are there, and are what they were. */
export function unchanged(versions: Versions): boolean {
  return versions.every(([path, version]) => {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats !== undefined && versionOf(stats) === version;
  });
}

function versionOf({ mtimeNs, size }: BigIntStats): string {
  return `${mtimeNs} ${size}`;
}
