import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { sentenceFinder } from '../../../src/clients/web/admin/api/sentences.ts';
import type { Text } from '../../../src/clients/web/shared/language.ts';
import { PROBLEMS } from '../../../src/service/http/problems.ts';

// The file of this repository has this shape: the build of the pages checks it.
const texts = JSON.parse(readFileSync('src/clients/web/texts/api/fields.json', 'utf8')) as {
  readonly sentences: Readonly<Record<string, Text>>;
  readonly problems: Readonly<Record<string, Text>>;
};

/** Where the sentences are that the service refuses requests of the administration with. */
const SOURCES = [
  'commands',
  'src/domain',
  'src/kernel/aggregate',
  'src/service/access',
  'src/service/api',
  'src/service/http/parameters.ts',
  'src/service/resources',
];

/** What only programs are told, of what the administration never sends or asks for. */
const FOR_PROGRAMS: readonly RegExp[] = [
  /^(Send a valid key|There is nothing at this path|Idempotency-Key is|Last-Event-ID is)/,
  /^(A part is missing|must be the id of an event of a live board|goes with from only|must be a number from 1 to)/,
  // Answered 429 or 503, for which the page has a text of its own.
  /^(This licence is changing too many|This address has sent too many|Too many wrong codes)/,
];

/** A text in quotes or backticks. */
const LITERAL = /(?:'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)/;

/** The calls whose text a client reads, up to that text. */
const CALLS = [
  /\breject\(\s*'[A-Z_]+',\s*/,
  /\bnew Problem\(\s*'[A-Z_]+',\s*/,
  /\bnew Rejection\(\s*'[A-Z_]+',\s*/,
  /\b(?:invalidProblem|tooManyProblem|full)\(\s*/,
  /\bdetail: /,
  /\berror: /,
  /\.refine\([^'`]{1,80}, /,
];

function filesIn(path: string): readonly string[] {
  if (path.endsWith('.ts')) return [path];
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(path, name));
}

/** The sentences in a source; what stands for a value is `7`. */
function sentencesIn(source: string): readonly string[] {
  const literals = `${LITERAL.source}(?:\\s*\\+\\s*(?:${LITERAL.source}))*`;
  return CALLS.flatMap((call) =>
    [...source.matchAll(new RegExp(`${call.source}(${literals})`, 'g'))].map(([, written = '']) =>
      [...written.matchAll(new RegExp(LITERAL, 'g'))].map(([literal]) => textOf(literal)).join(''),
    ),
  );
}

function textOf(literal: string): string {
  return literal
    .slice(1, -1)
    .replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '7')
    .replaceAll("\\'", "'");
}

describe('Pages: refusals in the words of the administration', () => {
  const find = sentenceFinder(texts.sentences);

  it('are there for each kind of problem that the service knows', () => {
    const kinds = Object.keys(PROBLEMS).map((code) => code.toLowerCase().replaceAll('_', '-'));
    expect(Object.keys(texts.problems)).to.have.members(kinds);
  });

  it('are there for each sentence that the service refuses entries with', () => {
    const said = SOURCES.flatMap(filesIn).flatMap((path) => sentencesIn(readFileSync(path, 'utf8')));
    expect(said.length, 'sentences in the sources').to.be.above(60);
    for (const known of [
      'Another track has this slug.',
      'must not be blank',
      'No more than 7 people may wait for an event.',
    ])
      expect(said).to.include(known);
    const unknown = said.filter((sentence) => {
      const isSentence = sentence.includes(' ') || /^must/.test(sentence);
      return isSentence && find(sentence) === null && !FOR_PROGRAMS.some((one) => one.test(sentence));
    });
    expect([...new Set(unknown)]).to.deep.equal([]);
  });

  it('keep the values of a sentence, and prefer the text that says the most', () => {
    expect(find('No more than 500 people may wait for an event.')?.values).to.deep.include({ most: '500' });
    expect(find('must be at least 3')).to.deep.equal({
      text: texts.sentences['must be at least {least}'],
      values: { least: '3' },
    });
    expect(find('must be true or false')?.text).to.deep.equal(texts.sentences['must be {kind}']);
    expect(find('must have at least 1 character')?.text).to.deep.equal(
      texts.sentences['must have at least 1 character'],
    );
    expect(find('Something that nobody has said')).to.equal(null);
  });

  it('have the same values in each language, and no others than the sentence', () => {
    const valuesIn = (text: string): readonly string[] => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
    for (const [sentence, text] of Object.entries(texts.sentences)) {
      expect(valuesIn(text.de), sentence).to.deep.equal(valuesIn(text.en));
      for (const value of valuesIn(text.en)) expect(valuesIn(sentence), sentence).to.include(value);
    }
  });
});
