import { textsOf, isList, isObject, parseJson, sameJson, type Json, type JsonObject } from '../../shared/json.ts';
import type { Text } from '../../shared/language.ts';
import { lapTime, numberIn, timeIn } from '../../shared/times.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import type { Field } from './fields.ts';

/** The entry in a field: ids of a list, otherwise the text of the input. */
export type Draft = string | readonly string[];

export type Drafts = Readonly<Record<string, Draft>>;

export interface Fault {
  readonly text: Text;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** The value of an entry; undefined if the field is left out. */
export type Entered = { readonly value: Json | undefined } | { readonly fault: Fault };

export function draftOf(field: Field, value: Json | undefined, zone: string | undefined): Draft {
  const { kind } = field;
  if (kind === 'references') return textsOf(value);
  if (value === undefined || value === null) return '';
  if (kind === 'json') return JSON.stringify(value, null, 2);
  if (isTime(field)) return [value].flat().map(timeText).join(', ');
  if (isList(value)) return value.map(String).join(kind === 'texts' ? '\n' : ', ');
  if (typeof value === 'string') return kind === 'instant' ? toLocal(value, zone) : value;
  return JSON.stringify(value);
}

/** Whether the numbers of a field are times of laps or sectors; names of durations end with `Ms`. */
export function isTime({ unit, name }: Pick<Field, 'unit' | 'name'>): boolean {
  return unit === 'ms' && !name.endsWith('Ms');
}

function timeText(value: Json): string {
  return typeof value === 'number' && value > 0 ? lapTime(value) : JSON.stringify(value);
}

/** The entries that a form begins with: those of a record, or of a new one. */
export function draftsOf(fields: readonly Field[], zone: string | undefined, record?: JsonObject): Drafts {
  const valueOf = ({ preset, shownAs }: Field) => (record === undefined ? preset : record[shownAs]);
  return Object.fromEntries(fields.map((field) => [field.name, draftOf(field, valueOf(field), zone)]));
}

/** Whether an entry of a body was given, and differs from what a record shows. */
export function differs({ name, shownAs }: Field, body: JsonObject, record: JsonObject): boolean {
  return body[name] !== undefined && !sameJson(body[name], record[shownAs]);
}

/** Reads an entry, and checks it against the API document. */
export function entered(field: Field, draft: Draft, zone: string | undefined): Entered {
  if (typeof draft !== 'string') return checked(field, draft);
  const isText = field.kind === 'text' || field.kind === 'file';
  if (draft.trim() === '' && !(isText && draft !== '')) return emptyEntry(field);
  const value = valueOf(field, draft, zone);
  return value === undefined ? { fault: { text: faultOfKind(field) } } : checked(field, value);
}

function emptyEntry(field: Field): Entered {
  const { kind, nullable, required, preset } = field;
  if (nullable) return { value: null };
  if (kind === 'texts' || kind === 'numbers') return checked(field, []);
  // An empty text counts as a text, unless it is too short, or a default takes its place.
  const isText = (kind === 'text' || kind === 'file') && (required || preset === undefined);
  if (isText && !('fault' in checked(field, ''))) return { value: '' };
  return required ? { fault: { text: say.missing } } : { value: undefined };
}

/** The value of an entry that is not empty; undefined if it is not valid. */
function valueOf(field: Field, draft: string, zone: string | undefined): Json | undefined {
  const { kind } = field;
  if (kind === 'boolean') return draft === 'true';
  if (kind === 'instant') return fromLocal(draft, zone) ?? undefined;
  if (kind === 'texts') return partsIn(draft, '\n');
  if (kind === 'json') return parseJson(draft);
  if (kind !== 'number' && kind !== 'numbers') return draft;
  // Times also as `2:17.450`.
  const read = isTime(field) ? timeIn : numberIn;
  if (kind === 'number') return read(draft);
  const numbers = partsIn(draft, /[\s,;]+/).map(read);
  return numbers.every((one) => one !== undefined) ? numbers : undefined;
}

function partsIn(draft: string, separator: string | RegExp): readonly string[] {
  const parts = draft.split(separator).map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

function faultOfKind(field: Field): Text {
  const { kind } = field;
  if (isTime(field)) return say.noTime;
  if (kind === 'instant') return say.noInstant;
  return kind === 'json' ? say.noJson : say.noNumber;
}

function checked(field: Field, value: Json): Entered {
  const fault = faultOf(field, value);
  return fault === null ? { value } : { fault };
}

function faultOf(field: Field, value: Json): Fault | null {
  if (typeof value === 'string') return faultOfText(field, value);
  if (typeof value === 'number') return faultOfNumber(field, value);
  if (isList(value)) {
    const { least = 0, most = Infinity } = field;
    if (value.length < least) return { text: say.tooFew, values: { least } };
    if (value.length > most) return { text: say.tooMany, values: { most } };
    return value.map((item) => (typeof item === 'number' ? faultOfNumber(field, item) : null)).find(Boolean) ?? null;
  }
  return isObject(value) || field.kind === 'json' || typeof value === 'boolean' ? null : { text: say.missing };
}

/** Characters are code points, as OpenAPI counts them. */
function faultOfText({ least = 0, most = Infinity, pattern, example }: Field, value: string): Fault | null {
  const { length } = Array.from(value);
  if (length < least) return { text: say.tooShort, values: { least } };
  if (length > most) return { text: say.tooLong, values: { most } };
  if (pattern === '' || new RegExp(pattern, 'u').test(value)) return null;
  return { text: say.wrongForm, values: { example: typeof example === 'string' ? example : pattern } };
}

function faultOfNumber({ min = -Infinity, max = Infinity, integer }: Field, value: number): Fault | null {
  if (integer && !Number.isInteger(value)) return { text: say.notWhole };
  if (value < min) return { text: say.tooSmall, values: { min } };
  return value > max ? { text: say.tooLarge, values: { max } } : null;
}

/** Minutes that a zone is ahead of UTC at an instant; undefined: the reader's own zone. */
function aheadOfUtc(epochMs: number, timeZone: string | undefined): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  }).formatToParts(epochMs);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0);
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return Math.round((shown - epochMs) / 60_000);
}

/** An instant (ISO 8601) in a zone, as an input of date and time has it: `2026-05-01T20:00:00.000`. */
export function toLocal(instant: string, timeZone: string | undefined): string {
  const epochMs = Date.parse(instant);
  const local = new Date(epochMs + aheadOfUtc(epochMs, timeZone) * 60_000).toISOString();
  return local.replace('Z', '').replace(/(:00)?\.000$/, '');
}

/** The instant, in UTC, that an input of date and time names; null if it is not a date. */
export function fromLocal(local: string, timeZone: string | undefined): string | null {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return null;
  // The offset at that instant; the first guess may be on the other side of a clock change.
  const guess = asUtc - aheadOfUtc(asUtc, timeZone) * 60_000;
  return new Date(asUtc - aheadOfUtc(guess, timeZone) * 60_000).toISOString();
}
