import { textsOf, isList, isObject, parseJson, sameJson, type Json, type JsonObject } from '../../shared/json.ts';
import type { Text } from '../../shared/language.ts';
import { fromLocal, toLocal } from '../../shared/local-times.ts';
import {
  isMeasured,
  lapTime,
  numberIn,
  readTime,
  readTimes,
  type ReadTime,
  type TimeFault,
} from '../../shared/times.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { isTime, type Field } from './fields.ts';
import { fromOutline, toOutline } from './outline.ts';

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
  if (kind === 'json') return toOutline(value) ?? JSON.stringify(value, null, 2);
  if (isTime(field)) return [value].flat().map(timeText).join(', ');
  if (isList(value)) return value.map(String).join(kind === 'texts' ? '\n' : ', ');
  if (typeof value === 'string') return kind === 'instant' ? toLocal(value, zone) : value;
  return JSON.stringify(value);
}

function timeText(value: Json): string {
  if (typeof value !== 'number' || value === 0) return JSON.stringify(value);
  // What is no time is shown as it is stored.
  return isMeasured(value) ? lapTime(value) : `${value} ms`;
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
  if (isTime(field)) return enteredTime(field, draft);
  if (field.kind === 'json') return enteredOutline(field, draft);
  const value = valueOf(field, draft, zone);
  return value === undefined ? { fault: { text: faultOfKind(field) } } : checked(field, value);
}

const TIME_FAULTS: Readonly<Record<TimeFault, Text>> = {
  form: say.noTime,
  seconds: say.noSeconds,
  minutes: say.noMinutes,
  decimals: say.tooManyDecimals,
};

/** Reads the times of laps or sectors, as people type them. */
function enteredTime(field: Field, draft: string): Entered {
  const times = timesIn(field, draft);
  const milliseconds: number[] = [];
  for (const time of times) {
    if ('fault' in time) return { fault: { text: TIME_FAULTS[time.fault] } };
    milliseconds.push(time.ms);
  }
  const [first = 0] = milliseconds;
  return checked(field, field.kind === 'numbers' ? milliseconds : first);
}

function timesIn({ kind }: Field, draft: string): readonly ReadTime[] {
  return kind === 'numbers' ? readTimes(draft) : [readTime(draft)];
}

/** How an entry is understood, where it is not written as times are shown; empty otherwise. */
export function timeMeant(field: Field, draft: Draft): string {
  if (typeof draft !== 'string' || !isTime(field)) return '';
  const times = timesIn(field, draft);
  const shown = times.flatMap((time) => ('ms' in time ? [timeText(time.ms)] : []));
  const meant = shown.join(', ');
  return shown.length < times.length || meant === draft.trim() ? '' : meant;
}

/** How far, in ms, the times of sectors may be from the time of their lap: each of them was rounded. */
const ROUNDED_MS = 2;

/** What is odd about the entries of a form, by the names of their fields. They may be saved all the same. */
export function oddities(fields: readonly Field[], drafts: Drafts): Readonly<Record<string, Fault>> {
  const odd: Record<string, Fault> = {};
  for (const field of fields) {
    const parts = fields.find(({ name }) => name === field.sumOf);
    const total = timeOf(field, drafts)[0];
    if (parts === undefined || total === undefined) continue;
    const times = timeOf(parts, drafts);
    const measured = times.filter(isMeasured);
    const sum = measured.reduce((before, time) => before + time, 0);
    // Where one was not measured, the others may only be too long.
    const areAllMeasured = measured.length === times.length;
    const differs = areAllMeasured ? Math.abs(sum - total) > ROUNDED_MS : sum - total > ROUNDED_MS;
    if (times.length > 0 && isMeasured(total) && differs) {
      odd[field.name] = { text: say.otherSum, values: { of: parts.label, sum: timeText(sum) } };
    }
  }
  return odd;
}

/** The times of an entry; none, if it is not valid. */
function timeOf(field: Field, drafts: Drafts): readonly number[] {
  const draft = drafts[field.name] ?? '';
  if (typeof draft !== 'string' || draft.trim() === '') return [];
  const times = timesIn(field, draft);
  const read = times.flatMap((time) => ('ms' in time ? [time.ms] : []));
  return read.length === times.length ? read : [];
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

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** What stands behind the name in a line, or the whole line; empty where a text in quotes begins before the colon. */
function textOfLine(line: string): string {
  const colon = line.indexOf(':');
  if (colon < 0) return line.trim();
  return line.slice(0, colon).includes('"') ? '' : line.slice(colon + 1).trim();
}

/** Reads lines of names and values; of a value that has no such form, JSON. */
function enteredOutline(field: Field, draft: string): Entered {
  if (/^\s*[[{]/.test(draft)) return enteredJson(field, draft);
  const inexact = draft
    .split('\n')
    .map(textOfLine)
    .find((text) => NUMBER.test(text) && !isExact(text));
  if (inexact !== undefined) return { fault: { text: say.numberTooLarge, values: { number: inexact } } };
  const read = fromOutline(draft);
  if ('value' in read) return checked(field, read.value);
  return { fault: { text: read.fault === 'twice' ? say.nameTwice : say.noOutline } };
}

/** Reads JSON; what it would change silently is refused, as the service does: large numbers, and names that come twice. */
function enteredJson(field: Field, draft: string): Entered {
  const value = parseJson(draft);
  if (value === undefined) return { fault: { text: say.noOutline } };
  let names = 0;
  const withoutTexts = draft.replaceAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g, (_, colon?: string) => {
    if (colon !== undefined) names += 1;
    return '""';
  });
  if (names > namesIn(value)) return { fault: { text: say.nameTwice } };
  const numbers = withoutTexts.match(/-?\d[\d.eE+-]*/g) ?? [];
  const inexact = numbers.find((number) => !isExact(number));
  if (inexact !== undefined) return { fault: { text: say.numberTooLarge, values: { number: inexact } } };
  return checked(field, value);
}

/** How many members the objects in a value have. */
function namesIn(value: Json): number {
  if (isList(value)) return value.reduce<number>((sum, item) => sum + namesIn(item), 0);
  if (!isObject(value)) return 0;
  const members = Object.values(value);
  return members.reduce<number>((sum, member) => sum + namesIn(member ?? null), members.length);
}

/** Whether a number in JSON keeps its value here; decimals are rounded as everywhere in JavaScript. */
function isExact(number: string): boolean {
  return /^-?\d+$/.test(number) ? Number.isSafeInteger(Number(number)) : Number.isFinite(Number(number));
}

/** The value of an entry that is not empty; undefined if it is not valid. */
function valueOf(field: Field, draft: string, zone: string | undefined): Json | undefined {
  const { kind } = field;
  if (kind === 'boolean') return draft === 'true';
  if (kind === 'instant') return fromLocal(draft, zone)?.instant;
  if (kind === 'texts') return partsIn(draft, '\n');
  if (kind !== 'number' && kind !== 'numbers') return draft;
  if (kind === 'number') return numberIn(draft);
  const numbers = partsIn(draft, /[\s,;]+/).map(numberIn);
  return numbers.every((one) => one !== undefined) ? numbers : undefined;
}

function partsIn(draft: string, separator: string | RegExp): readonly string[] {
  const parts = draft.split(separator).map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

function faultOfKind(field: Field): Text {
  const { kind } = field;
  return kind === 'instant' ? say.noInstant : say.noNumber;
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

function faultOfNumber(field: Field, value: number): Fault | null {
  const { min = -Infinity, max = Infinity, integer } = field;
  const shown = (bound: number): string => (isTime(field) ? timeText(bound) : String(bound));
  if (integer && !Number.isInteger(value)) return { text: say.notWhole };
  if (value < min) return { text: say.tooSmall, values: { min: shown(min) } };
  return value > max ? { text: say.tooLarge, values: { max: shown(max) } } : null;
}
