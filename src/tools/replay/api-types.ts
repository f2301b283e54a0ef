import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type Typescript from 'typescript';
import { z } from 'zod';
import { CACHE, readCached, unchanged, Versions, versionsOf, writeCached } from './compile-cache.ts';
import { PACKAGE_NAME } from './package.ts';

/** The types of what this package exports to modules. */
export interface ApiTypes {
  /** Path of the file with them. */
  readonly file: string;
  /** Paths of the files that they were made from. */
  readonly sources: readonly string[];
}

const Entry = z.object({ file: z.string(), sources: Versions });
const RECORD = 'types.json';
/** Directories of declarations that are kept: another process may be reading those of a moment ago. */
const KEPT = 4;

/**
 * The declarations that were built with this package, as in an image; or, in a checkout, those of its sources, made
 * where there are none of these very sources: to check a module against the sources themselves takes five times as long.
 */
export function apiTypes(ts: typeof Typescript): ApiTypes {
  const root = dirname(createRequire(import.meta.url).resolve(`${PACKAGE_NAME}/package.json`));
  const source = join(root, 'src/tools/replay/analysis.ts');
  if (!existsSync(source)) return { file: join(root, 'dist/src/tools/replay/analysis.d.ts'), sources: [] };
  const known = Entry.safeParse(readCached(RECORD));
  if (known.success && existsSync(known.data.file) && unchanged(known.data.sources)) {
    return { file: known.data.file, sources: known.data.sources.map(([path]) => path) };
  }
  return declared(ts, root, source);
}

function declared(ts: typeof Typescript, root: string, source: string): ApiTypes {
  const outDir = join(CACHE, `types-${randomUUID()}`);
  const program = ts.createProgram({
    rootNames: [source],
    options: {
      target: ts.ScriptTarget.ES2023,
      lib: ['lib.es2023.d.ts'],
      module: ts.ModuleKind.NodeNext,
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      types: [],
      declaration: true,
      emitDeclarationOnly: true,
      allowImportingTsExtensions: true,
      rootDir: root,
      outDir,
    },
  });
  const sources = program.getSourceFiles().map(({ fileName }) => fileName);
  try {
    mkdirSync(CACHE, { recursive: true });
    removeOld();
    program.emit();
  } catch {
    return { file: source, sources }; // Where nothing can be written, modules are checked against the sources.
  }
  const own = sources.filter((path) => !path.includes('node_modules'));
  const file = join(outDir, 'src/tools/replay/analysis.d.ts');
  writeCached(RECORD, { file, sources: versionsOf(own) });
  return { file, sources: own };
}

function removeOld(): void {
  const madeAt = (name: string) => statSync(join(CACHE, name)).mtimeMs;
  const directories = readdirSync(CACHE).filter((name) => name.startsWith('types-'));
  for (const name of directories.sort((a, b) => madeAt(b) - madeAt(a)).slice(KEPT)) {
    rmSync(join(CACHE, name), { recursive: true, force: true });
  }
}
