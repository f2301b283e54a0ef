import { expect } from 'chai';
import { draftOf, draftsOf, entered, oddities, timeMeant } from '../../../src/clients/web/admin/api/drafts.ts';
import { fieldOf, inWords, type Field } from '../../../src/clients/web/admin/api/fields.ts';
import { objectOf, type Json } from '../../../src/clients/web/shared/json.ts';

const ZONE = 'Europe/Berlin';

function field(schema: Json, required = true): Field {
  return fieldOf('field', schema, required, objectOf);
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
      'Enter a whole number.',
      'At least {min}.',
      'At most {max}.',
      'Enter a number.',
      'This field is required.',
    ]);
    const sectors = { type: 'array', items: { type: 'integer', minimum: 0 }, maxItems: 3 };
    expect(read(sectors, '41873, 57412  39206')).to.deep.equal([41_873, 57_412, 39_206]);
    expect(read(sectors, '1, -1')).to.include('At least');
    expect(read(sectors, '1 2 3 4')).to.include('At most');
  });

  it('read times of laps, and check their bounds as times', () => {
    const time = { type: 'integer', minimum: 0, maximum: 3_600_000, 'x-unit': 'ms' };
    expect(['75', '1:15.250', '107,6', '250 ms'].map((draft) => read(time, draft))).to.deep.equal([
      75_000, 75_250, 107_600, 250,
    ]);
    expect(['1:75', '1:60:00', '1.0005', '1e3', '0x4B', ''].map((draft) => read(time, draft))).to.deep.equal([
      'After minutes, seconds go up to 59.',
      'After hours, minutes go up to 59.',
      'At most three decimals.',
      'Enter a time, such as 2:17.450, 137.45 (seconds) or 137450 ms.',
      'Enter a time, such as 2:17.450, 137.45 (seconds) or 137450 ms.',
      'This field is required.',
    ]);
    expect(entered(field(time), '1:00:00.001', ZONE)).to.have.nested.property('fault.values.max', '1:00:00.000');
    expect(read({ type: 'array', items: time }, '30, 40.5; 250 ms')).to.deep.equal([30_000, 40_500, 250]);
  });

  it('tell how a time is understood that is written otherwise than it is shown', () => {
    const time = field({ type: 'integer', 'x-unit': 'ms' });
    const times = field({ type: 'array', items: { type: 'integer', 'x-unit': 'ms' } });
    expect(['75', '107,6', '1:15.000', '1:75', ''].map((draft) => timeMeant(time, draft))).to.deep.equal([
      ...['1:15.000', '1:47.600', '', '', ''],
    ]);
    expect(['58.120, 1:19.330', '58,12 1:19.33', '58 x'].map((draft) => timeMeant(times, draft))).to.deep.equal([
      ...['', '58.120, 1:19.330', ''],
    ]);
  });

  it('point out a total that differs from the sum of its parts by more than 2 ms', () => {
    const schema = { type: 'integer', 'x-unit': 'ms' };
    const form = [
      fieldOf('sectors', { type: 'array', items: schema }, true, objectOf),
      fieldOf('totalTime', { ...schema, 'x-sum-of': 'sectors' }, true, objectOf),
    ];
    const oddity = (sectors: string, totalTime: string): unknown => oddities(form, { sectors, totalTime })['totalTime'];
    for (const total of ['1:39.998', '100', '1:40.002']) expect(oddity('30 30 40', total), total).to.equal(undefined);
    for (const total of ['1:39.997', '1:40.003', '100 ms'])
      expect(oddity('30 30 40', total), total).to.have.nested.property('values.sum', '1:40.000');
    // Nothing to compare: no sectors, one that was not measured, or an entry that is refused anyway.
    for (const [sectors, total] of [
      ...[
        ['', '100'],
        ['30 0 40', '100'],
        ['30 1:75', '100'],
        ['30 30 40', ''],
      ],
    ] as const)
      expect(oddity(sectors, total), `${sectors} and ${total}`).to.equal(undefined);
    expect(oddity('30 0 90', '100')).to.have.nested.property('values.sum', '2:00.000');
  });

  it('distinguish empty values from omitted ones', () => {
    expect(read({ type: ['string', 'null'] }, '')).to.equal(null);
    expect(read({ type: ['integer', 'null'] }, '')).to.equal(null);
    expect(read({ type: 'string', minLength: 2 }, '', false)).to.equal(undefined);
    expect(read({ type: 'string', minLength: 2 }, '')).to.include('is required');
    expect(read({ type: 'string', format: 'date-time' }, '', false)).to.equal(undefined);
    expect(read({ type: 'array', items: { type: 'string' }, minItems: 1 }, '')).to.include('At least');
    expect(read({ type: 'array', items: { type: 'string' }, minItems: 1, 'x-refers-to': 'Car' }, [])).to.include(
      'least',
    );
    expect(read({ type: 'string', enum: ['A'] }, '')).to.include('is required');
  });

  it('read and show values of any shape as lines of names and values', () => {
    const lines: readonly (readonly [Json, string])[] = [
      [{ team: 'Red', seats: 2, isFast: true, car: null }, 'team: Red\nseats: 2\nisFast: true\ncar:'],
      [
        { de: { name: 'Freitag: Monza', about: 'https://example.org' } },
        'de.name: Freitag: Monza\nde.about: https://example.org',
      ],
      [
        { 'shirt size': '12', off: 'false', quoted: '"M"', blank: ' M ' },
        'shirt size: "12"\noff: "false"\nquoted: "\\"M\\""\nblank: " M "',
      ],
      [['S', 'M', 'a: b', '1'], 'S\nM\n"a: b"\n"1"'],
      ['M', 'M'],
      [12.5, '12.5'],
    ];
    for (const [value, text] of lines) {
      expect(draftOf(field({}), value, ZONE)).to.equal(text);
      expect(read({}, text)).to.deep.equal(value);
    }
    expect(read({}, '  team :  Red \n\n seats:2 ')).to.deep.equal({ team: 'Red', seats: 2 });
    expect(JSON.stringify(read({}, '__proto__.a: 1'))).to.equal('{"__proto__":{"a":1}}');
    for (const text of ['team: Red\nBlue', 'a..b: 1', ': 1', 'a: "b', '"a'])
      expect(read({}, text), text).to.include('a name and a value');
    for (const text of ['a: 1\na: 2', 'a: 1\na.b: 2', 'a.b: 1\na: 2'])
      expect(read({}, text), text).to.equal('The same name is there twice.');
    for (const text of ['a: 9007199254740993', '9007199254740993']) expect(read({}, text)).to.include('too large');
    // What has no such form stays as it is stored.
    for (const value of [{ a: ['b'] }, ['one'], { 'a.b': 1 }, { a: {} }, [[1]]])
      expect(read({}, String(draftOf(field({}), value, ZONE)))).to.deep.equal(value);
    expect(read({ type: 'object' }, '')).to.include('is required');
    expect(read({ type: 'object' }, '', false)).to.equal(undefined);
  });

  it('read lists, JSON and choices', () => {
    expect(read({ type: 'array', items: { type: 'string' } }, ' Green Hell \n\nThe Ring')).to.deep.equal([
      'Green Hell',
      'The Ring',
    ]);
    expect(read({ type: 'object' }, '{"a":1}')).to.deep.equal({ a: 1 });
    expect(read({ type: 'object' }, '{a}')).to.include('a name and a value');
    expect(
      read({ type: 'object' }, '{"a":1.5,"b":"\\" 9007199254740993 a:","c":[{"a":-9007199254740991}]}'),
    ).to.deep.equal({ a: 1.5, b: '" 9007199254740993 a:', c: [{ a: -9_007_199_254_740_991 }] });
    for (const number of ['9007199254740993', '-9007199254740993', '1e400'])
      expect(read({ type: 'object' }, `{"a":[${number}]}`), number).to.include('too large');
    expect(read({ type: 'object' }, '{"a":1,"b":{"a":1,"\\u0061":2}}')).to.equal('The same name is there twice.');
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
      [{ type: 'integer', 'x-unit': 'ms' }, 137_450],
      [{ type: 'array', items: { type: 'integer', 'x-unit': 'ms' } }, [30_512, 0, 75_000, 2_147_483_647]],
      // The second one of a local time that comes twice, and the first one.
      [{ type: 'string', format: 'date-time' }, '2026-10-25T01:30:00.000Z'],
      [{ type: 'string', format: 'date-time' }, '2026-10-25T00:30:00.000Z'],
    ];
    for (const [schema, value] of values) {
      expect(entered(field(schema), draftOf(field(schema), value, ZONE), ZONE)).to.deep.equal({ value });
    }
  });

  it('begin with the defaults, and do not repeat them in words', () => {
    const preset = field({ type: 'boolean', 'x-default': true, description: 'Whether. Default: `true`.' });
    expect(draftsOf([preset], ZONE)).to.deep.equal({ field: 'true' });
    expect(preset.description).to.equal('Whether.');
    const ends = { type: 'string', description: 'When it ends, not before `startsAt`; null: open.' };
    expect(field(ends).description).to.equal('When it ends, not before “Starts at”; empty: open.');
    const shortest = {
      type: 'integer',
      'x-unit': 'ms',
      description: 'Shortest time, in ms; null: as the layout says.',
    };
    expect(field(shortest).description).to.equal('Shortest time; empty: as the layout says.');
  });
});
