import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** A parsed source file. */
export interface Source {
  /** Relative to the root of the project, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

/** A broken rule: where, and what to do instead. */
export interface Finding {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

export type Rule = (source: Source) => Finding[];

const ROOTS = ['src', 'commands', 'projections', 'queries', 'infra', 'test'];

export function parse(path: string, text: string): Source {
  return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
}

/** Every source file of the project; run from its root, as npm does. */
export function readSources(): Source[] {
  return ROOTS.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .map((path) => `${root}/${path.replaceAll('\\', '/')}`)
      .filter((path) => /\.(ts|js)$/.test(path))
      .sort()
      .map((path) => parse(path, readFileSync(path, 'utf8'))),
  );
}

export function isIn(source: Source, ...folders: readonly string[]): boolean {
  return folders.some((folder) => source.path.startsWith(`${folder}/`));
}

export function findingAt(source: Source, position: number, message: string): Finding {
  return { path: source.path, line: source.tree.getLineAndCharacterOfPosition(position).line + 1, message };
}

/** All nodes of the tree, parents first. */
export function nodesOf(source: Source): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source.tree);
  return nodes;
}
