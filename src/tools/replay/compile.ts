import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type Typescript from 'typescript';
import { apiTypes } from './api-types.ts';
import { unchanged, versionsOf, type Compiled } from './compile-cache.ts';
import { PACKAGE_NAME } from './package.ts';
import { ReplayRefused } from './refused.ts';

// An import would look through all of its 9 MB for names that it exports: a quarter of a second.
const ts = createRequire(import.meta.url)('typescript') as typeof Typescript;

const TYPESCRIPT = /\.[mc]?ts$/;
const KINDS = /\.([mc]?ts|[mc]?js)$/;
/** Signs that a module needs the types of Node, which most do without: reading them takes a while. */
const OF_NODE = /\b(console|process|Buffer|fetch|URL|setTimeout)\b|['"]node:/;

/** Problems that are shown at once. */
const MAX_PROBLEMS = 10;

const OPTIONS: Typescript.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  strict: true,
  allowJs: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

/**
 * Reads a module for `sim-racing-timing replay` and checks it as strictly as this package checks itself.
 * @throws {ReplayRefused} when there is no such file, or it has errors: a line for each, with file and line number.
 */
export function compile(file: string): Compiled {
  if (!existsSync(file)) throw new ReplayRefused(`there is no file ${file}`);
  if (!KINDS.test(file) || !statSync(file).isFile()) {
    throw new ReplayRefused(`${file} is no module: a file whose name ends in .ts, .mts, .js or .mjs is wanted`);
  }
  for (;;) {
    const files = closureOf(file);
    const versions = versionsOf(files);
    const compiled = compileFiles(file, files);
    // One that was saved meanwhile may have been read before or after, and may import other files now.
    if (unchanged(versions) && isDeepStrictEqual(closureOf(file), files)) return { ...compiled, versions };
  }
}

function compileFiles(file: string, files: readonly string[]): Omit<Compiled, 'versions'> {
  const { problems, sources } = check(file, files);
  if (problems.length > 0) throw new ReplayRefused(textOf(file, problems));
  const hash = createHash('sha256');
  const outputs = new Map<string, string>();
  for (const each of files) {
    const text = readFileSync(each, 'utf8');
    hash.update(JSON.stringify([relative(file, each), text]));
    const output = outputOf(each, text);
    if (output !== null) outputs.set(pathToFileURL(each).href, output);
  }
  return { entry: pathToFileURL(file).href, outputs, fingerprint: hash.digest('hex'), sources };
}

/** The file and those that it imports by relative paths, directly or not. */
function closureOf(file: string): readonly string[] {
  const found = new Set([file]);
  for (const each of found) {
    for (const { fileName: specifier } of ts.preProcessFile(readFileSync(each, 'utf8'), true, true).importedFiles) {
      if (!specifier.startsWith('.')) continue;
      const { resolvedModule } = ts.resolveModuleName(specifier, each, OPTIONS, ts.sys);
      const imported = resolvedModule?.resolvedFileName;
      if (imported !== undefined && KINDS.test(imported) && !imported.endsWith('.d.ts')) found.add(imported);
    }
  }
  return [...found];
}

interface Checked {
  readonly problems: readonly Typescript.Diagnostic[];
  readonly sources: readonly string[];
}

/** Finds errors of syntax, and of types where there are any. */
function check(file: string, files: readonly string[]): Checked {
  const syntax = files.flatMap((each) => {
    const { diagnostics = [] } = ts.transpileModule(readFileSync(each, 'utf8'), {
      fileName: each,
      reportDiagnostics: true,
      compilerOptions: { ...OPTIONS, noEmit: false },
    });
    return diagnostics;
  });
  if (syntax.length > 0 || !files.some((each) => TYPESCRIPT.test(each))) return { problems: syntax, sources: files };
  const types = apiTypes(ts);
  const options: Typescript.CompilerOptions = {
    ...OPTIONS,
    paths: { [PACKAGE_NAME]: [types.file] },
    types: files.some((each) => OF_NODE.test(readFileSync(each, 'utf8'))) ? ['node'] : [],
    typeRoots: ts.getEffectiveTypeRoots({}, { getCurrentDirectory: () => import.meta.dirname }) ?? [],
  };
  const program = ts.createProgram({ rootNames: [file], options });
  return {
    problems: files.flatMap((each) => [...program.getSemanticDiagnostics(program.getSourceFile(each))]),
    sources: [...program.getSourceFiles().map(({ fileName }) => fileName), ...types.sources],
  };
}

/** Null for what Node runs as it is: JavaScript in the older style, without import and export. */
function outputOf(file: string, text: string): string | null {
  const isScript = !ts.isExternalModule(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  if (isScript && !TYPESCRIPT.test(file)) return null;
  const compilerOptions = { ...OPTIONS, noEmit: false, inlineSourceMap: true, inlineSources: true };
  return ts.transpileModule(text, { fileName: file, compilerOptions }).outputText;
}

function textOf(file: string, problems: readonly Typescript.Diagnostic[]): string {
  const lines = problems.slice(0, MAX_PROBLEMS).map((problem) => {
    const message = ts.flattenDiagnosticMessageText(problem.messageText, '\n  ');
    if (problem.file === undefined || problem.start === undefined) return `${file}: ${message}`;
    const { line, character } = problem.file.getLineAndCharacterOfPosition(problem.start);
    return `${problem.file.fileName}:${line + 1}:${character + 1}: ${message}`;
  });
  const more = problems.length > MAX_PROBLEMS ? [`and ${problems.length - MAX_PROBLEMS} more`] : [];
  const count = problems.length === 1 ? 'an error' : `${problems.length} errors`;
  return [`${file} has ${count}`, ...lines, ...more].join('\n  ');
}
