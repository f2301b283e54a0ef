import { randomInt } from 'node:crypto';
import type { Json, JsonObject } from '../../../src/kernel/json.ts';

/** The id of a resource that exists, by its name in the document. */
export type IdsOf = (resource: string) => string;

/** What a reference shows of the resource that it names: by shown field, fields of that resource, joined by a blank. */
export type Shows = Readonly<Record<string, string>>;

/** A field of a request body as docs/interface.md describes it: values that it takes and values that it refuses. */
export interface Field {
  /** Values to be stored and shown exactly, or as `shown` says; new ones each time where they may have to be unique. */
  readonly good: (ids: IdsOf) => readonly Json[];
  readonly bad: readonly Json[];
  /** Values that are refused because of what time it is. */
  readonly untimely?: readonly Json[];
  readonly nullable: boolean;
  /** A good value for a resource of this number; undefined: a text with the name of the field. */
  readonly sample?: (n: string, ids: IdsOf) => Json;
  /** Good values, few enough that random resources share them. */
  readonly few: readonly Json[];
  /** Whether any text is good. */
  readonly isText?: true;
  /** The value that stands in when the field is left out; undefined where it is required. */
  readonly unset?: Json;
  /** When it is left out, it is that of whoever sits on the rig; where nobody does, the request is a 422. */
  readonly isOfSeat?: true;
  /** The field of the answer whose value stands in, where it is no constant. */
  readonly otherwise?: string;
  /** Events do not have it when it is left out. */
  readonly isOptional?: true;
  /** Name in answers where it differs. */
  readonly shownAs?: string;
  /** Name in events where it differs. */
  readonly storedAs?: string;
  /** The value in events and answers where it differs. */
  readonly shown?: (value: Json) => Json;
  /** The resource that it names, and what is shown of that. */
  readonly refersTo?: string;
  readonly shows?: Shows;
  /** The resource that it names belongs to one resource only: what is good is in the body already. */
  readonly isExclusive?: true;
}

const EMOJI = '🏁';

/** Values that are not texts. */
const NOT_TEXT = [1, true, [], ['a'], {}, { a: 'b' }] as const;

type Part = Partial<Omit<Field, 'good'>> & Pick<Field, 'bad'> & { readonly good: Field['good'] | readonly Json[] };

/** Values that are refused in a body: of a wrong form, at a wrong time, or null where a value is required. */
export function refusedValues({ bad, untimely = [], nullable }: Field): readonly Json[] {
  return nullable ? [...bad, ...untimely] : [...bad, ...untimely, null];
}

/** Of a list of good values that is fixed, all are few, and the first one is the sample. */
function field({ good, ...part }: Part): Field {
  if (typeof good === 'function') return { nullable: false, few: [], ...part, good };
  const [first = null] = good;
  return { nullable: false, few: good, sample: () => first, ...part, good: () => good };
}

/** The same field, which may be left out if `unset` is given. */
function withDefault(required: Field, unset: Json | undefined): Field {
  return unset === undefined ? required : { ...required, unset };
}

/** The same field with this value as its sample. */
export function like(inner: Field, sample: Json | ((n: string) => Json)): Field {
  return { ...inner, sample: typeof sample === 'function' ? sample : () => sample };
}

/** A text of `least` to `most` characters; at n−1, n and n+1, also in characters of two UTF-16 units. */
export function texts(least: number, most: number, { blank = false } = {}): Field {
  const lengths = [least, least + 1, most - 1, most].filter((length) => length >= least && length <= most);
  const tooLong = [letters(most + 1), emoji(most + 1)];
  const tooShort = least === 0 ? [] : [letters(least - 1), emoji(least - 1)];
  const blanks = blank ? [' '.repeat(least), '\t\n\u00a0 '] : [];
  return field({
    good: () => [...lengths.map(letters), ...lengths.map(emoji), ` ${letters(Math.max(1, most - 2))} `],
    bad: [...NOT_TEXT, ...tooLong, ...tooShort, ...blanks],
    few: ['x'.repeat(most), EMOJI.repeat(most), ` ${'b'.repeat(Math.min(least + 1, most - 2))} `],
    isText: true,
  });
}

/** A text in which something is to be seen. */
export function names(least: number, most: number): Field {
  return texts(least, most, { blank: true });
}

/** Which lap of its rig a lap is. */
export function sequences(): Field {
  const one = { boot: 'b', number: 1 };
  return field({
    good: [one, { boot: letters(64), number: Number.MAX_SAFE_INTEGER }, { boot: ' ', number: 1 }],
    bad: [
      ...[1, true, 'b', [], ['a'], {}, { boot: 'b' }, { number: 1 }],
      ...['', letters(65), 1, null].map((boot) => ({ ...one, boot })),
      ...[0, -1, 1.5, '1', null, Number.MAX_SAFE_INTEGER + 1].map((number) => ({ ...one, number })),
    ],
    unset: null,
    isOptional: true,
  });
}

/** A URL-safe text. */
export function slugs(least: number, most: number): Field {
  return field({
    good: () => [least, least + 1, most - 1, most].map(urlSafe),
    few: ['Az09._~-'.slice(0, most)],
    sample: (n) => `s-${n}`,
    isText: true,
    bad: [
      ...[...NOT_TEXT, urlSafe(least - 1), urlSafe(most + 1)],
      ...['a b', 'a/b', 'a?b', 'a%20', 'ä-b', `${EMOJI}ab`, 'ab\n', ''],
      ...['.', '..', '...', '.'.repeat(most)],
    ],
  });
}

/** A text of up to some pages. */
export function prose(): Field {
  const most = 10_000;
  return field({
    good: ['label', '', 'x'.repeat(most), EMOJI.repeat(most)],
    few: ['label', '', 'x'.repeat(5_000), EMOJI],
    bad: [...NOT_TEXT, 'x'.repeat(most + 1), EMOJI.repeat(most + 1)],
    isText: true,
  });
}

export function flags(unset?: boolean): Field {
  return withDefault(field({ good: [true, false], bad: ['true', '', 0, 1, [], {}] }), unset);
}

export function choices(values: readonly string[], unset?: Json): Field {
  const [first = ''] = values;
  const bad = [...NOT_TEXT, '', first.toLowerCase(), `${first} `, 'UNKNOWN'];
  return withDefault(field({ good: values, bad }), unset);
}

const NOT_NUMBER = ['1', '', true, [], [1], {}] as const;

export function wholeNumbers(least: number, most = Number.MAX_SAFE_INTEGER): Field {
  return field({
    good: [least, least + 1, 1_234, most].filter((value) => value >= least && value <= most),
    few: [least, least + 1, least + 2, most],
    sample: () => Math.min(Math.max(least, 1_234), most),
    bad: [...NOT_NUMBER, least - 1, least + 0.5, most + 1, 1e300],
  });
}

export function numbers(least: number): Field {
  return field({ good: [least, least + 1, least + 0.5, 1e15], bad: [...NOT_NUMBER, least - 1, least - 0.001, 1e20] });
}

export function anyNumber(unset?: Json): Field {
  const bad = [...NOT_NUMBER, 1e20, -1e20];
  return withDefault(field({ good: [50, 0, -1, 1.5, 1e15], bad }), unset);
}

/** Three letters. */
export function countries(): Field {
  return field({
    good: ['GBR', 'DEU', 'ITA'],
    bad: [...NOT_TEXT, '', 'GB', 'GBRX', 'G1R', ' GBR', 'GÄR', EMOJI.repeat(3)],
  });
}

/** Most items of a list in a body, and most sectors of a lap (docs/interface.md#limits). */
const MAX_ITEMS = 1_000;
const MAX_SECTORS = 64;

/** What is no list of texts. */
const NOT_LIST = ['a', 1, true, {}, { 0: 'a', length: 1 }] as const;

export function textLists(): Field {
  return field({
    good: [['a', '-', EMOJI], [], ['x'.repeat(1_000), ''], Array.from({ length: MAX_ITEMS }, String)],
    few: [['a', '-', EMOJI], [], ['']],
    bad: [
      ...[...NOT_LIST, [1], ['a', null], [['a']], [{}], ['a', 'x'.repeat(1_001)]],
      Array.from({ length: MAX_ITEMS + 1 }, String),
    ],
  });
}

export function millisecondLists(): Field {
  const sectors = (count: number): readonly number[] => Array.from({ length: count }, () => 1);
  const bad = [...NOT_LIST, [-1], [1, 2, -1], [1.5], ['1'], [null], [[1]], [Number.MAX_SAFE_INTEGER + 1]];
  return field({
    good: [[31_001, 28_455, 40_120], [0], [], [0, 1, Number.MAX_SAFE_INTEGER], sectors(MAX_SECTORS)],
    few: [
      [],
      ...Array.from({ length: 12 }, (_, n) => [20_000 + (n % 3), 20_000 + (n % 5), 20_003].slice(0, 1 + (n % 4))),
    ],
    bad: [...bad, sectors(MAX_SECTORS + 1)],
  });
}

export const BAD_UUIDS = [
  ...['', 'x', '123', "' OR 1=1 --", '../../etc'],
  ...['00000000-0000-7000-8000-00000000000', '00000000-0000-7000-8000-0000000000011'],
  ...['g0000000-0000-7000-8000-000000000001', '000000000000700080000000000000001'],
] as const;

const TOO_MANY_IDS = Array.from({ length: MAX_ITEMS + 1 }, () => '00000000-0000-7000-8000-000000000001');

/** The id of a resource that exists, and what is shown of it. */
export function references(resource: string, shows: Shows = {}): Field {
  return field({
    good: (ids) => [ids(resource), ids(resource).toUpperCase()],
    bad: [...NOT_TEXT, ...BAD_UUIDS],
    sample: (_, ids) => ids(resource),
    shown: lowerCase,
    refersTo: resource,
    shows,
  });
}

/** The id of a resource that belongs to one other only. */
export function exclusiveReferences(resource: string, shows: Shows = {}): Field {
  return { ...references(resource, shows), good: () => [], isExclusive: true };
}

/** Ids of resources that exist, `least` of them or more. */
export function referenceLists(resource: string, least: number): Field {
  const tooFew = least === 0 ? [] : [[]];
  return field({
    good: (ids) => [[ids(resource)], least === 0 ? [] : [ids(resource)]],
    bad: [...NOT_LIST, ...tooFew, [1], [null], ...BAD_UUIDS.map((bad) => [bad]), TOO_MANY_IDS],
    sample: (_, ids) => [ids(resource)],
    shown: (value) => (Array.isArray(value) ? value.map(lowerCase) : value),
    refersTo: resource,
  });
}

function lowerCase(value: Json): Json {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

export function instants(): Field {
  return field({
    good: ['2026-05-01T10:00:00Z', '2026-05-01T12:00:00.123+02:00', '2026-05-01T10:00:00.5Z'],
    bad: [
      ...[...NOT_TEXT, '', 'tomorrow', '2026-05-01', '2026-05-01T10:00:00'],
      ...['2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z', '2026-05-01T10:00:60Z', '2026-05-01T25:00:00Z'],
      ...['9999-12-31T23:59:59-01:00', '0000-01-01T00:00:00+01:00', '+012026-05-01T10:00:00Z'],
    ],
    shown: (value) => (typeof value === 'string' ? new Date(value).toISOString() : value),
    unset: null,
    nullable: true,
  });
}

/** Instants that are not past. */
export function futureInstants(): Field {
  const any = instants();
  const later = (value: Json): Json => (typeof value === 'string' ? value.replace('2026', '9026') : value);
  const few = any.few.map(later);
  return { ...any, few, good: () => few, sample: () => few[0] ?? null, untimely: ['2020-01-01T00:00:00Z'] };
}

/** Instants from 2000 on that are past, or at most some minutes ahead; null is a value of it, and clears it. */
export function pastInstantsOrNone(): Field {
  const any = instants();
  const few = [...any.few, '2019-12-31T23:59:59Z', '2000-01-01T00:00:00Z'];
  return {
    ...any,
    few,
    good: () => few,
    untimely: ['9026-05-01T10:00:00Z', '1999-12-31T23:59:59Z', '0000-01-01T00:00:00Z'],
  };
}

/** The same without null; when left out, the moment of another field. */
export function pastInstants(otherwise: string): Field {
  return { ...pastInstantsOrNone(), nullable: false, otherwise, isOptional: true };
}

/** Most characters of a JSON value of a body (docs/interface.md#limits). */
const MAX_JSON = 65_536;
/** An object of so many characters as JSON. */
const objectOf = (length: number): JsonObject => ({ a: 'x'.repeat(length - '{"a":""}'.length) });

/** JSON that stores trip over, each to be kept exactly. */
export const ODD_OBJECTS: readonly JsonObject[] = [
  { constructor: 1, hasOwnProperty: 'x', toString: null, prototype: {} },
  { $where: '1', 'a.b': { 'c.$d': [1] }, $: { '': 0 }, '.': [] },
  { id: 'mine', _id: 1, _position: 2, _revision: 'x', __v: 0, length: -1 },
  { 'ключ 🏁': 'ü \u2028 "\\/', 1: 'one', '-0': 0.1, e: 1e21, empty: '' },
  { deep: { a: [{ b: [[[]]] }] }, nothing: null, no: false },
];

export function objects(unset: Json): Field {
  const bad = ['{}', 'x', 1, true, [], objectOf(MAX_JSON + 1)];
  return field({
    good: [{ a: 1 }, {}, ...ODD_OBJECTS, objectOf(MAX_JSON)],
    few: [{ a: 1 }, {}, ...ODD_OBJECTS],
    bad,
    unset,
  });
}

/** An object sent as its text, or as it is. */
export function objectTexts(): Field {
  // What JSON.parse returns is JSON.
  const parsed = (value: Json): Json => (typeof value === 'string' ? (JSON.parse(value) as Json) : value);
  const asText = [{ a: 1 }, {}, ...ODD_OBJECTS].map((object) => JSON.stringify(object));
  const nested = (depth: number): string => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const malformed = ['', '{', 'x', '{}}', "{'a': 1}", '{"a": 1,}', '// x\n{}', '\ufeff{}', '{} {}', '{"a":NaN}'];
  const unsafe = ['{"__proto__":1}', '{"a":{"__proto__":1}}', '{"a":[{"__proto__":null}]}', nested(32)];
  const unstorable = ['{"a":"\\u0000"}', '{"\\u0000":1}', '{"a":"\\ud800"}', '{"\\udfc1":1}'];
  const infinite = ['{"a":1e999}', '{"a":-1e999}'];
  const changed = ['{"a":9007199254740993}', '{"a":[{"b":-12345678901234567890}]}', '{"a":1,"a":1}'];
  const tooLong = [objectOf(MAX_JSON + 1), JSON.stringify(objectOf(MAX_JSON + 1))];
  return field({
    good: [...asText, ' {"a" : 1} ', nested(31), ...ODD_OBJECTS],
    bad: [
      ...tooLong,
      ...changed,
      ...malformed,
      ...unsafe,
      ...unstorable,
      ...infinite,
      '[]',
      '1',
      'null',
      '"a"',
      1,
      true,
      [],
    ],
    unset: {},
    shown: parsed,
  });
}

/** Any JSON value. */
export function anyJson(): Field {
  return field({
    good: [[{ value: 'a', label: 'A' }], 'text', 1.5, false, {}, [], ...ODD_OBJECTS],
    bad: ['x'.repeat(MAX_JSON), Array.from({ length: MAX_JSON / 2 }, () => 1)],
    unset: null,
    nullable: true,
  });
}

export function emails(): Field {
  const bad = ['', 'a', 'a@b', '@b.co', 'a@', 'a@b.', 'a@.co', 'a b@c.de', 'a@b c.de', 'a@b@c.de', 'a@b..co'];
  const blanks = [' a@b.c', 'a@b.c ', 'a@b.c\n'];
  const few = ['ada@example.org', 'first.last+tag@mail.example.org', "o'neil@example.org", 'ö@exämple.org', 'a@b.c'];
  const ofLength = (length: number): string => `${'x'.repeat(length - 6)}@ab.cd`;
  return field({
    good: [...few, ofLength(119), ofLength(120)],
    few,
    bad: [...NOT_TEXT, ...bad, ...blanks, ofLength(121)],
  });
}

/** The CDN key of an image, or its address on the web. */
export function logos(): Field {
  const few = ['LOGO/venue.svg', 'BRAND/deep/er/x y.png', 'https://example.com/logo.png', 'HTTP://example.com'];
  const long = (length: number): string => `LOGO/${'x'.repeat(length - 5)}`;
  const other = [
    '',
    'logo.png',
    'logo/x.png',
    'LOGO',
    'LOGO/',
    '/LOGO/x.png',
    'LOGO1/x',
    'https://',
    'www.example.com',
  ];
  const scripts = ['javascript:alert(1)', 'data:image/png,x', 'ftp://example.com/x.png', ' https://example.com/x.png'];
  return field({ good: [...few, long(255)], few, bad: [...NOT_TEXT, ...other, ...scripts, long(256)] });
}

/** A colour of six hexadecimal digits. */
export function colors(): Field {
  const bad = ['', 'red', '#fff', '#12345', '#1234567', '123456', '#12345g', '#1234567a', ' #123456', '#123456\n'];
  return field({ good: ['#e4002b', '#FFFFFF', '#000000', '#0a1B2c'], bad: [...NOT_TEXT, ...bad] });
}

/** The IANA name of a time zone. */
export function timeZones(): Field {
  const offsets = ['+02:00', '-05', '02:00', 'Z', 'UTC+2', 'GMT+02:00'];
  const others = ['', 'Berlin', 'Europe', 'Europe/', 'Europe/Nowhere', 'Europe/Berlin ', 'Europe\\Berlin', 'local'];
  return field({
    good: ['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata', 'Etc/GMT+5'],
    bad: [...NOT_TEXT, ...offsets, ...others, 'x'.repeat(65)],
  });
}

/** A web address, which may lack its scheme. */
export function websites(): Field {
  const other = ['data:text/html,x', 'ftp://example.com', 'mailto:a@b.co', 'https://'];
  const scripts = ['javascript:', 'JavaScript:', ' JaVaScRiPt:', 'java\nscript:', 'java\tscript:', '\u0001javascript:'];
  const few = ['https://example.com', 'www.example.com', '//example.com', ''];
  const long = (length: number): string => `www.${'x'.repeat(length - 4)}`;
  const good = ['HTTPS://Example.com:8080/a?b=c:d#e', 'http://example.com', 'www.example.com/a:b'];
  return field({
    good: [...few, ...good, long(254), long(255)],
    few,
    bad: [...NOT_TEXT, ...other, ...scripts.map((scheme) => `${scheme}alert(1)`), long(256)],
  });
}

/** `null` is a value of it, and clears it. */
export function nullable(inner: Field): Field {
  return { ...inner, good: (ids) => [...inner.good(ids), null], nullable: true, unset: null };
}

let counter = 0;

/** A text that was not used before, of few characters. */
export function unique(): string {
  counter += 1;
  return `${process.pid.toString(36)}${counter.toString(36)}`;
}

/** A text of a length in characters of three bytes, hardly ever the same twice. */
export function letters(length: number): string {
  return Array.from({ length }, () => String.fromCodePoint(randomInt(0x4e00, 0x9fa5))).join('');
}

/** The same in characters outside the Basic Multilingual Plane: two UTF-16 units each. */
function emoji(length: number): string {
  return Array.from({ length }, () => String.fromCodePoint(randomInt(0x1f300, 0x1f5ff))).join('');
}

const URL_SAFE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~-';

/** How many texts of each length were made. */
const urlSafeMade = new Map<number, number>();

/** A text that was not made before: of short ones, random ones would soon be equal. */
function urlSafe(length: number): string {
  let rest = urlSafeMade.get(length) ?? 0;
  urlSafeMade.set(length, rest + 1);
  return Array.from({ length }, () => {
    const character = URL_SAFE.charAt(rest % URL_SAFE.length);
    rest = Math.floor(rest / URL_SAFE.length);
    return character;
  }).join('');
}
