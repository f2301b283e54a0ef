import { expect } from 'chai';
import { kernelDocs, purity } from './support/tidy/habits.ts';
import { importArrows, importCycles } from './support/tidy/imports.ts';
import { parse, readSources, type Finding, type Rule } from './support/tidy/source.ts';

const RULES: Readonly<Record<string, Rule>> = {
  'imports point inward': importArrows,
  'the pure folders use no clock, randomness, environment or node modules': purity,
  'all that the kernel exports is documented': kernelDocs,
};

function expectNone(findings: readonly Finding[]): void {
  const list = findings.map(({ path, line, message }) => `\n  ${path}:${line} ${message}`);
  expect(findings, `${list.length} found:${list.join('')}\n`).to.be.empty;
}

describe('tidy: the tree', () => {
  const sources = readSources();

  for (const [law, rule] of Object.entries(RULES)) {
    it(law, () => {
      expectNone(sources.flatMap(rule));
    });
  }

  it('has no cycle of imports', () => {
    expectNone(importCycles(sources));
  });
});

/** The lines that a rule finds fault with. */
function lines(rule: Rule, path: string, text: string): number[] {
  return rule(parse(path, text)).map(({ line }) => line);
}

describe('tidy: what the rules find', () => {
  it('an import against the arrows, however it is written', () => {
    const wrong: readonly (readonly [string, string])[] = [
      ['src/kernel/a.ts', "import { x } from '../domain/x.ts';"],
      ['src/domain/a.ts', "import type { X } from '../http/x.ts';"],
      ['commands/a.ts', "export { x } from '../projections/x.ts';"],
      ['commands/a.ts', "const x = await import('../infra/x.ts');"],
      ['projections/a.ts', "import { xEvents, x } from '../commands/x.ts';"],
      ['projections/a.ts', "import * as xEvents from '../commands/x.ts';"],
      ['projections/a.ts', "export { xEvents, x } from '../commands/x.ts';"],
      ['projections/a.ts', "export * from '../commands/x.ts';"],
      ['queries/a.ts', "type X = import('../src/config/config.ts').Config;"],
      ['infra/read-store/a.ts', "import { x } from '../../commands/x.ts';"],
      ['src/demo/a.ts', "import { x } from '../kernel/x.ts';"],
      ['src/app.ts', "import { x } from '../test/x.ts';"],
    ];
    for (const [path, text] of wrong) {
      expect(lines(importArrows, path, `\n${text}`), `${path}: ${text}`).to.deep.equal([2]);
    }
    const right: readonly (readonly [string, string])[] = [
      ['src/kernel/a.ts', "import { z } from 'zod';\nimport { x } from './x.ts';"],
      ['projections/a.ts', "import type { X } from '../commands/x.ts';\nimport { y } from '../src/kernel/y.ts';"],
      ['projections/a.ts', "import { xEvents, type X } from '../commands/x.ts';"],
      ['projections/a.ts', "export { xEvents, type X } from '../commands/x.ts';"],
      ['queries/a.ts', "import { x } from '../projections/x.ts';"],
      ['infra/read-store/a.ts', "import { x } from '../event-store/x.ts';"],
      ['src/app.ts', "import { x } from '../infra/x.ts';\nimport { y } from './demo/y.ts';"],
      ['test/a.ts', "import { x } from '../src/app/service.ts';"],
    ];
    for (const [path, text] of right) expect(lines(importArrows, path, text), `${path}: ${text}`).to.be.empty;
  });

  it('a cycle of imports, with its path', () => {
    const file = (name: string, other: string) => parse(`src/${name}.ts`, `import type { X } from './${other}.ts';`);
    expect(importCycles([file('a', 'b'), file('b', 'c'), file('d', 'a')])).to.be.empty;
    const [finding, ...others] = importCycles([file('d', 'a'), file('a', 'b'), file('b', 'c'), file('c', 'a')]);
    expect(finding?.message).to.include('src/a.ts → src/b.ts → src/c.ts → src/a.ts');
    expect(others).to.be.empty;
  });

  it('impurity in the pure folders, and only there', () => {
    const impure = [
      'Date.now()',
      'new Date()',
      'Date()',
      'performance.now()',
      'globalThis.performance.now()',
      'setImmediate(f)',
      'Math.random()',
      'crypto.randomUUID()',
      'process.env.X',
      "process['env']",
      'setTimeout(f, 1)',
      'AbortSignal.timeout(1)',
      "import('node:fs')",
      "import('crypto')",
    ];
    for (const text of impure) {
      for (const folder of ['src/kernel', 'commands', 'projections']) {
        expect(lines(purity, `${folder}/a.ts`, `\nconst x = ${text};`), text).to.deep.equal([2]);
      }
      expect(lines(purity, 'infra/a.ts', `const x = ${text};`), text).to.be.empty;
    }
    const pure = ['new Date(at)', 'Date.parse(at)', 'runner.process(x)', 'this.crypto.x', "'Date.now()'", '1'];
    for (const text of pure) expect(lines(purity, 'commands/a.ts', `const x = ${text};`), text).to.be.empty;
  });

  it('exports of the kernel without a doc comment', () => {
    const text = [
      '/** Doc. */',
      'export type A = 1;',
      'export interface B {}',
      '// not a doc comment',
      'export const c = 1;',
      'export class D {}',
      'export function e() {}',
      'function f() {}',
    ].join('\n');
    expect(lines(kernelDocs, 'src/kernel/a.ts', text)).to.deep.equal([3, 5, 6, 7]);
    expect(lines(kernelDocs, 'src/http/a.ts', text)).to.be.empty;
  });
});
