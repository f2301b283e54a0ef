/**
 * JSON that is to be stored. `express.json` and its like parse whatever JSON.parse takes: they know no limit of depth, and
 * let through members that are given twice, numbers that no double holds, and texts that no store takes.
 */
import { faultsInText, firstLook, isNestedDeeper, mayRepeatMembers } from '../../domain/json-text.ts';
import { RefusedItem, unstorable, type Unstorable } from '../../domain/storable-json.ts';
import { isObject, type Json } from '../../kernel/json.ts';
import { pointerStep } from './parameters.ts';
import { Problem, invalidProblem } from './problems.ts';

export interface JsonLimits {
  readonly bodyLimitBytes: number;
  readonly bodyDepthLimit: number;
}

/**
 * Parses JSON that is to be stored. `levels` is null where the items of a list are checked one by one, later
 * (`requireStorable`): a fault that only the text shows then takes the place of its item.
 * @throws {Problem} 400, 413 as `requireStorable` does; 400 for a member that is given twice, and for a whole number that
 * no double holds
 */
export function parseJson(text: string, levels: number | null): Json {
  const start = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  const sent = start === 0 ? text : text.slice(start);
  const { openings, hasLongNumber } = firstLook(sent);
  // Before it is parsed: that takes 100 ms for a million brackets.
  if (openings > MAX_PARSED && isNestedDeeper(sent, MAX_PARSED)) throw tooDeepProblem(levels ?? MAX_PARSED);
  let json: Json;
  try {
    // JSON.parse is typed `any`; what it returns is JSON by definition.
    json = JSON.parse(sent) as Json;
  } catch {
    // The parser's message is not repeated, as it quotes the body, which may hold a token.
    throw invalidProblem('The body is not valid JSON.', '#');
  }
  const mayBeUnstorable = sent.includes('\\u') || sent.includes('__proto__') || hasLongNumber || EXPONENT.test(sent);
  if (levels !== null && (mayBeUnstorable || openings > levels)) requireStorable(json, levels);
  if (hasLongNumber || mayRepeatMembers(sent, json)) {
    for (const fault of faultsInText(sent)) if (levels !== null || !refuseItem(json, fault)) throw problemOf(fault);
  }
  return json;
}

const BYTE_ORDER_MARK = 0xfeff;

/** Levels at most of a text that is parsed, before its value is held to a limit. */
const MAX_PARSED = 1_000;

/**
 * Matches each text of JSON with a number that its exponent takes past the range of a double, and few others (`1e123`
 * within a UUID is none). Most bodies need no walk through all of their values.
 */
const EXPONENT = /\d[eE]\+?\d{3,}\s*(?:[,\]}]|$)/;

/** Puts a fault in the place of the item of a list that it is in: `{ "list": [item] }`; false where it is in none. */
function refuseItem(json: Json, { path, ...fault }: Unstorable): boolean {
  const [field, index, ...rest] = path;
  if (typeof field !== 'string' || typeof index !== 'number' || !isObject(json)) return false;
  const list: unknown = json[field];
  if (!Array.isArray(list)) return false;
  list[index] = list[index] instanceof RefusedItem ? list[index] : new RefusedItem({ ...fault, path: rest });
  return true;
}

/**
 * @throws {Problem} 413 over so many levels, 400 for what cannot be stored: NUL, lone surrogates, numbers past the range
 * of a double, the key `__proto__`.
 */
export function requireStorable(json: unknown, levels: number): void {
  const fault = unstorable(json, levels);
  if (fault === null) return;
  throw fault.tooDeep ? tooDeepProblem(levels) : problemOf(fault);
}

function tooDeepProblem(levels: number): Problem {
  return new Problem('CONTENT_TOO_LARGE', `The body is nested deeper than ${levels} levels.`);
}

function problemOf({ detail, path }: Unstorable): Problem {
  return invalidProblem(detail, `#${path.map(pointerStep).join('')}`);
}
