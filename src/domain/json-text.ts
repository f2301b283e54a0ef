import type { Unstorable } from './storable-json.ts';

/*
 * Checks of the text of JSON, as it was sent. `JSON.parse` silently keeps the last of two members with one name, and
 * rounds every number to a double.
 */

/** Faults of values that would not be stored as they were sent. */
const CHANGED_DETAIL = 'has more digits than a number can keep; send it as a text';
const TWICE_DETAIL = 'is given twice';

const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const CAPITAL_E = 0x45;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const SMALL_E = 0x65;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** Number of digits, with a point among them, from which on a double may not keep them all. */
const LONG_NUMBER = 16;

/** A quick look at a text, JSON or not, in one pass. It counts what is inside strings, too, so callers look again. */
export function firstLook(text: string) {
  let openings = 0;
  let digits = 0;
  let mostDigits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (isDigit(char) || char === DOT) {
      digits += 1;
      continue;
    }
    if (digits > mostDigits) mostDigits = digits;
    digits = 0;
    if (char === OPENING_BRACKET || char === OPENING_BRACE) openings += 1;
  }
  return { openings, hasLongNumber: Math.max(digits, mostDigits) >= LONG_NUMBER };
}

/** Whether a text, JSON or not, opens more arrays and objects within one another than `levels`. */
export function isNestedDeeper(text: string, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      at = endOfString(text, at) - 1;
    } else if (char === OPENING_BRACKET || char === OPENING_BRACE) {
      depth += 1;
      if (depth > levels) return true;
    } else if (char === CLOSING_BRACKET || char === CLOSING_BRACE) {
      depth -= 1;
    }
  }
  return false;
}

/**
 * Whether a member of an object may be given twice in the text that a value was parsed from: the text then names more
 * members than the value has. The content of a string may look like a member, so callers look again.
 */
export function mayRepeatMembers(text: string, value: unknown): boolean {
  return membersWritten(text) > membersIn(value);
}

/** The colons of a text that come after a quote: one for each member, and few others. */
function membersWritten(text: string): number {
  let members = 0;
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1;
    while (isBlank(text.charCodeAt(before))) before -= 1;
    if (text.charCodeAt(before) === QUOTE) members += 1;
  }
  return members;
}

function isBlank(char: number): boolean {
  return char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09;
}

/** The members of all objects in a value. Its depth was judged before. */
function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value) members += membersIn(item);
    return members;
  }
  for (const key in value) {
    // Objects that JSON.parse makes inherit no members.
    members += 1 + membersIn(Reflect.get(value, key));
  }
  return members;
}

/** Names of one object up to which comparing them all is quicker than a set. */
const FEW = 12;

class Names {
  readonly #few: string[] = [];
  #many: Set<string> | null = null;

  /** Adds a name; returns whether it was there already. */
  add(name: string): boolean {
    if (this.#many === null && this.#few.length < FEW) {
      if (this.#few.includes(name)) return true;
      this.#few.push(name);
      return false;
    }
    this.#many ??= new Set(this.#few);
    if (this.#many.has(name)) return true;
    this.#many.add(name);
    return false;
  }
}

/** An object or array that is open where the scan has come to. */
interface Level {
  /** Names of the members so far; null in an array. */
  readonly names: Names | null;
  /** Name of the member, or index of the item, that is being read. */
  step: string | number;
  /** Whether the next string is the name of a member. */
  beforeName: boolean;
}

/**
 * Yields the faults of the text of a JSON value that its parsed value does not show, each with the path that leads to it: a
 * member that is given twice, and a whole number with more digits than a double holds. Decimals are rounded as everywhere.
 */
export function* faultsInText(text: string): Generator<Unstorable> {
  const levels: Level[] = [];
  let level: Level | undefined;
  let at = 0;
  while (at < text.length) {
    const char = text.charCodeAt(at);
    let end = at + 1;
    if (char === QUOTE) {
      end = endOfString(text, at);
      if (level?.names && level.beforeName) {
        level.step = nameIn(text.slice(at, end));
        level.beforeName = false;
        if (level.names.add(level.step)) yield fault(levels, TWICE_DETAIL);
      }
    } else if (char === OPENING_BRACE) {
      level = { names: new Names(), step: '', beforeName: true };
      levels.push(level);
    } else if (char === OPENING_BRACKET) {
      level = { names: null, step: 0, beforeName: false };
      levels.push(level);
    } else if (char === CLOSING_BRACE || char === CLOSING_BRACKET) {
      levels.pop();
      level = levels.at(-1);
    } else if (char === COMMA && level !== undefined) {
      if (typeof level.step === 'number') level.step += 1;
      else level.beforeName = true;
    } else if (char === MINUS || isDigit(char)) {
      end = endOfNumber(text, at);
      if (!keepsDigits(text.slice(at, end))) yield fault(levels, CHANGED_DETAIL);
    }
    at = end;
  }
}

function fault(levels: readonly Level[], detail: string): Unstorable {
  return { path: levels.map(({ step }) => step), detail, tooDeep: false };
}

/** The index after the string that begins here; after the text, if it does not end. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

function nameIn(token: string): string {
  return token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
}

function isDigit(char: number): boolean {
  return char >= ZERO && char <= NINE;
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && isInNumber(text.charCodeAt(at))) at += 1;
  return at;
}

function isInNumber(char: number): boolean {
  return isDigit(char) || char === DOT || char === SMALL_E || char === CAPITAL_E || char === PLUS || char === MINUS;
}

/** Number of digits that every double keeps. */
const SAFE_DIGITS = 15;

/** Whether a number, as JSON writes it, is shown again with the digits that it has, or is no whole number. */
function keepsDigits(token: string): boolean {
  if (token.length <= SAFE_DIGITS || isPlainDecimal(token)) return true;
  const sent = decimalOf(token);
  if (sent.exponent < 0) return true;
  const value = Number(token);
  // Past the range of a double: that is another fault.
  if (!Number.isFinite(value)) return true;
  const shown = decimalOf(String(value));
  return sent.digits === shown.digits && (sent.exponent === shown.exponent || sent.digits === '');
}

/** Whether a number has no exponent and ends with another digit than zero after its point: it is no whole number. */
function isPlainDecimal(token: string): boolean {
  return token.includes('.') && !token.endsWith('0') && !/[eE]/.test(token);
}

/** A number as its digits, without zeros at either end, and the power of ten of the last of them; the sign is left out. */
function decimalOf(token: string): { readonly digits: string; readonly exponent: number } {
  const unsigned = token.startsWith('-') ? token.slice(1) : token;
  const [mantissa = '', power = '0'] = unsigned.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  let first = 0;
  while (all.charCodeAt(first) === ZERO) first += 1;
  let end = all.length;
  while (end > first && all.charCodeAt(end - 1) === ZERO) end -= 1;
  return { digits: all.slice(first, end), exponent: Number(power) - fraction.length + (all.length - end) };
}
