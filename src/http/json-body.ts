import { isUtf8 } from 'node:buffer';
import { unstorable } from '../domain/storable-json.ts';
import type { Json } from '../kernel/json.ts';
import { readBody } from './read-body.ts';
import type { Exchange } from './exchange.ts';
import { invalid, Problem } from './problems.ts';
import { pointerStep } from './validation.ts';

const JSON_TYPE = /^application\/(?:json|[\w.!#$&^-]+\+json)\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

/** Bounds of a JSON body. */
export interface JsonLimits {
  readonly jsonBytes: number;
  /** Levels of arrays and objects. */
  readonly jsonLevels: number;
}

/**
 * The request's body, read and parsed.
 * @throws {Problem} 413 over the limits, 415 for anything but plain UTF-8 JSON, 400 for what is no JSON or cannot be
 * stored: NUL, lone surrogates, numbers past the range of a double, the key `__proto__`.
 */
export async function readJson(exchange: Exchange, { jsonBytes, jsonLevels }: JsonLimits): Promise<Json> {
  if (!exchange.hasBody) throw invalid('A JSON body is needed.', '#');
  checkEncoding(exchange);
  const bytes = await readBody(exchange, jsonBytes);
  if (!isUtf8(bytes)) throw invalid('The body is not UTF-8.', '#');
  return parseJson(bytes.toString('utf8'), jsonLevels);
}

/**
 * Parses JSON that came from outside.
 * @throws {Problem} 413 over so many levels, 400 for what is no JSON or cannot be stored
 */
export function parseJson(text: string, levels: number): Json {
  const json = parse(text);
  const fault = unstorable(json, levels);
  if (fault === null) return json;
  if (fault.tooDeep) throw new Problem('CONTENT_TOO_LARGE', `The body is nested deeper than ${levels} levels.`);
  throw invalid(fault.detail, `#${fault.path.map(pointerStep).join('')}`);
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
