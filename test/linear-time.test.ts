import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import parseRange from 'range-parser';
import { analyse } from 'scslre';
import ts from 'typescript';
import { z } from 'zod';
import { ChangeApiKeyBody, IssueApiKeyBody } from '../commands/api-keys.ts';
import { CdnRequest, isFilePath } from '../commands/files.ts';
import { BatchLap } from '../commands/laps.ts';
import { ChangeLicenseBody, IssueLicenseBody } from '../commands/licenses.ts';
import { RegisterRigBody } from '../commands/rigs.ts';
import { announceSequence } from '../commands/sequences.ts';
import { keyOf } from '../infra/lmdb/keys.ts';
import { reasonOf } from '../infra/eventstoredb/refusals.ts';
import { valueOf } from '../infra/mongodb/documents.ts';
import { fullName, publicNameOf } from '../src/domain/public-names.ts';
import { csvLine, type Delimiter } from '../src/service/exports/csv.ts';
import { equal, filterParameter, wholeNumber } from '../src/domain/filters.ts';
import { jsonObjectText } from '../src/domain/fields.ts';
import { withoutTokens } from '../src/domain/secrets.ts';
import { unstorable } from '../src/domain/storable-json.ts';
import { clientName, forwardedAddress, plainAddress } from '../src/service/http/client-address.ts';
import { qualitiesOf } from '../src/service/http/compression.ts';
import { parseBody, pointerStep } from '../src/service/http/parameters.ts';
import { Problem } from '../src/service/http/problems.ts';
import { parseJson } from '../src/service/http/json-body.ts';
import { parseIfMatch } from '../src/service/http/etags.ts';
import { isWellFormed } from '../src/service/access/authenticator.ts';
import { requireStreamName } from '../src/kernel/stream-names.ts';
import { canonicalJson, roughBytesOf, sameJson } from '../src/kernel/json.ts';
import { RESOURCES } from '../src/service/resources/index.ts';
import { depth } from './support/depth.ts';

const FOLDERS = ['src', 'commands', 'projections', 'queries', 'infra', 'docs/examples'];
const GENERATED = join('src', 'clients', 'generated');

interface Expression {
  readonly where: string;
  readonly text: string;
}

/** Regular expressions of our code: the literal ones, and calls that make others. */
function expressionsIn(file: string): { readonly literal: Expression[]; readonly made: Expression[] } {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const literal: Expression[] = [];
  const made: Expression[] = [];
  const visit = (node: ts.Node): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    const where = `${file}:${line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) literal.push({ where, text: node.text });
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(source) === 'RegExp')
      made.push({ where: file, text: node.getText(source) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { literal, made };
}

/** How an expression may take more than linear time: by its quantifiers within a match, or from start to start. */
function risksOf(text: string): readonly string[] {
  const end = text.lastIndexOf('/');
  const { reports } = analyse(
    { source: text.slice(1, end), flags: text.slice(end + 1) },
    { assumeRejectingSuffix: false },
  );
  return reports.map(({ type }) => type);
}

/** Expressions that are made from texts, and why they are linear. */
const MADE: Readonly<Record<string, string>> = {
  'src/tools/export/target.ts': 'names of files of one directory; each quantifier is followed by what it cannot match',
  'src/clients/web/admin/api/drafts.ts': 'patterns of the API document, which are literal expressions of commands',
  'src/clients/web/shared/fold.ts': 'one class of letters, without a quantifier',
  'src/domain/words.ts': 'one class of letters, without a quantifier',
  'infra/mongodb/open-server.ts': 'a word of a setting in a message of the client',
  'src/clients/web/admin/api/sentences.ts': 'sentences of the service, on its answers, which are short',
};

const MIB = 1_048_576;

/** What texts are made of: each sign alone, and pairs that expressions tend to trip over. */
const UNITS: Readonly<Record<string, string>> = {
  letters: 'a',
  capitals: 'A',
  digits: '1',
  blanks: ' ',
  tabs: '\t',
  'line feeds': '\n',
  'carriage returns': '\r',
  'line ends': '\r\n',
  quotes: '"',
  apostrophes: "'",
  backslashes: '\\',
  'escaped quotes': '\\"',
  'unicode escapes': '\\u0041',
  slashes: '/',
  dots: '.',
  commas: ',',
  semicolons: ';',
  colons: ':',
  percent: '%',
  'percent codes': '%25',
  plus: '+',
  hyphens: '-',
  underscores: '_',
  'equals signs': '=',
  'at signs': '@',
  'opening brackets': '[',
  'opening braces': '{',
  brackets: '[]',
  parentheses: '(',
  'angle brackets': '<',
  ampersands: '&',
  'question marks': '?',
  hashes: '#',
  asterisks: '*',
  dollars: '$',
  tildes: '~',
  invisible: '\u200b',
  'byte order marks': '\ufeff',
  'no-break spaces': '\u00a0',
  controls: '\u0001',
  combining: '\u0301',
  'combined letters': 'a\u0301',
  'high surrogates': '\ud83c',
  'low surrogates': '\udfce',
  emoji: '\u{1f3ce}',
  'full-width signs': '＝',
  umlauts: 'ä',
  'semicolons and quotes': ';"',
  'semicolons and apostrophes': ";'",
  'tags of entities': '"a",',
  'items of headers': 'a;q=1,',
  'numbers with exponents': '1e1',
  decimals: '1.5,',
  'keys of objects': '"a":1,',
  tokens: 'srt_aaaaaaaa_',
  'dots and letters': 'a.',
  'colons and digits': '1:',
};

/** What lists of many items are made of. */
const ITEMS: Readonly<Record<string, string>> = {
  zeros: '0,',
  nulls: 'null,',
  texts: '"",',
  objects: '{},',
  lists: '[],',
  decimals: '-0.5,',
};

/** Texts of 1 MiB; flat, as a text that was just joined is copied at its first use. */
function* textsOf(unit: string): Generator<string> {
  const whole = unit.repeat(MIB / unit.length);
  yield flat(whole);
  // Where an expression that began at the front, or anywhere, fails at last.
  yield flat(`;${whole}!`);
  yield flat(`"${whole}\u2603`);
}

function flat(text: string): string {
  Number(text);
  return text;
}

/**
 * Most ms of CPU for 1 MiB, the quickest of several tries: other tests run beside it, and take their part of the
 * processor's caches and of the garbage collection. Alone it takes a quarter at most; whatever grows faster than its
 * input takes seconds.
 */
const MOST_MS = 200;
const TRIES = 20;

/** Step through the kinds of text for one body. With the short one, each kind is tried with every fourth body. */
const EVERY = depth({ short: 4, deep: 1 });

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  try {
    work();
  } catch (error) {
    // What cannot be read is refused by an error of ours, in as little time.
    if (!(error instanceof Problem || error instanceof TypeError || error instanceof URIError)) throw error;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function expectQuick(name: string, work: () => unknown): void {
  let least = Infinity;
  for (let tries = 0; tries < TRIES && least > MOST_MS; tries += 1) least = Math.min(least, cpuMs(work));
  expect(least, `ms of CPU: ${name}`).to.be.at.most(MOST_MS);
}

const DELIMITERS: readonly Delimiter[] = [',', ';', '\t'];
const TEXT_FILTER = filterParameter(equal('text'), z.object({ text: z.string() }));

/** Everything that takes a text from outside: as a value or key of a body, in a header, a path or a query. */
const TAKERS: Readonly<Record<string, (text: string) => unknown>> = {
  ...Object.fromEntries(
    DELIMITERS.map((delimiter) => [
      `csvLine ${JSON.stringify(delimiter)}`,
      (text: string) => csvLine([text], delimiter),
    ]),
  ),
  // A sign takes up to six in JSON, and a body has 1 MiB.
  'csvLine of JSON': (text) => csvLine([[text.slice(0, MIB / 6)]]),
  'parseJson of any text': (text) => parseJson(text, 32),
  unstorable: (text) => unstorable([text]),
  'unstorable keys': (text) => unstorable({ [text]: 1 }),
  jsonObjectText: (text) => jsonObjectText.safeParse(text),
  canonicalJson: (text) => canonicalJson([text.slice(0, MIB / 6)]),
  sameJson: (text) => sameJson([text], [text]),
  roughBytesOf: (text) => roughBytesOf([text]),
  qualitiesOf,
  parseIfMatch,
  'parseRange of the range-parser': (text) => parseRange(1_000, `bytes=${text}`),
  forwardedAddress: (text) => forwardedAddress(text, () => true),
  clientName,
  plainAddress,
  withoutTokens,
  isWellFormed,
  requireStreamName,
  pointerStep,
  fullName: (text) => fullName({ firstName: text, lastName: text }),
  publicNameOf: (text) => publicNameOf({ firstName: text, lastName: text, nickname: null }, 'initial'),
  isFilePath: (name) => isFilePath({ type: 'LOGO', name }),
  'keys of the embedded store': (text) => keyOf(['field'], { field: text }),
  'values of MongoDB': (text) => valueOf([text.slice(0, MIB / 6)]),
  'refusals of EventStoreDB': (text) => reasonOf(new Error(text)),
  'a filter by a text': (text) => TEXT_FILTER.safeParse(text),
  'a whole number': (text) => wholeNumber(0, 10).safeParse(text),
};

/** What takes only texts that can be stored: `unstorable` has refused halves of surrogate pairs. */
const AFTER_CHECK: readonly string[] = ['csvLine of JSON', 'canonicalJson', 'values of MongoDB', 'sameJson'];

const BODIES: readonly (readonly [name: string, body: z.ZodType])[] = [
  ...RESOURCES.flatMap(({ path, create }) => (create === null ? [] : [[`POST ${path}`, create.body] as const])),
  ...RESOURCES.flatMap(({ path, change }) => (change === null ? [] : [[`PATCH ${path}`, change.body] as const])),
  ['POST /api/v1/laps/batch', BatchLap],
  ['POST /api/v1/rigs', RegisterRigBody],
  ['PUT /api/v1/rigs/{rigId}/sequence', announceSequence.body],
  ['POST /api/v1/api-keys', IssueApiKeyBody],
  ['PATCH /api/v1/api-keys', ChangeApiKeyBody],
  ['POST /api/v1/licenses', IssueLicenseBody],
  ['PATCH /api/v1/licenses', ChangeLicenseBody],
  ['POST /api/v1/cdn', CdnRequest],
];

/** Each field of a body with a text as its value, an item of it, and a value within it. */
function* bodiesWith(body: z.ZodType, text: string): Generator<object> {
  if (!(body instanceof z.ZodObject)) throw new TypeError('a body is an object');
  for (const field of Object.keys(body.shape)) {
    yield { [field]: text };
    yield { [field]: [text] };
    yield { [field]: { boot: text, licenseKey: text, issuedAt: text, signature: text } };
  }
}

describe('linear time', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|tsx|js)$/.test(name))
      .map((name) => join(folder, name)),
  ).filter((file) => !file.startsWith(GENERATED));
  const found = files.map(expressionsIn);

  it('is enough for every regular expression', () => {
    const risky = found.flatMap(({ literal }) =>
      literal.flatMap(({ where, text }) => risksOf(text).map((risk) => `${where}: ${text}: ${risk}`)),
    );
    expect(found.flatMap(({ literal }) => literal).length).to.be.greaterThan(100);
    expect(risky).to.deep.equal([]);
    expect(found.flatMap(({ made }) => made.map(({ where }) => where))).to.have.members(Object.keys(MADE));
  });

  it('is distinguished from quadratic and exponential time by the checker', () => {
    for (const text of [
      String.raw`/(?<=[;\t][\s"]*)=/g`,
      String.raw`/\s+$/`,
      String.raw`/(a+)+$/`,
      String.raw`/(?:a|a)*$/`,
      String.raw`/\s*,\s*/`,
      String.raw`/^[a-z.]*[a-z][a-z.]*$/`,
      String.raw`/x(?=.*y)/`,
    ])
      expect(risksOf(text), text).not.to.deep.equal([]);
    for (const text of [String.raw`/^\s+/`, String.raw`/(?<!\/)\/+$/`, '/[;"]/'])
      expect(risksOf(text), text).to.deep.equal([]);
  });

  for (const [name, take] of Object.entries(TAKERS)) {
    it(`is enough for ${name} with 1 MiB of any one character`, () => {
      for (const [kind, unit] of Object.entries(UNITS)) {
        if (AFTER_CHECK.includes(name) && kind.endsWith(' surrogates')) continue;
        for (const text of textsOf(unit)) expectQuick(`${name}, ${kind}`, () => take(text));
      }
    });
  }

  it('is enough for a JSON text full of one character, as a string, a key or a number', () => {
    for (const [kind, unit] of Object.entries(UNITS)) {
      const text = unit.repeat(MIB / 8 / unit.length);
      const quoted = JSON.stringify(text);
      const whole = JSON.stringify([text.repeat(Math.floor(MIB / quoted.length))]);
      const key = JSON.stringify({ [text.repeat(Math.floor(MIB / quoted.length))]: 1 });
      expectQuick(`text of ${kind}`, () => parseJson(whole, 32));
      expectQuick(`key of ${kind}`, () => parseJson(key, 32));
    }
    const many = (item: (n: number) => string): string => {
      const items: string[] = [];
      for (let length = 0; length < MIB; length += (items.at(-1)?.length ?? 0) + 1) items.push(item(items.length));
      return items.join(',');
    };
    for (const [kind, text] of Object.entries({
      'a long number': `[${'1'.repeat(MIB)}]`,
      'a long decimal': `[1.${'1'.repeat(MIB)}]`,
      'a long exponent': `[1e${'1'.repeat(MIB)}]`,
      zeros: `[0.${'0'.repeat(MIB)}]`,
      'numbers of 15 digits': `[${many(() => '123456789012345')}]`,
      decimals: `[${many(() => '0.1234567890123456')}]`,
      'keys, each twice': `{${many((n) => `"${Math.floor(n / 2)}":1`)}}`,
      'equal keys': `{${many(() => '"a":1')}}`,
      objects: `[${many(() => '{"a":1,"b":":","c":"dddddddddddddddddddddddd"}')}]`,
      'colons in texts': `[${many(() => '"\\":"')}]`,
      'blanks before colons': `{"a"${' '.repeat(MIB)}:1}`,
    }))
      expectQuick(kind, () => parseJson(text, 32));
  });

  for (const [number, [name, body]] of BODIES.entries()) {
    it(`is enough for a body with 1 MiB of small items in a field: ${name}`, () => {
      if (!(body instanceof z.ZodObject)) throw new TypeError('a body is an object');
      for (const [kind, item] of Object.entries(ITEMS)) {
        const items: unknown = parseJson(`[${item.repeat(MIB / item.length)}0]`, 32);
        for (const field of Object.keys(body.shape)) {
          expectQuick(`${field}, ${kind}`, () => parseBody(body, { [field]: items }));
        }
      }
    });

    it(`is enough for a body with 1 MiB of any one character in a field: ${name}`, () => {
      for (const [place, [kind, unit]] of Object.entries(UNITS).entries()) {
        if ((place + number) % EVERY !== 0) continue;
        const text = flat(unit.repeat(MIB / unit.length));
        for (const sent of bodiesWith(body, text))
          expectQuick(`${Object.keys(sent).join()}, ${kind}`, () => parseBody(body, sent));
      }
    });
  }
});
