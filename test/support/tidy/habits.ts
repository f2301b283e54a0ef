import { isBuiltin } from 'node:module';
import ts from 'typescript';
import { importsOf } from './imports.ts';
import { findingAt, isIn, nodesOf, type Finding, type Source } from './source.ts';

const PURE = ['src/kernel', 'commands', 'projections'];

/** Matched against what `useOf` makes of a node. */
const IMPURE: readonly (readonly [RegExp, string])[] = [
  [/^(Date\.now|new Date\(\)|Date\(\)|performance\.)/, 'reads the clock: take the time as data or from the Clock port'],
  [/^(set(Timeout|Interval|Immediate)\(|AbortSignal\.timeout)/, 'starts a timer: use the Clock port'],
  [/^(Math\.random|crypto\.)/, 'is random: take ids as data, or from the Ids port'],
  [/^process\./, 'reads the process: take settings as a parameter'],
];

/** STYLE: deciders and projections give the same answer to the same events, today and in a replay in ten years. */
export function purity(source: Source): Finding[] {
  if (!isIn(source, ...PURE)) return [];
  const modules = importsOf(source)
    .filter(({ specifier }) => isBuiltin(specifier))
    .map(({ specifier, position }) =>
      findingAt(source, position, `${specifier} is for adapters: declare a port in src/kernel, implement it in infra`),
    );
  const uses = nodesOf(source).flatMap((node) => {
    const use = useOf(node);
    return IMPURE.filter(([pattern]) => pattern.test(use)).map(([, advice]) =>
      findingAt(source, node.getStart(), `${use} ${advice}`),
    );
  });
  return [...modules, ...uses];
}

/** What a node does with a name, written in one way: `name.member`, `name()`, `new Date()`; else nothing. */
function useOf(node: ts.Node): string {
  if (ts.isPropertyAccessExpression(node)) return memberOf(node.expression, node.name.text);
  if (ts.isElementAccessExpression(node)) return memberOf(node.expression, node.argumentExpression.getText());
  if (ts.isNewExpression(node)) return `new ${node.expression.getText()}(${node.arguments?.length ? '…' : ''})`;
  if (ts.isCallExpression(node)) return memberOf(node.expression, '').replace('.', node.arguments[0] ? '(…)' : '()');
  return '';
}

function memberOf(owner: ts.Expression, member: string): string {
  const name = owner.getText().replace(/^globalThis\./, '');
  return /^\w+$/.test(name) ? `${name}.${member}` : '';
}

export function kernelDocs(source: Source): Finding[] {
  if (!isIn(source, 'src/kernel')) return [];
  return source.tree.statements
    .filter((node) => isExported(node) && ts.getJSDocCommentsAndTags(node).length === 0)
    .map((node) => findingAt(source, node.getStart(), 'export without a doc comment: say what it is, units, errors'));
}

function isExported(node: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : [];
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}
