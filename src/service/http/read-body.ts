import { unstorable } from '../domain/storable-json.ts';
import type { Json } from '../kernel/json.ts';
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
 * Parses JSON that is to be stored. `levels` is null where that is checked later (`requireStorable`).
 * @throws {Problem} 400, 413 as `requireStorable` does
 */
export function parseJson(text: string, levels: number | null): Json {
  const start = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  let json: Json;
  try {
    // JSON.parse is typed `any`; what it returns is JSON by definition.
    json = JSON.parse(start === 0 ? text : text.slice(start)) as Json;
  } catch {
    // The parser's message is not repeated, as it quotes the body, which may hold a token.
    throw invalidProblem('The body is not valid JSON.', '#');
  }
  if (levels !== null && (SUSPECT.test(text) || hasMoreOpenings(text, levels))) requireStorable(json, levels);
  return json;
}

const BYTE_ORDER_MARK = 0xfeff;

/**
 * Matches every UTF-8 text of JSON with something in it that cannot be stored, and few others: an escape, the key, a number
 * with a large exponent (`1e123` within a UUID is none), very many digits. Most bodies need no walk through all of their
 * values.
 */
const SUSPECT = /\\u|__proto__|\d[eE]\+?\d{3,}\s*(?:[,\]}]|$)|\d{200}/;

function hasMoreOpenings(text: string, levels: number): boolean {
  let openings = 0;
  for (let at = 0; at < text.length && openings <= levels; at += 1) {
    const char = text.charCodeAt(at);
    if (char === OPENING_BRACKET || char === OPENING_BRACE) openings += 1;
  }
  return openings > levels;
}

const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;

/**
 * @throws {Problem} 413 over so many levels, 400 for what cannot be stored: NUL, lone surrogates, numbers past the range
 * of a double, the key `__proto__`.
 */
export function requireStorable(json: unknown, levels: number): void {
  const fault = unstorable(json, levels);
  if (fault === null) return;
  if (fault.tooDeep) throw new Problem('CONTENT_TOO_LARGE', `The body is nested deeper than ${levels} levels.`);
  throw invalidProblem(fault.detail, `#${fault.path.map(pointerStep).join('')}`);
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
