import fc, { type Arbitrary } from 'fast-check';
import { canonicalJson, type Json, type JsonObject } from '../../../src/kernel/json.ts';
import type { Field as DeclaredField } from '../resources/fields.ts';

/** A field of a body, as described in test/resources. */
export interface Field extends Pick<DeclaredField, 'unset' | 'otherwise' | 'isOfSeat' | 'shownAs' | 'refersTo'> {
  /** True if the service must accept a value. */
  readonly takes: (value: Json) => boolean;
  /** Values to send, nearly all of them valid. */
  readonly values: Arbitrary<Json>;
  /** The simplest value; texts contain this number. */
  readonly plain: (n: number) => Json;
  /** How an accepted value is shown. */
  readonly kept: (value: Json) => Json;
  /** True if it is neither an array nor an object. */
  readonly isScalar: boolean;
}

/** Stands in a body for a value that is only known when it is sent. */
export const placeholder = {
  /** Id of the nth visible resource of the field's kind, newest first; past the end, an id that does not exist. */
  ref: (n: number): JsonObject => ({ $ref: n }),
  /** A text that no other sequence uses; equal `n` give equal texts. */
  name: (n: number): JsonObject => ({ $name: n }),
};

/** Few names, so that sorts have ties and unique keys are taken. */
const names = fc.integer({ min: 0, max: 5 }).map(placeholder.name);

/** Mostly the newest resource, sometimes one that does not exist. */
const ref = fc
  .oneof({ weight: 60, arbitrary: fc.integer({ min: 0, max: 3 }) }, { weight: 1, arbitrary: fc.constant(99) })
  .map(placeholder.ref);

/** One value in this many is invalid. */
const GOOD_TO_BAD = 80;

/** Texts that cannot be stored. */
const UNSTORABLE = ['a\0bc', '\ud83cabc'];

/** A field as the model sees it; `isKey`: sequences must not share values. */
export function modelled(field: DeclaredField, isKey: boolean): Field {
  const { bad: refused, nullable, isText, shown = (value: Json) => value, few, sample } = field;
  const bad = [...refused];
  if (!nullable) bad.push(null);
  if (isText === true) bad.push(...UNSTORABLE);
  const bads = new Set(bad.map((value) => canonicalJson(value)));
  const list = field.refersTo === undefined ? null : sample?.('', () => '');
  const isScalar = !few.some((value) => typeof value === 'object' && value !== null) && !Array.isArray(list);
  const any = goodOf(field, { isKey, isList: Array.isArray(list) });
  const good = nullable ? fc.oneof({ weight: 4, arbitrary: any }, { weight: 1, arbitrary: fc.constant(null) }) : any;
  return {
    ...field,
    isScalar,
    takes: (value) => !bads.has(canonicalJson(value)),
    values:
      bad.length === 0
        ? good
        : fc.oneof({ weight: GOOD_TO_BAD, arbitrary: good }, { weight: 1, arbitrary: fc.constantFrom<Json>(...bad) }),
    plain: (n) => {
      if (field.refersTo !== undefined) return isScalar ? placeholder.ref(0) : [placeholder.ref(0)];
      return isText === true ? placeholder.name(n) : (few[0] ?? null);
    },
    kept: (value) => (value === null ? null : shown(value)),
  };
}

function goodOf(
  { refersTo, isText, few, bad }: DeclaredField,
  { isKey, isList: areMany }: { readonly isKey: boolean; readonly isList: boolean },
): Arbitrary<Json> {
  const least = bad.some((value) => isList(value) && value.length === 0) ? 1 : 0;
  if (refersTo !== undefined) return areMany ? fc.array(ref, { minLength: least, maxLength: 3 }) : ref;
  if (isText !== true) return fc.constantFrom<Json>(...few);
  if (isKey || few.length === 0) return names;
  return fc.oneof({ weight: 4, arbitrary: names }, { weight: 1, arbitrary: fc.constantFrom<Json>(...few) });
}

/** `Array.isArray` for read-only arrays, which it does not narrow. */
export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** Whether a value is a JSON object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
