import { expect } from 'chai';
import { draftOf, draftsOf, entered, fromLocal, toLocal } from '../../../src/clients/web/admin/api/drafts.ts';
import { fieldOf, inWords, type Field } from '../../../src/clients/web/admin/api/fields.ts';
import { objectOf, type Json } from '../../../src/clients/web/shared/json.ts';

const ZONE = 'Europe/Berlin';

function field(schema: Json, required = true): Field {
  return fieldOf('field', { schema, required }, objectOf);
}

/** The value of an entry, or the English text of its fault. */
function read(schema: Json, draft: string | readonly string[], required = true): unknown {
  const result = entered(field(schema, required), draft, ZONE);
  return 'fault' in result ? result.fault.text.en : result.value;
}

describe('Pages: fields of the administration', () => {
  it('have names in words, and kinds by their schemas', () => {
    expect(['cornerCount', 'logo_wide', 'optionsJson', 'svg'].map(inWords)).to.deep.equal([
      'Corner count',
      'Logo wide',
      'Options JSON',
      'SVG',
    ]);
    const kinds: readonly (readonly [Json, string])[] = [
      [{ type: 'string' }, 'text'],
      [{ type: ['string', 'null'], format: 'date-time' }, 'instant'],
      [{ oneOf: [{ type: 'string', enum: ['A'] }, { type: 'null' }] }, 'choice'],
      [{ type: 'string', format: 'uuid', 'x-refers-to': 'Car' }, 'reference'],
      [{ type: 'array', items: { type: 'string' }, 'x-refers-to': 'Car' }, 'references'],
      [{ type: 'array', items: { type: 'string' } }, 'texts'],
      [{ type: 'array', items: { type: 'integer', 'x-unit': 'ms' } }, 'numbers'],
      [{ type: 'array', items: { type: 'object' } }, 'json'],
      [{}, 'json'],
      [{ oneOf: [{ type: 'object' }, { type: 'null' }] }, 'json'],
      [{ anyOf: [{ type: 'string' }, { type: 'object' }] }, 'json'],
      [{ type: 'string', 'x-file': true }, 'file'],
      [{ type: 'integer' }, 'number'],
      [{ type: 'boolean' }, 'boolean'],
    ];
    for (const [schema, kind] of kinds) expect(field(schema).kind, JSON.stringify(schema)).to.equal(kind);
    const nullable = [{}, { oneOf: [{ type: 'object' }, { type: 'null' }] }, { type: 'object' }];
    expect(nullable.map((schema) => field(schema).nullable)).to.deep.equal([true, true, false]);
    expect(field({ type: 'array', items: { type: 'string' }, 'x-refers-to': 'Car' }).label).to.equal('Field');
  });

  it('count characters as the interface does', () => {
    const text = { type: 'string', minLength: 2, maxLength: 3 };
    expect(read(text, '🏁🏁🏁')).to.equal('🏁🏁🏁');
    expect(read(text, '🏁')).to.include('At least');
    expect(read(text, 'abcd')).to.include('At most');
    expect(read({ type: 'string', minLength: 0 }, '')).to.equal('');
    expect(read({ type: 'string', pattern: '^[a-z]+$' }, 'A')).to.include('expected form');
  });

  it('read numbers, and check their bounds', () => {
    const year = { type: 'integer', minimum: -1, maximum: 9_999 };
    expect(read(year, ' 1927 ')).to.equal(1927);
    expect(['1.5', '-2', '10000', 'x', ''].map((draft) => read(year, draft))).to.deep.equal([
      'Needs a whole number.',
      'At least {min}.',
      'At most {max}.',
      'Needs a number.',
      'Has to be filled in.',
    ]);
    const sectors = { type: 'array', items: { type: 'integer', minimum: 0 }, maxItems: 3 };
    expect(read(sectors, '41873, 57412  39206')).to.deep.equal([41_873, 57_412, 39_206]);
    expect(read(sectors, '1, -1')).to.include('At least');
    expect(read(sectors, '1 2 3 4')).to.include('At most');
  });

  it('distinguish empty values from omitted ones', () => {
    expect(read({ type: ['string', 'null'] }, '')).to.equal(null);
    expect(read({ type: ['integer', 'null'] }, '')).to.equal(null);
    expect(read({ type: 'string', minLength: 2 }, '', false)).to.equal(undefined);
    expect(read({ type: 'string', minLength: 2 }, '')).to.include('filled in');
    expect(read({ type: 'string', format: 'date-time' }, '', false)).to.equal(undefined);
    expect(read({ type: 'array', items: { type: 'string' }, minItems: 1 }, '')).to.include('At least');
    expect(read({ type: 'array', items: { type: 'string' }, minItems: 1, 'x-refers-to': 'Car' }, [])).to.include(
      'least',
    );
    expect(read({ type: 'string', enum: ['A'] }, '')).to.include('filled in');
  });

  it('read lists, JSON and choices', () => {
    expect(read({ type: 'array', items: { type: 'string' } }, ' Green Hell \n\nThe Ring')).to.deep.equal([
      'Green Hell',
      'The Ring',
    ]);
    expect(read({ type: 'object' }, '{"a":1}')).to.deep.equal({ a: 1 });
    expect(read({ type: 'object' }, '{a}')).to.equal('Not valid JSON.');
    expect(read({ type: 'boolean' }, 'false')).to.equal(false);
  });

  it('show values so that reading them again gives the same', () => {
    const values: readonly (readonly [Json, Json])[] = [
      [{ type: 'string' }, 'text'],
      [{ type: 'number' }, 1.5],
      [{ type: 'boolean' }, false],
      [{ type: ['string', 'null'], format: 'date-time' }, '2026-07-01T18:00:00.250Z'],
      [{ type: ['string', 'null'] }, null],
      [{ type: 'array', items: { type: 'string' } }, ['a', 'b c']],
      [{ type: 'array', items: { type: 'integer' } }, [1, 2]],
      [{ type: 'object' }, { a: [1, { b: null }] }],
      [{ type: 'array', items: { type: 'string' }, 'x-refers-to': 'Car' }, ['id-1', 'id-2']],
    ];
    for (const [schema, value] of values) {
      expect(entered(field(schema), draftOf(field(schema), value, ZONE), ZONE)).to.deep.equal({ value });
    }
  });

  it('begin with the defaults, and do not repeat them in words', () => {
    const preset = field({ type: 'boolean', 'x-default': true, description: 'Whether. Default: `true`.' });
    expect(draftsOf([preset], ZONE)).to.deep.equal({ field: 'true' });
    expect(preset.description).to.equal('Whether.');
  });
});

describe('Pages: moments in a zone', () => {
  it('are the same instant in both forms, also when the clocks change', () => {
    const moments = ['2026-01-15T12:00:00.000Z', '2026-03-29T00:59:59.000Z', '2026-03-29T01:00:00.000Z'];
    for (const zone of [ZONE, 'UTC', 'America/New_York', 'Asia/Kathmandu', undefined]) {
      for (const moment of [...moments, '2026-10-25T02:30:00.000Z', '2026-11-01T07:30:00.001Z']) {
        expect(fromLocal(toLocal(moment, zone), zone), `${moment} in ${zone ?? 'the own zone'}`).to.equal(moment);
      }
    }
    expect(toLocal('2026-07-01T18:00:00.000Z', ZONE)).to.equal('2026-07-01T20:00');
    expect(fromLocal('', ZONE)).to.equal(null);
  });
});
