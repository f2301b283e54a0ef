import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { placeInText, UnreadableFile } from './unreadable-file.ts';
import type { Warnings } from './warnings.ts';

/** Levels of objects and lists in each other; result files have 10 at most. */
const MAX_DEPTH = 64;

/** Values in a file. 100,000 laps have 1 to 5 million; each takes memory, however short it is. */
const MAX_VALUES = 8_000_000;

/** Letters of a name, an id or a word. */
export const MAX_NAME_LETTERS = 256;

const CODE = {
  space: 0x20,
  quote: 0x22,
  backslash: 0x5c,
  open: 0x7b,
  close: 0x7d,
  openList: 0x5b,
  closeList: 0x5d,
  comma: 0x2c,
};

/**
 * Parses the JSON of a file. Lines that begin with `//` may stand before and after it, as in the files of AMS2.
 *
 * @throws {UnreadableFile}
 */
export function parseJson(text: string, warnings: Warnings): JsonNode {
  const start = startOfJson(text);
  const end = endOfJson(text, start);
  if (startOfJson(text, end) < text.length) {
    throw new UnreadableFile(`there is text after the end of the JSON, from ${placeInText(text, end)}`);
  }
  const json = text.slice(start, end);
  return new JsonNode(parsed(json, text, start), null, '', warnings);
}

function parsed(json: string, text: string, start: number): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Engines say in different ways, or not at all, where the fault is.
    const faults: ParseError[] = [];
    parse(json, faults, { disallowComments: true });
    const [fault] = faults;
    const place = fault === undefined ? 'an unknown place' : placeInText(text, start + fault.offset);
    const what = fault === undefined ? '' : ` (${printParseErrorCode(fault.error)})`;
    throw new UnreadableFile(`the JSON is broken at ${place}${what}`);
  }
}

/** The index, from another on, of the first character that is not white space, nor in a comment from `//` to the line's end. */
export function startOfJson(text: string, from = 0): number {
  let index = from;
  // A regular expression would overflow its stack on a file of comments.
  while (index < text.length) {
    if (text.startsWith('//', index)) {
      const lineEnd = text.indexOf('\n', index);
      index = lineEnd === -1 ? text.length : lineEnd;
    } else if (text.charCodeAt(index) <= CODE.space) {
      index += 1;
    } else {
      break;
    }
  }
  return index;
}

/** Where a scan of JSON has ended, and what it has met there; null: the bracket that closes the first one. */
interface Scan {
  readonly index: number;
  readonly fault: 'nested' | 'many' | 'open' | 'open text' | null;
}

/** The index after the bracket that closes the first one. @throws {UnreadableFile} */
function endOfJson(text: string, start: number): number {
  const { index, fault } = scan(text, start);
  if (fault === null) return index;
  const place = placeInText(text, index);
  switch (fault) {
    case 'nested':
      throw new UnreadableFile(`the JSON is nested more than ${MAX_DEPTH} levels deep at ${place}`);
    case 'many':
      throw new UnreadableFile(`the JSON has more than ${MAX_VALUES} values, from ${place} on`);
    case 'open':
      throw new UnreadableFile(`the JSON is cut off: it ends at ${place}, before it is closed`);
    case 'open text':
      throw new UnreadableFile(`the JSON is cut off in the text that begins at ${place}`);
  }
}

/** Scans JSON to its end. It finds no lines: V8 would search for the first in each turn of the optimised loop. */
function scan(text: string, start: number): Scan {
  let depth = 0;
  let values = 0;
  let index = start;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === CODE.quote) {
      const end = endOfString(text, index);
      if (end === null) return { index, fault: 'open text' };
      index = end;
    } else if (code === CODE.open || code === CODE.openList) {
      depth += 1;
      values += 1;
      if (depth > MAX_DEPTH) return { index, fault: 'nested' };
    } else if (code === CODE.close || code === CODE.closeList) {
      depth -= 1;
      if (depth <= 0) return { index: index + 1, fault: null };
    } else if (code === CODE.comma) {
      values += 1;
    }
    if (values > MAX_VALUES) return { index, fault: 'many' };
    index += 1;
  }
  return { index, fault: 'open' };
}

/** The index of the quote that ends a string; null where none does. */
function endOfString(text: string, start: number): number | null {
  let index = start + 1;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === CODE.quote) return index;
    index += code === CODE.backslash ? 2 : 1;
  }
  return null;
}

/** A value of a JSON document, which knows where it stands. Values of the wrong kind are read as absent, and counted. */
export class JsonNode {
  readonly value: unknown;
  readonly #parent: JsonNode | null;
  readonly #key: string | number;
  readonly #warnings: Warnings;

  constructor(value: unknown, parent: JsonNode | null, key: string | number, warnings: Warnings) {
    this.value = value;
    this.#parent = parent;
    this.#key = key;
    this.#warnings = warnings;
  }

  /** The path of the value: `laps[3].splits`. */
  get place(): string {
    if (this.#parent === null) return '';
    const before = this.#parent.place;
    if (typeof this.#key === 'number') return `${before}[${this.#key}]`;
    const key = this.#key.length > MAX_NAME_LETTERS ? `${this.#key.slice(0, MAX_NAME_LETTERS)}…` : this.#key;
    return before === '' ? key : `${before}.${key}`;
  }

  get isObject(): boolean {
    return typeof this.value === 'object' && this.value !== null && !Array.isArray(this.value);
  }

  get isList(): boolean {
    return Array.isArray(this.value);
  }

  get isAbsent(): boolean {
    return this.value === undefined || this.value === null;
  }

  has(key: string): boolean {
    return this.isObject && Object.hasOwn(this.value as object, key);
  }

  /** A member of an object; an absent value where there is none. */
  get(key: string): JsonNode {
    const member: unknown = this.has(key) ? (this.value as Record<string, unknown>)[key] : undefined;
    return new JsonNode(member, this, key, this.#warnings);
  }

  /** Members of an object, in the order of the file; none of anything else. @throws {UnreadableFile} when a key is too long */
  members(): readonly (readonly [string, JsonNode])[] {
    if (!this.isObject) {
      this.#expect('an object');
      return [];
    }
    const members: (readonly [string, JsonNode])[] = [];
    for (const key of Object.keys(this.value as object)) {
      if (key.length > MAX_NAME_LETTERS) {
        throw new UnreadableFile(
          `a key in ${this.place} has ${key.length} letters; a name has ${MAX_NAME_LETTERS} at most`,
        );
      }
      members.push([key, this.get(key)]);
    }
    return members;
  }

  /** Items of a list; none of anything else. AMS2 writes an empty list as `{}`. */
  items(): readonly JsonNode[] {
    if (!Array.isArray(this.value)) {
      const isEmptyObject = this.isObject && Object.keys(this.value as object).length === 0;
      if (!isEmptyObject) this.#expect('a list');
      return [];
    }
    const list: readonly unknown[] = this.value;
    return list.map((item, n) => new JsonNode(item, this, n, this.#warnings));
  }

  /** Items of a list that are objects; others are left out, and counted. */
  objects(): readonly JsonNode[] {
    const objects: JsonNode[] = [];
    for (const item of this.items()) {
      if (item.isObject) objects.push(item);
      else this.#warnings.count('A list has an entry that is no object; it was left out', item.place);
    }
    return objects;
  }

  number(): number | null {
    if (typeof this.value === 'number') return this.value;
    this.#expect('a number');
    return null;
  }

  boolean(): boolean | null {
    if (typeof this.value === 'boolean') return this.value;
    this.#expect('true or false');
    return null;
  }

  /** A name or a word. @throws {UnreadableFile} when it is too long */
  text(): string | null {
    if (typeof this.value !== 'string') {
      this.#expect('a text');
      return null;
    }
    if (this.value.length > MAX_NAME_LETTERS) {
      const { length } = this.value;
      throw new UnreadableFile(`${this.place} has ${length} letters; a name has ${MAX_NAME_LETTERS} at most`);
    }
    return this.value;
  }

  /** A name or a word; null where it is empty, or blank. @throws {UnreadableFile} when it is too long */
  name(): string | null {
    const text = this.text();
    return text === null || text.trim() === '' ? null : text;
  }

  /** An id, as text, of a text or of a whole number; null where it is empty. @throws {UnreadableFile} when it is too long */
  id(): string | null {
    return Number.isSafeInteger(this.value) ? String(this.value) : this.name();
  }

  #expect(kind: string): void {
    if (!this.isAbsent) this.#warnings.count(`A value is not ${kind}; it was left out`, this.place);
  }
}
