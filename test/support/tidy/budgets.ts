import ts from 'typescript';
import { findingAt, isIn, nodesOf, tokensOf, type Finding, type Source } from './source.ts';

const FILE_LINES = 200;
/** Adapters hold the whole of a port, tests the whole of a subject. */
const LONG_FILE_LINES = 300;
const FUNCTION_LINES = 50;
const PARAMETERS = 3;
const COLUMNS = 120;

export function fileLength(source: Source): Finding[] {
  if (isIn(source, 'src/demo/data')) return [];
  const budget = isIn(source, 'infra', 'test') ? LONG_FILE_LINES : FILE_LINES;
  const lines = source.text.trimEnd().split('\n').length;
  if (lines <= budget) return [];
  const message = `file of ${lines} lines, ${budget} are allowed: move a part that has a name of its own out`;
  return [findingAt(source, source.text.length, message)];
}

export function lineWidth(source: Source): Finding[] {
  return source.text.split('\n').flatMap((line, index) => {
    const columns = Array.from(line).length;
    if (columns <= COLUMNS) return [];
    const message = `line of ${columns} columns, ${COLUMNS} are allowed: break it`;
    return [{ path: source.path, line: index + 1, message }];
  });
}

/** Counts lines with code. The callback of a `describe` is a list of tests: no budget, no part of what holds it. */
export function functionLength(source: Source): Finding[] {
  return functionsOf(source).filter((node) => !isSuite(node)).flatMap((node) => {
    const lines = linesOfCode(source, node);
    if (lines <= FUNCTION_LINES) return [];
    const message = `${nameOf(node)} of ${lines} lines, ${FUNCTION_LINES} are allowed: give a step of it a name`;
    return [findingAt(source, node.getStart(), message)];
  });
}

export function parameterCount(source: Source): Finding[] {
  return functionsOf(source).flatMap((node) => {
    const count = node.parameters.filter(({ name }) => name.getText() !== 'this').length;
    if (count <= PARAMETERS) return [];
    const message = `${nameOf(node)} with ${count} parameters, ${PARAMETERS} are allowed: take an object instead`;
    return [findingAt(source, node.getStart(), message)];
  });
}

function functionsOf(source: Source): ts.SignatureDeclaration[] {
  return nodesOf(source).filter(ts.isFunctionLike).filter((node) => !ts.isIndexSignatureDeclaration(node));
}

function isSuite(node: ts.Node): boolean {
  const call = ts.isFunctionLike(node) ? node.parent : null;
  return call !== null && ts.isCallExpression(call) && /\bdescribe\b/.test(call.expression.getText());
}

function linesOfCode(source: Source, node: ts.Node): number {
  const rows = new Set<number>();
  const row = (position: number): number => source.tree.getLineAndCharacterOfPosition(position).line;
  for (const token of tokensOf(node, isSuite)) {
    for (let line = row(token.getStart()); line <= row(token.end); line++) rows.add(line);
  }
  return rows.size;
}

function nameOf(node: ts.SignatureDeclaration): string {
  const holder = ts.isVariableDeclaration(node.parent) || ts.isPropertyAssignment(node.parent) ? node.parent : null;
  const name = node.name ?? holder?.name;
  return name === undefined ? 'function' : `function ${name.getText()}`;
}
