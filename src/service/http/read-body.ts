import { faultsInText, firstLook, isNestedDeeper, mayRepeatMembers } from '../../domain/json-text.ts';
import { RefusedItem, unstorable, type Unstorable } from '../../domain/storable-json.ts';
import { isObject, type Json } from '../../kernel/json.ts';
import type { Exchange } from './respond.ts';
import { pointerStep } from './parameters.ts';
import { ClientGone, Problem, invalidProblem } from './problems.ts';

export function tooLargeProblem(limit: number): Problem {
  return new Problem('CONTENT_TOO_LARGE', `The body may have ${limit} bytes at most.`);
}

/** To a client that waits for that before it sends its body. */
export function sendContinue(exchange: Exchange): void {
  exchange.awaitsContinue = false;
  exchange.writeContinue();
}

/**
 * Reads all bytes of the request's body, which is said to be JSON.
 * @throws {Problem} 413 as soon as they are, or are announced to be, more than `limit`; 415 for anything but plain UTF-8
 * JSON, 400 without a body
 * @throws {ClientGone} when the connection ends before the body
 */
export function readJson(exchange: Exchange, limit: number): Promise<Buffer> {
  const { req } = exchange;
  const { 'content-type': type, 'content-encoding': encoding, 'content-length': length = 0 } = req.headers;
  if (!exchange.hasBody) throw invalidProblem('A JSON body is needed.', '#');
  if (type !== 'application/json' || encoding !== undefined) checkEncoding(exchange);
  if (Number(length) > limit) throw tooLargeProblem(limit);
  if (exchange.awaitsContinue) sendContinue(exchange);
  exchange.readingBody = true;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (problem?: Error) => {
      exchange.readingBody = false;
      req.off('data', take).off('end', end).off('close', gone).off('error', gone);
      const [only] = chunks;
      if (problem !== undefined) reject(problem);
      else resolve(only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, size));
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else end(tooLargeProblem(limit));
    };
    const gone = () => end(new ClientGone('the client went away while it sent its body'));
    req.on('data', take).on('end', end).on('close', gone).on('error', gone);
  });
}

const JSON_TYPE = /^application\/(?:json|[\w.!#$&^-]+\+json)$/i;
const UTF8 = /^charset\s*=\s*(?:utf-8|"utf-8")$/i;

/** Whether a `Content-Type` is JSON in UTF-8. Taken apart first: one expression for all of it would need n² steps. */
function isJsonType(header: string): boolean {
  const [type = '', charset = '', ...rest] = header.split(';', MAX_TYPE_PARTS).map((part) => part.trim());
  return JSON_TYPE.test(type) && (charset === '' || UTF8.test(charset)) && rest.every((part) => part === '');
}

/** Type, charset, and what may follow a last semicolon: nothing; one part more is one too many. */
const MAX_TYPE_PARTS = 4;

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

function checkEncoding({ req: { headers } }: Exchange): void {
  if (!isJsonType(headers['content-type'] ?? '')) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json in UTF-8.', {
      headers: { Accept: 'application/json' },
    });
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent without Content-Encoding.', {
      headers: { 'Accept-Encoding': 'identity' },
    });
  }
}
