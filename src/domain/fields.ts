import { z } from 'zod';
import { AnyJson, AnyObject, Integer, listOf, Numeral, Text } from './facts.ts';
import type { Json, JsonObject } from '../kernel/json.ts';
import { component } from './component.ts';
import { faultsInText } from './json-text.ts';
import { unstorable, type Unstorable } from './storable-json.ts';

/** Characters of `2026-05-01T10:00:00.000Z`. */
const UTC_LENGTH = 24;

/** A type with what the API document says of it, and an example of its values. */
export function described<T extends z.ZodType>(type: T, description: string, example?: Json): T {
  return type.meta(example === undefined ? { description } : { description, examples: [example] });
}

/** A type with the unit of its values. The descriptions of operations name it. */
export function inUnit<T extends z.ZodType>(type: T, unit: Unit): T {
  return type.meta({ [UNIT]: unit });
}

/** Extension of the API document: the unit of a number. */
export const UNIT = 'x-unit';

/** Extension: the schema of the resource whose id (or ids) a field has. */
export const REFERS_TO = 'x-refers-to';

/** Extension: the field, beside this one, that refers to the resource whose name this one shows. */
export const NAME_OF = 'x-name-of';

/** Extension: the field has the CDN key of a file (or keys). */
export const FILE = 'x-file';

/** Extension: the name under which views show the field of a body, if that is another one. */
export const SHOWN_AS = 'x-shown-as';

/** Extension: the field, beside this one, whose items usually add up to this one. Forms point out where they do not. */
export const SUM_OF = 'x-sum-of';

/** All extensions of fields. Views and parameters inherit them. */
export const EXTENSIONS = [UNIT, REFERS_TO, NAME_OF, FILE, SHOWN_AS, SUM_OF] as const;

/** A field of bodies that views show by another name. */
export function shownAs<T extends z.ZodType>(type: T, field: string): T {
  return type.meta({ [SHOWN_AS]: field });
}

/** A number that the items of another field usually add up to. */
export function sumOf<T extends z.ZodType>(type: T, field: string): T {
  return type.meta({ [SUM_OF]: field });
}

/** A field with CDN keys, or one, for which forms offer an upload. */
export function ofFiles<T extends z.ZodType>(type: T): T {
  return type.meta({ [FILE]: true });
}

export function extensionsOf(type: z.core.$ZodType | undefined): Readonly<Record<string, unknown>> {
  const said = (type && z.globalRegistry.get(type)) ?? {};
  return Object.fromEntries(EXTENSIONS.flatMap((name) => (said[name] === undefined ? [] : [[name, said[name]]])));
}

export type Unit = 'ms' | 's' | 'm' | '%';

/** A text of `least` to `most` characters, counted as code points (as OpenAPI's `maxLength` counts them). */
export function text(least: number, most: number) {
  return Text.refine((value) => lengthWithin(value, least, most), `must be ${least} to ${most} characters long`).meta({
    minLength: least,
    maxLength: most,
  });
}

/** Most characters of a text that people read, of some paragraphs at most. */
const MAX_PROSE = 10_000;

/** A text of up to a few pages: a label or a description whose length nothing else says. */
export const prose = text(0, MAX_PROSE);

/** Most characters of an item of a list of texts: of a name, a key. */
const MAX_ITEM = 1_000;

/** An item of a list of texts. */
export const textItem = text(0, MAX_ITEM);

/**
 * A character that is visible by itself: no blank, control or format character (zero width, bidi), no mark without a
 * letter, no filler. A private or unassigned character may be visible in a newer version of Unicode.
 */
const VISIBLE = /[^\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text has a visible character. */
export function isVisible(value: string): boolean {
  return VISIBLE.test(value);
}

/** A text with at least one visible character. */
export function name(least: number, most: number) {
  return text(least, most).refine(isVisible, 'must not be blank');
}

function lengthWithin(value: string, least: number, most: number): boolean {
  // A code point is one or two UTF-16 units, so most texts are judged without counting.
  if (value.length < least || value.length > most * 2) return false;
  if (value.length <= most && value.length >= least * 2) return true;
  const length = Array.from(value).length;
  return length >= least && length <= most;
}

/** A UUID of any version; kept in lower case, so that one resource has one name. */
export const uuid = z.guid().toLowerCase().meta({ format: 'uuid' });

/** Whether a type is `uuid`, with whatever description. */
export function isUuid(type: z.core.$ZodType): boolean {
  return type instanceof z.ZodGUID && z.globalRegistry.get(type)?.['format'] === 'uuid';
}

/** A UUID as `uuid` gives it: parsing it would change nothing. */
export const PARSED_UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * An instant: ISO 8601 with `Z` or an offset; kept and shown in UTC with milliseconds, so that text order is time
 * order. `abort`: what is no instant cannot be written as one. In UTC the year may be the one before or after.
 */
export const instant = z.iso
  .datetime({ offset: true, abort: true })
  .overwrite((value) => new Date(value).toISOString())
  .refine((value) => value.length === UTC_LENGTH, 'must lie in the years 0000 to 9999 of UTC');

export const A_MOMENT = '2026-05-01T19:42:11.250Z';

export const createdAt = described(instant, 'When it was created: the time of its first event.', A_MOMENT);

export const updatedAt = described(instant, 'When it was last changed; at first the same as `createdAt`.', A_MOMENT);

export const svg = described(z.boolean(), 'Whether the logo is an SVG image.', true);

export const enabled = described(
  z.boolean(),
  'Whether lists include it; while disabled, it is still found by its id.',
  true,
);

/** Whether the values of a type are instants, or null. */
export function isInstant(type: z.core.$ZodType): boolean {
  if (type instanceof z.ZodNullable || type instanceof z.ZodOptional) return isInstant(type.unwrap());
  return type instanceof z.ZodISODateTime;
}

/**
 * A URL-safe name: the unreserved characters of RFC 3986 §2.3. One of dots alone is refused, as `.` and `..` are no
 * segments of a path.
 */
export function slug(least: number, most: number) {
  return z
    .string()
    .min(least)
    .max(most)
    .regex(/^\.*[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/, 'may contain only A–Z a–z 0–9 . _ ~ -, and not dots alone');
}

/** Whether a text consists of dots alone, which as a segment of a path may lead to the folder above. */
export function isOnlyDots(value: string): boolean {
  return /^\.+$/.test(value);
}

/** The name of a request under which it may be sent again: 1 to 255 visible ASCII characters. */
export const idempotencyKey = z
  .string()
  .max(255)
  .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters');

/** The CDN key (`{CdnType}/{targetName}`) of an image. */
export const cdnKey = ofFiles(text(0, 255));

/**
 * A logo that may be elsewhere: the CDN key of an image, or its address on the web. Its scheme tells them apart, so that
 * nobody has to say which of them it is.
 */
export const logo = ofFiles(
  text(1, 255).refine(isLogo, 'must be a CDN key, such as LOGO/venue.svg, or an address that begins with https://'),
);

function isLogo(value: string): boolean {
  if (/^[A-Z]+\/./.test(value)) return true;
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}

/** A colour of sRGB, as CSS and HTML write it. */
export const color = z.string().regex(/^#[\da-fA-F]{6}$/, 'must be a colour such as #e4002b');

/** A time zone by its IANA name, which this version of Node.js knows. */
export const timeZone = text(1, 64).refine(isTimeZone, 'must be the IANA name of a time zone, such as Europe/Berlin');

/** Offsets, such as `+02:00`, are no time zones: they know no daylight saving time. */
function isTimeZone(value: string): boolean {
  if (!/^[a-z][\w+-]*(?:\/[\w+-]+)*$/i.test(value)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The address of a website, of up to `most` characters, as people write it: the scheme may be missing. */
export function webAddress(most: number) {
  // A text that is too long gets the message about its length.
  const isRight = (value: string): boolean => value.length > most * 2 || isLinkable(value);
  return text(0, most).refine(isRight, 'must be a web address: no scheme but http or https');
}

/**
 * Whether a browser that follows the text as a link stays on the web. People write `www.example.com`, so a scheme may
 * be missing. Judged by the browsers' own parser, because it finds `javascript:` behind blanks and line breaks too.
 */
function isLinkable(value: string): boolean {
  const base = 'https://website.invalid';
  return URL.canParse(value, base) && ['http:', 'https:'].includes(new URL(value, base).protocol);
}

export const country = z.string().regex(/^[A-Za-z]{3}$/, 'must be three letters (ISO 3166-1 alpha-3)');

/** Most characters of a JSON value in a field of a request, written without blanks. */
const MAX_JSON_CHARS = 65_536;
const TOO_LONG_JSON = `must have at most ${MAX_JSON_CHARS} characters as JSON`;
const JSON_LIMIT = `In a request, at most ${MAX_JSON_CHARS} characters as JSON without blanks.`;

/** Any JSON value, kept exactly as it was sent. Without a type: null is one, too. */
export const json = AnyJson.refine(isShortJson, TOO_LONG_JSON).meta({
  ...component('AnyJson', `Any JSON value. ${JSON_LIMIT}`),
  type: [],
});

const anyObject = { ...component('JsonObject', `Any JSON object. ${JSON_LIMIT}`), additionalProperties: true };

/** A JSON object, kept exactly as it was sent. */
export const jsonObject = AnyObject.refine(isShortJson, TOO_LONG_JSON).meta({ ...anyObject, type: 'object' });

/** A JSON object, or null; the generator of the API document cannot see that a custom schema may be null. */
export const jsonObjectOrNull = jsonObject.nullable().meta({ ...anyObject, type: ['object', 'null'] });

/** Whether a value is short enough. A value that is no JSON gets another message. */
function isShortJson(value: Json | undefined): boolean {
  // A value with more characters in its texts is too long however it is written.
  return value === undefined || (charsIn(value) <= MAX_JSON_CHARS && JSON.stringify(value).length <= MAX_JSON_CHARS);
}

/** The characters of a value's texts, and one for each value. The count ends early where the value is too long. */
function charsIn(value: Json): number {
  const pending: (Json | undefined)[] = [value];
  let chars = 0;
  while (pending.length > 0 && chars + pending.length <= MAX_JSON_CHARS) {
    const next = pending.pop();
    chars += 1;
    if (typeof next === 'string') {
      chars += next.length;
    } else if (Array.isArray(next)) {
      // A list that is too long by its number of items is not copied.
      if (next.length > MAX_JSON_CHARS) return next.length;
      for (const item of Object.values<Json>(next)) pending.push(item);
    } else if (typeof next === 'object' && next !== null) {
      for (const [key, inner] of Object.entries(next)) {
        chars += key.length;
        pending.push(inner);
      }
    }
  }
  return chars + pending.length;
}

export const milliseconds = inUnit(Integer.min(0), 'ms');

/** The shortest time of a lap that counts; null: another resource, or the default, says which. */
export function minLapTime(description: string, example: number | null) {
  return described(inUnit(Integer.min(1), 'ms').nullable(), description, example);
}

/** A number that is written as it was sent: `1e20` would become five times as long. */
export const number = Numeral.min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);

/** Most items of a list in a request (docs/interface.md#limits); what was recorded before may have more. */
const MAX_ITEMS = 1000;

export function list<T extends z.ZodType>(item: T, { least = 0, most = MAX_ITEMS } = {}) {
  return listOf(item).min(least).max(most);
}

/** A JSON object sent as its text (`extraFieldsJson` on POST); an object is taken as it is. */
export const jsonObjectText = z.union([text(0, MAX_JSON_CHARS), jsonObject]).transform((value, context): JsonObject => {
  const parsed = typeof value === 'string' ? parsedObject(value) : value;
  if (parsed === null) {
    context.addIssue('must be the text of a JSON object');
    return z.NEVER;
  }
  // The HTTP layer has checked the body, but not JSON inside its texts.
  const fault = unstorable(parsed) ?? (typeof value === 'string' ? firstFaultIn(value) : null);
  if (fault === null) return parsed;
  context.addIssue(`in it, ${fault.path.join(' / ')} ${fault.detail}`);
  return z.NEVER;
});

function firstFaultIn(text: string): Unstorable | null {
  for (const fault of faultsInText(text)) return fault;
  return null;
}

function parsedObject(text: string): JsonObject | null {
  try {
    return AnyObject.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
