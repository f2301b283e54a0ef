import { isUtf8 } from 'node:buffer';
import type { Json } from '../kernel/json.ts';
import { receive } from './receive.ts';
import type { Exchange } from './exchange.ts';
import { invalid, Problem } from './problems.ts';
import { pointerStep } from './validation.ts';

/** Levels of arrays and objects at most (DESIGN §5). */
const MAX_DEPTH = 32;
const TOO_DEEP = `The body is nested deeper than ${MAX_DEPTH} levels.`;

/**
 * NUL, and surrogates without their partner, which no UTF-8 can carry: with the `u` flag, a pair is not a surrogate.
 */
const UNSTORABLE = /[\0\ud800-\udfff]/u;
const UNSTORABLE_DETAIL = 'Text may not contain NUL or half of a surrogate pair.';

const JSON_TYPE = /^application\/(?:json|[\w.!#$&^-]+\+json)\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

/**
 * The request's body, read and parsed.
 * @throws {Problem} 413 over `limit` bytes or 32 levels, 415 for anything but plain UTF-8 JSON, 400 for what is no JSON
 * or cannot be stored: NUL, lone surrogates, numbers past the range of a double, the key `__proto__`.
 */
export async function readJson(exchange: Exchange, limit: number): Promise<Json> {
  if (!exchange.hasBody) throw invalid('A JSON body is needed.', '#');
  checkEncoding(exchange);
  const bytes = await receive(exchange, limit);
  if (!isUtf8(bytes)) throw invalid('The body is not UTF-8.', '#');
  return parseJson(bytes.toString('utf8'));
}

/**
 * Parses JSON that came from outside.
 * @throws {Problem} 413 over 32 levels, 400 for what is no JSON or cannot be stored
 */
export function parseJson(text: string): Json {
  const json = parse(text);
  inspect(json, []);
  return json;
}

function checkEncoding({ req: { headers } }: Exchange): void {
  const type = headers['content-type'] ?? '';
  if (type !== 'application/json' && !JSON_TYPE.test(type)) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'The body is to be application/json, in UTF-8.', {
      headers: { Accept: 'application/json' },
    });
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'The body is to be sent without Content-Encoding.', {
      headers: { 'Accept-Encoding': 'identity' },
    });
  }
}

function parse(text: string): Json {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  try {
    // JSON.parse is typed `any`; what it returns is JSON by definition.
    return JSON.parse(start === 0 ? text : text.slice(start)) as Json;
  } catch {
    // The parser's message quotes the body, which may hold a token: it is not repeated.
    throw invalid('The body is not valid JSON.', '#');
  }
}

/** Refuses what JSON can say and the service cannot keep. `path` leads from the body to the value. */
function inspect(value: Json, path: (string | number)[]): void {
  if (typeof value === 'string') inspectText(value, path);
  else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw invalid('The number is out of range.', pointerOf(path));
  } else if (typeof value === 'object' && value !== null) {
    if (path.length >= MAX_DEPTH) throw new Problem('CONTENT_TOO_LARGE', TOO_DEEP);
    if (isArray(value)) value.forEach((item, index) => { inspectAt(index, item, path); });
    else for (const key of Object.keys(value)) inspectMember(key, value[key] ?? null, path);
  }
}

function inspectMember(key: string, value: Json, path: (string | number)[]): void {
  if (key === '__proto__') throw invalid('A key may not be named __proto__.', pointerOf([...path, key]));
  if (UNSTORABLE.test(key)) throw invalid(UNSTORABLE_DETAIL, pointerOf(path));
  inspectAt(key, value, path);
}

function inspectAt(key: string | number, value: Json, path: (string | number)[]): void {
  path.push(key);
  inspect(value, path);
  path.pop();
}

function inspectText(text: string, path: readonly (string | number)[]): void {
  if (UNSTORABLE.test(text)) throw invalid(UNSTORABLE_DETAIL, pointerOf(path));
}

function pointerOf(path: readonly (string | number)[]): string {
  return `#${path.map(pointerStep).join('')}`;
}

/** `Array.isArray` does not narrow readonly arrays. */
function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
