import type { z } from 'zod';
import type { Json } from '../kernel/json.ts';
import type { Fault } from '../kernel/aggregate/rejections.ts';
import type { Endpoint } from './endpoint.ts';
import { parseIfMatch } from './etag.ts';
import type { Exchange } from './exchange.ts';
import { Problem } from './problems.ts';
import { parseQuery } from './query-string.ts';
import { idempotencyKeyOf, prefersAsync } from './request-headers.ts';
import type { Route } from './route.ts';
import { check } from './validation.ts';

type AnyRequest = Parameters<Endpoint['handle']>[0];

/** A request to a row whose schemas are not known here, on its way to the handler: the body comes last. */
export type Draft = { -readonly [K in keyof AnyRequest]: AnyRequest[K] };

/** Path parameters as the router gives them: the segments of a `{name*}` come as an array. */
export type PathValues = Readonly<Record<string, string | string[]>>;

type Values = z.output<z.ZodObject> | undefined;

/**
 * The request without its body, path, query and headers checked.
 * @throws {Problem} 400 with all that is wrong with path and query, or with the first header that is wrong
 */
export function requestOf(exchange: Exchange, route: Route, sent: PathValues): Draft {
  const faults: Fault[] = [];
  const params = pathValues(route, sent, faults);
  const query = queryValues(route, exchange.req.url ?? '', faults);
  if (faults.length > 0) throw invalidParts(faults);
  const { headers } = exchange.req;
  const ifMatch = route.features.has('if-match') ? headers['if-match'] : undefined;
  return {
    params,
    query,
    body: undefined,
    json: null,
    file: null,
    caller: exchange.caller,
    requestId: exchange.requestId,
    arrivedAt: exchange.arrivedAt,
    deadline: exchange.deadline,
    idempotencyKey: route.features.has('idempotency-key') ? idempotencyKeyOf(headers) : null,
    ifMatch: ifMatch === undefined ? null : parseIfMatch(ifMatch),
    respondAsync: route.features.has('respond-async') && prefersAsync(headers),
  };
}

/** @throws {Problem} 400 when the body does not fit its schema */
export function bodyOf(schema: z.ZodType, json: Json): unknown {
  const result = check(schema, json, '#');
  if (result.ok) return result.value;
  throw invalidParts(result.faults);
}

/** No index can hold a NUL, so that nothing is looked up by one. */
function pathValues({ row }: Route, sent: PathValues, faults: Fault[]): Values {
  if (!row.params) return undefined;
  const values: Record<string, string> = {};
  for (const name in sent) {
    const value = sent[name] ?? '';
    const text = typeof value === 'string' ? value : value.join('/');
    if (text.includes('\0')) faults.push({ pointer: `#/path/${name}`, detail: 'contains a NUL character' });
    values[name] = text;
  }
  return accepted(check(row.params, values, '#/path'), faults);
}

function queryValues({ row, queryNames }: Route, url: string, faults: Fault[]): Values {
  if (!row.query) return undefined;
  const sent = parseQuery(url, queryNames);
  faults.push(...sent.faults);
  return sent.faults.length > 0 ? undefined : accepted(check(row.query, sent.values, '#/query'), faults);
}

function accepted(result: ReturnType<typeof check<z.ZodObject>>, faults: Fault[]): Values {
  if (result.ok) return result.value;
  faults.push(...result.faults);
  return undefined;
}

function invalidParts(faults: readonly Fault[]): Problem {
  const [first] = faults;
  const detail = first ? `${first.pointer.slice(1) || 'The body'}: ${first.detail}` : 'The request is not valid.';
  return new Problem('INVALID', detail, { errors: faults });
}
