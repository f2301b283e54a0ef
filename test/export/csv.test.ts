import { expect } from 'chai';
import { csvLine } from '../../src/service/exports/csv.ts';
import type { Json } from '../../src/kernel/json.ts';

/** Values, and their cells. */
const CELLS: readonly (readonly [Json, string])[] = [
  [null, ''],
  ['', '""'],
  [-5, '-5'],
  [false, 'false'],
  ['Anna', 'Anna'],
  ['A-B = C', 'A-B = C'],
  ['a, "b"', '"a, ""b"""'],
  ['a\nb', '"a\nb"'],
  ['a; b', '"a; b"'],
  ['a\tb', '"a\tb"'],
  [{ n: 'a;b' }, '"{""n"":""a;b""}"'],
  // Formulas, also where white space, control characters or characters without a width stand before the sign.
  ['=1+1', "'=1+1"],
  ['+a', "'+a"],
  ['-', "'-"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['=1;"', `"'=1;"""`],
  ['\t=1', `"'\t'=1"`],
  ['\r=1', `"'\r'=1"`],
  [' =1', "' =1"],
  ['\u00a0\u3000=1', "'\u00a0\u3000=1"],
  ['\u200b\ufeff=1', "'\u200b\ufeff=1"],
  ['\u0085\u0001=1', "'\u0085\u0001=1"],
  ['＝1', "'＝1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  // Formulas in cells that begin at a separator within a text, for who separates there; quotes do not hold them.
  ['a;=1+1', `"a;'=1+1"`],
  ['a;"=1+1;', `"a;""'=1+1;"`],
  ['a\t @b', `"a\t '@b"`],
  ['a\r\n-1', `"a\r\n'-1"`],
  ['a;b=1', '"a;b=1"'],
  [{ n: 'a;=1' }, `"{""n"":""a;'=1""}"`],
  [['a;', '=1'], '"[""a;"",""=1""]"'],
  // Telephone numbers.
  ['+49 151 23456789', '"\t+49 151 23456789"'],
  ['+1 (555) 010-0199', '"\t+1 (555) 010-0199"'],
  ['+(49) 30/1.23', '"\t+(49) 30/1.23"'],
  ['0151 23456789', '0151 23456789'],
  ['+49 151 x3', "'+49 151 x3"],
  ['+1;=2', `"'+1;'=2"`],
  ['+cmd|1', "'+cmd|1"],
];

describe('CSV', () => {
  it('quotes what separates cells somewhere, and holds no formula', () => {
    for (const [value, cell] of CELLS) expect(csvLine([value, 'x']), JSON.stringify(value)).to.equal(`${cell},x\r\n`);
  });

  it('leaves JSON that can be parsed', () => {
    const [, json = ''] = /^"(.*)"\r\n$/.exec(csvLine([{ n: 'a;=1', m: ';"-1' }])) ?? [];
    expect(JSON.parse(json.replaceAll('""', '"'))).to.deep.equal({ n: "a;'=1", m: `;"-1` });
  });
});
