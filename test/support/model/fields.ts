import fc, { type Arbitrary } from 'fast-check';
import type { Json, JsonObject } from '../../../src/service/kernel/json.ts';

/**
 * A field of a body by docs/interface.md, written down a second time and in the plainest way: what the service is held
 * against must not be the service's own schema.
 */
export interface Field {
  /** Whether the service has to take a value. */
  readonly takes: (value: Json) => boolean;
  /** Values to send, nearly all of them good. */
  readonly values: Arbitrary<Json>;
  /** How a value that was taken is shown from then on. */
  readonly kept?: (value: Json) => Json;
  /** What counts when the field is left out of a POST; undefined: it must not be left out. */
  readonly unset?: Json;
  /** The field of the answer to its POST that is shown as long as it has no value. */
  readonly otherwise?: string;
  /** Name in answers where it differs. */
  readonly shownAs?: string;
  /** Kind of the resources that the ids in it name. */
  readonly refersTo?: string;
}

/** Stands in a body for what is known only when it is sent (see `Placeholders`). */
export const placeholder = {
  /** Id of a resource of the field's kind: the nth that the sequence can see, newest first; past the end, of nothing. */
  ref: (n: number): JsonObject => ({ $ref: n }),
  /** A text that no other sequence uses; the same `n` gives the same text. */
  name: (n: number): JsonObject => ({ $name: n }),
};

/** Few names, so that records share them: orders have ties, and unique keys are taken. */
const names = fc.integer({ min: 0, max: 5 }).map(placeholder.name);

/** One value in so many is bad. */
const GOOD_TO_BAD = 80;

function field(good: Arbitrary<Json>, bad: readonly Json[], takes: Field['takes']): Field {
  const wrong = fc.constantFrom<Json>(...bad);
  return { takes, values: fc.oneof({ weight: GOOD_TO_BAD, arbitrary: good }, { weight: 1, arbitrary: wrong }) };
}

const isText = (value: Json): value is string => typeof value === 'string';
const lengthOf = (text: string): number => Array.from(text).length;
/** NUL and halves of surrogate pairs cannot be kept. */
const isStorable = (text: string): boolean => !/[\0\ud800-\udfff]/u.test(text);

/** A text of `least` to `most` characters; `blank: false` wants something to be seen in it. */
export function texts(least: number, most: number, { blank = true } = {}): Field {
  const bad: Json[] = [1, null, ['a'], 'x'.repeat(most + 1), '🏁'.repeat(most + 1), 'a\0bc', '\ud83cabc'];
  if (least > 0) bad.push('', 'x'.repeat(least - 1));
  if (!blank) bad.push(' '.repeat(least), '\t\n \u00a0');
  const edges = ['x'.repeat(most), '🏁'.repeat(most), 'é'.repeat(Math.max(1, least)), ` ${'b'.repeat(least)} `];
  const good = fc.oneof({ weight: 4, arbitrary: names }, { weight: 1, arbitrary: fc.constantFrom<Json>(...edges) });
  return field(
    good,
    bad,
    (value) =>
      isText(value) &&
      isStorable(value) &&
      lengthOf(value) >= least &&
      lengthOf(value) <= most &&
      (blank || value.trim() !== ''),
  );
}

/** Which lap of its rig a lap is. */
export function sequences(): Field {
  const boots = texts(1, 64);
  const numbers = wholeNumbers(1);
  const parts = (value: Json): JsonObject | null =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
  return {
    takes: (value) => boots.takes(parts(value)?.['boot'] ?? null) && numbers.takes(parts(value)?.['number'] ?? null),
    values: fc.record({ boot: boots.values, number: numbers.values }),
    unset: null,
  };
}

/** A text without bounds of its own. */
export function freeTexts(): Field {
  const good = fc.oneof({ weight: 9, arbitrary: names }, { weight: 1, arbitrary: fc.constant('🏁'.repeat(5_000)) });
  return field(good, [1, null, 'a\0bc'], (value) => isText(value) && isStorable(value));
}

/** A text that may have to be unique: no other sequence sends the same. */
export function keys(least: number, most: number): Field {
  const { takes } = texts(least, most);
  return field(names, [1, null, 'x'.repeat(most + 1), 'a\0bc'], takes);
}

/** A URL-safe text. */
export function slugs(least: number, most: number): Field {
  const bad: Json[] = [1, null, '', 'a b', 'a/b', 'é-é', 'ab\n', 'x'.repeat(most + 1), 'x'.repeat(least - 1)];
  const takes = (value: Json): boolean =>
    isText(value) && /^[A-Za-z0-9._~-]+$/.test(value) && value.length >= least && value.length <= most;
  return field(names, bad, takes);
}

export function flags(unset?: boolean): Field {
  const flag = field(fc.boolean(), ['true', 0, null], (value) => typeof value === 'boolean');
  return unset === undefined ? flag : { ...flag, unset };
}

export function choices(...all: readonly string[]): Field {
  const bad = [...all.slice(0, 1).map((one) => one.toLowerCase()), '', null, 1];
  return field(fc.constantFrom<Json>(...all), bad, (value) => isText(value) && all.includes(value));
}

/** Whole numbers from a least one on, few of them, so that there are ties. */
export function wholeNumbers(least: number): Field {
  const good = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: least, max: least + 9 }) }, LARGEST);
  return field(
    good,
    [least - 1, 1.5, '1', null, 2 ** 53],
    (value) => Number.isSafeInteger(value) && isFrom(value, least),
  );
}

const LARGEST = { weight: 1, arbitrary: fc.constant(Number.MAX_SAFE_INTEGER) };

/** Numbers from a least one on, fractions too. */
export function numbers(least: number): Field {
  const good = fc.constantFrom<Json>(least, least + 0.5, least + 3, 20_832, 1e15);
  const bad = [least === -Infinity ? '1' : least - 0.001, true, null, 1e300];
  return field(
    least === -Infinity ? fc.constantFrom<Json>(-1.5, 0, 2, 100, 1e15) : good,
    bad,
    (value) => typeof value === 'number' && isFrom(value, least) && Math.abs(value) <= Number.MAX_SAFE_INTEGER,
  );
}

function isFrom(value: Json, least: number): boolean {
  return typeof value === 'number' && value >= least;
}

/** The id of a resource. */
export function references(kind: string): Field {
  const one = field(ref, ['', 'x', 1, null, '00000000-0000-7000-8000-00000000000'], isUuid);
  return { ...one, refersTo: kind, kept: lowerCase };
}

/** Ids of resources, `least` of them or more. */
export function referenceLists(kind: string, least: number): Field {
  const several = fc.array(ref, { minLength: least, maxLength: 3 });
  const bad: Json[] = ['x', null, ['x'], [null], ...(least > 0 ? [[]] : [])];
  const list = field(several, bad, (value) => isList(value) && value.length >= least && value.every(isUuid));
  return { ...list, refersTo: kind, kept: (value) => (isList(value) ? value.map(lowerCase) : value) };
}

/** Mostly what was made last; now and then nothing that exists. */
const ref = fc
  .oneof({ weight: 60, arbitrary: fc.integer({ min: 0, max: 3 }) }, { weight: 1, arbitrary: fc.constant(99) })
  .map(placeholder.ref);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const isUuid = (value: Json): boolean => isText(value) && UUID.test(value);
const lowerCase = (value: Json): Json => (isText(value) ? value.toLowerCase() : value);

/** `Array.isArray` for read-only arrays, which it does not narrow. */
export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** Whether a value is a JSON object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textLists(): Field {
  const good = fc.array(fc.constantFrom('Hatzenbach', '-', '', '🏁'), { maxLength: 3 });
  return field(good, ['a', null, [1], [['a']]], (value) => isList(value) && value.every(isText));
}

export function millisecondLists(): Field {
  const good = fc.array(fc.integer({ min: 20_000, max: 20_009 }), { maxLength: 4 });
  const tooMany = Array.from({ length: 65 }, () => 1);
  const takes = (value: Json): boolean =>
    isList(value) && value.length <= 64 && value.every((one) => Number.isSafeInteger(one) && isFrom(one, 0));
  return field(good, ['a', null, [-1], [1.5], tooMany], takes);
}

/** A moment; kept in UTC with milliseconds. */
export function instants(...good: readonly string[]): Field {
  const bad = ['', 'tomorrow', '2026-05-01', '2026-02-30T00:00:00Z', 1, '2026-05-01T10:00:00'];
  return {
    ...field(fc.constantFrom<Json>(...good), bad, (value) => isText(value) && good.includes(value)),
    kept: (value) => (isText(value) ? new Date(value).toISOString() : value),
  };
}

export function countries(): Field {
  const good = fc.constantFrom<Json>('DEU', 'gbr', 'Ita');
  return field(good, ['', 'DE', 'DEUX', 'D1U', null], (value) => isText(value) && /^[A-Za-z]{3}$/.test(value));
}

export function emails(): Field {
  const good = ['ada@example.org', 'a.b+c@mail.example.org', 'a@b.co'];
  const bad = ['', 'a', 'a@b', '@b.co', 'a b@c.de', 'a@b..co', null];
  return field(fc.constantFrom<Json>(...good), bad, (value) => isText(value) && good.includes(value));
}

const someObjects: readonly JsonObject[] = [
  {},
  { a: 1, b: [null, 'x'] },
  { $where: '1', 'a.b': { c: {} } },
  { id: 'mine' },
];

export function objects(): Field {
  return field(fc.constantFrom<Json>(...someObjects), ['{}', 1, []], isObject);
}

/** An object, or its text, as POST of a participant takes it. */
export function objectTexts(): Field {
  const good = fc.constantFrom<Json>(...someObjects, ...someObjects.map((one) => JSON.stringify(one)));
  const parsed = (value: Json): Json => {
    try {
      // What JSON.parse returns is JSON.
      return isText(value) ? (JSON.parse(value) as Json) : value;
    } catch {
      return null;
    }
  };
  return { ...field(good, ['', '[]', '{', 1, null], (value) => isObject(parsed(value))), unset: {}, kept: parsed };
}

export function anyJson(): Field {
  const all = fc.constantFrom<Json>(null, 'text', 1.5, false, [{ value: 'a' }], ...someObjects);
  return { values: all, takes: () => true, unset: null };
}

/** The same field with null as a further value, which clears it and counts when the field is left out. */
export function nullable(inner: Field): Field {
  return {
    ...inner,
    takes: (value) => value === null || inner.takes(value),
    values: fc.oneof({ weight: 4, arbitrary: inner.values }, { weight: 1, arbitrary: fc.constant(null) }),
    kept: (value) => (value === null ? null : (inner.kept?.(value) ?? value)),
    unset: null,
  };
}

/** The same field, with a value that counts when it is left out. */
export function optional(inner: Field, unset: Json): Field {
  return { ...inner, unset };
}

/** The same field, shown under another name. */
export function shownAs(name: string, inner: Field): Field {
  return { ...inner, shownAs: name };
}
