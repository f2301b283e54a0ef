import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { transform } from 'esbuild';
import fc from 'fast-check';
import { csvLine, type Delimiter } from '../../src/service/exports/csv.ts';
import { csvTable, listPieces } from '../../src/service/http/list-body.ts';
import type { Document } from '../../src/kernel/ports/read-store.ts';
import { createTable } from '../../src/tools/export/table.ts';
import { csv } from '../../src/tools/replay/output.ts';
import { readCsv } from '../support/csv.ts';

const META = { _created: 1, _position: 1, _revision: 0 };
const DELIMITERS: readonly Delimiter[] = [',', ';', '\t'];

/** What the guard looks at, and what it does not. */
const SIGNS = [
  ...["'", '"', '=', '+', '-', '@', '＝', '＠', ',', ';', '\t', '\r', '\n', ' ', '\u00a0', '\u200b', '\ufeff', '\v'],
  ...['\u0085', '\u2028', 'a', '1', '(', '\\', '[', '{', 'é', '\u{1f3ce}'],
];
const SPECIAL = fc.string({ unit: fc.constantFrom(...SIGNS), maxLength: 12 });
const PHONES = fc.string({ unit: fc.constantFrom('+', '4', ' ', '(', ')', '/', '.', '-', '\t', "'"), maxLength: 8 });
const TEXT = fc.oneof(SPECIAL, PHONES, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
/** No text is missing, and one without a sign is nothing to guard. */
const TEXTS = fc.array(TEXT, { minLength: 1, maxLength: 6 });

/** The function of the documents that undoes the guard, for a file with this delimiter. */
async function documentedInverse(delimiter: Delimiter): Promise<(cell: string) => string> {
  const document = readFileSync('docs/interface.md', 'utf8');
  const [, code = ''] = /```ts\n(export function textOf[^`]+)```/.exec(document) ?? [];
  const adapted = delimiter === ',' ? code : code.replace('([;', '([,;');
  const { code: script } = await transform(adapted, { loader: 'ts' });
  const module: unknown = await import(`data:text/javascript,${encodeURIComponent(script)}`);
  if (typeof module !== 'object' || module === null || !('textOf' in module))
    throw new TypeError('docs/interface.md has no function that undoes the guard');
  const { textOf } = module;
  if (typeof textOf !== 'function') throw new TypeError('textOf is no function');
  return (cell) => String(Reflect.apply(textOf, undefined, [cell]));
}

async function textFrom(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

type Rows = readonly (readonly string[])[];
type Writer = (rows: Rows, delimiter: Delimiter) => Promise<string>;

const columnsOf = ([first = []]: Rows): readonly string[] => first.map((_, n) => `c${n}`);
const recordOf = (cells: readonly string[]) => Object.fromEntries(cells.map((cell, n) => [`c${n}`, cell]));
const documentOf = (cells: readonly string[], n: number): Document => ({ ...META, id: `d${n}`, ...recordOf(cells) });

/** Everything that writes CSV: the line, lists and results over HTTP, the command `export`, the output of a replay. */
const WRITERS: Readonly<Record<string, Writer>> = {
  async line(rows, delimiter) {
    return [columnsOf(rows), ...rows].map((cells) => csvLine(cells, delimiter)).join('');
  },
  async list(rows, delimiter) {
    const fields = columnsOf(rows);
    async function* batches() {
      yield rows.map(recordOf);
    }
    const form = { name: 'list', fields, instants: new Set<string>(), bom: false, delimiter };
    return textFrom(listPieces(batches(), form));
  },
  async results(rows, delimiter) {
    return csvTable(columnsOf(rows), rows, { bom: false, delimiter });
  },
  async export(rows) {
    const folder = mkdtempSync(join(tmpdir(), 'timing-csv-'));
    try {
      const file = join(folder, 'table.csv');
      const columns = columnsOf(rows).map((name) => ({
        name,
        type: 'text' as const,
        isList: false,
        valueOf: (document: Document) => document[name],
      }));
      const table = createTable('csv', columns, () => file);
      for (const [n, cells] of rows.entries()) table.add(documentOf(cells, n));
      table.finish();
      table.publish();
      return readFileSync(file, 'utf8');
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  async replay(rows) {
    async function* documents() {
      yield rows.map(documentOf);
    }
    let text = '';
    for await (const piece of csv(documents)) text += piece.text;
    return text;
  },
};
const HAS_DELIMITERS: readonly string[] = ['line', 'list', 'results'];

describe('CSV: the guard of cells', () => {
  for (const [name, write] of Object.entries(WRITERS)) {
    for (const delimiter of HAS_DELIMITERS.includes(name) ? DELIMITERS : [',' as const]) {
      it(`is undone by the documented function: ${name}, ${JSON.stringify(delimiter)}`, async () => {
        const textOf = await documentedInverse(delimiter);
        const check = async (rows: Rows) => {
          const [header = [], ...lines] = readCsv(await write(rows, delimiter), delimiter);
          const shown = columnsOf(rows).map((column) => header.indexOf(column));
          const texts = lines.map((cells) => shown.map((n) => textOf(cells[n] ?? '')));
          expect(texts).to.deep.equal(rows);
        };
        const numRuns = name === 'export' ? 60 : 600;
        await fc.assert(
          fc.asyncProperty(TEXTS, (cells) => check([cells])),
          { numRuns },
        );
        await check([["'=x"], ['=x'], ["'t Hooft"], ["''=x"], ["a;'=1"], ['a;=1'], ['\t+49 1'], ['+49 1'], ["'+49 1"]]);
      });
    }
  }

  it('leaves no sign of a formula at the beginning of a cell, whatever separates cells', () => {
    fc.assert(
      fc.property(SPECIAL, fc.constantFrom(...DELIMITERS), (text, delimiter) => {
        const line = csvLine([text], delimiter);
        const [whole = '', ...parts] = (readCsv(line, delimiter)[0]?.[0] ?? '').split(
          delimiter === ',' ? /[;\t\r\n]/ : /[,;\t\r\n]/,
        );
        if (/^\+\(?\d/.test(text)) return;
        // A part of a text is a cell to a reader who ignores quotes.
        for (const cell of [whole, ...parts.map((part) => part.replaceAll('"', ''))]) {
          const [first = ' '] = cell.replace(/^[\s\p{Cc}\p{Cf}]+/u, '');
          expect('=+-@＝＋－＠'.includes(first), cell).to.equal(false);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('gives JSON back as it was', async () => {
    for (const delimiter of DELIMITERS) {
      const textOf = await documentedInverse(delimiter);
      fc.assert(
        fc.property(fc.jsonValue(), SPECIAL, (value, text) => {
          const json = { value, text };
          const cell = readCsv(csvLine([json], delimiter), delimiter)[0]?.[0] ?? '';
          expect(textOf(cell)).to.equal(JSON.stringify(json));
        }),
      );
    }
  });
});
