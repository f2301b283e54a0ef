import { posix } from 'node:path';
import ts from 'typescript';
import { findingAt, nodesOf, type Finding, type Source } from './source.ts';

const KERNEL = 'src/kernel';
const DOMAIN = 'src/domain';
const EXAMPLES = 'projections/examples';

/** DESIGN §1: what each folder may import besides itself; of nested folders the innermost counts. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  [KERNEL]: [],
  [DOMAIN]: [KERNEL],
  commands: [KERNEL, DOMAIN],
  projections: [KERNEL, DOMAIN, 'commands'],
  /** An analyst's modules know the package by its name only. */
  [EXAMPLES]: [],
  queries: [KERNEL, DOMAIN, 'commands', 'projections'],
  infra: [KERNEL, DOMAIN],
  'src/demo': ['src/cli'],
  'src/cli': [KERNEL, DOMAIN, 'projections', 'infra', 'src'],
  src: [KERNEL, DOMAIN, 'commands', 'projections', 'queries', 'infra', 'src/cli', 'src/demo', 'dist/src/main.js'],
  test: [KERNEL, DOMAIN, 'commands', 'projections', EXAMPLES, 'queries', 'infra', 'src/cli', 'src/demo', 'src'],
};

interface Import {
  /** What is written: a package, or a path relative to the file. */
  readonly specifier: string;
  /** The file of ours that it means, else null. */
  readonly target: string | null;
  readonly position: number;
  /** False when a value other than a record of events (`rigEvents`) comes in, or might. */
  readonly eventsOnly: boolean;
}

export function importsOf(source: Source): Import[] {
  return nodesOf(source).flatMap((node) => {
    const specifier = specifierOf(node);
    if (specifier === null) return [];
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(source.path), specifier) : null;
    return [{ specifier, target, position: node.getStart(), eventsOnly: isEventsOnly(node) }];
  });
}

/** `import … from`, `export … from`, `import()` and `import('…').Type`. */
function specifierOf(node: ts.Node): string | null {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return textOf(node.moduleSpecifier);
  if (ts.isCallExpression(node)) {
    return node.expression.kind === ts.SyntaxKind.ImportKeyword ? textOf(node.arguments[0]) : null;
  }
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? textOf(node.argument.literal) : null;
  return null;
}

function textOf(node: ts.Node | undefined): string | null {
  return node !== undefined && ts.isStringLiteral(node) ? node.text : null;
}

function isEventsOnly(node: ts.Node): boolean {
  if (ts.isImportTypeNode(node)) return true;
  if (ts.isExportDeclaration(node)) {
    return node.isTypeOnly || (node.exportClause !== undefined && areEvents(node.exportClause));
  }
  if (!ts.isImportDeclaration(node)) return false;
  if (node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const names = node.importClause?.namedBindings;
  return names !== undefined && areEvents(names);
}

function areEvents(names: ts.NamedImportBindings | ts.NamedExportBindings): boolean {
  if (!ts.isNamedImports(names) && !ts.isNamedExports(names)) return false;
  const elements: readonly ts.ImportOrExportSpecifier[] = names.elements;
  return elements.every(
    ({ isTypeOnly, propertyName, name }) => isTypeOnly || (propertyName ?? name).text.endsWith('Events'),
  );
}

export function importArrows(source: Source): Finding[] {
  const from = layerOf(source.path);
  return importsOf(source).flatMap(({ target, position, eventsOnly }) => {
    const to = target === null ? from : layerOf(target);
    if (from === 'projections' && to === 'commands' && !eventsOnly) {
      return [findingAt(source, position, 'a projection imports types and events of commands only (DESIGN §1)')];
    }
    const allowed = MAY_IMPORT[from] ?? [];
    if (to === from || allowed.includes(to)) return [];
    const said = allowed.length === 0 ? 'nothing else of ours' : allowed.join(', ');
    const advice = 'move what is shared inward, or take it as a parameter';
    return [findingAt(source, position, `${from} may import ${said}, not ${to} (DESIGN §1): ${advice}`)];
  });
}

function layerOf(path: string): string {
  const folders = Object.keys(MAY_IMPORT).filter((folder) => path.startsWith(`${folder}/`));
  return folders.sort((a, b) => b.length - a.length)[0] ?? path;
}

/** Finds each cycle of imports once, types included: files that need each other are one file or lack a third. */
export function importCycles(sources: readonly Source[]): Finding[] {
  const imports = new Map(sources.map((source) => [source.path, importsOf(source).map(({ target }) => target)]));
  const done = new Set<string>();
  const findings: Finding[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      const cycle = [...trail.slice(trail.indexOf(path)), path].join(' → ');
      findings.push({ path, line: 1, message: `imports itself, ${cycle}: move what both need to a file of its own` });
    }
    if (done.has(path)) return;
    done.add(path);
    for (const target of imports.get(path) ?? []) {
      if (target !== null) visit(target, [...trail, path]);
    }
  };
  for (const path of imports.keys()) visit(path, []);
  return findings;
}
