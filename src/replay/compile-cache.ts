import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Compiled } from './compile.ts';

/** Where tools keep what they can make again. */
const DIRECTORY = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  '../.cache/timing-replay',
);

/** What decides on the result besides the files that were read. */
const COMPILER = fileURLToPath(new URL(`./compile${extname(import.meta.url)}`, import.meta.url));

const Entry = z.object({
  /** Every file that was read, and what tells its versions apart. */
  sources: z.array(z.tuple([z.string(), z.string()])),
  entry: z.string(),
  outputs: z.array(z.tuple([z.string(), z.string()])),
  fingerprint: z.string(),
});

/**
 * What was remembered of a module, if none of the files that it was made of has changed since; or null. To load
 * TypeScript and check types takes as long as to replay half a million laps.
 */
export function recall(file: string): Compiled | null {
  try {
    const { sources, outputs, ...others } = Entry.parse(JSON.parse(readFileSync(pathOf(file), 'utf8')));
    if (others.entry !== pathToFileURL(file).href) return null;
    if (sources.some(([path, version]) => versionOf(path) !== version)) return null;
    return { ...others, outputs: new Map(outputs), sources: sources.map(([path]) => path) };
  } catch {
    return null; // There is none, or one of another release: the module is compiled.
  }
}

/** Remembers a module that was compiled without errors. */
export function remember(file: string, { sources, entry, outputs, fingerprint }: Compiled): void {
  const versions = [COMPILER, ...sources].map((path) => [path, versionOf(path)]);
  const partial = join(DIRECTORY, `${randomUUID()}.part`);
  try {
    mkdirSync(DIRECTORY, { recursive: true });
    writeFileSync(partial, JSON.stringify({ sources: versions, entry, outputs: [...outputs], fingerprint }));
    renameSync(partial, pathOf(file));
  } catch {
    // Where nothing can be written, as in a container, it is compiled each time.
  }
}

/** One of 256: a module may take the place of another, so that there are never more. */
function pathOf(file: string): string {
  return join(DIRECTORY, `${createHash('sha256').update(file).digest('hex').slice(0, 2)}.json`);
}

/** @throws {Error} when there is no such file any more. */
function versionOf(path: string): string {
  const { mtimeNs, size } = statSync(path, { bigint: true });
  return `${mtimeNs} ${size}`;
}
