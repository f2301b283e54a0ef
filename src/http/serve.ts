import type { z } from 'zod';
import { includesRole, type Caller } from '../domain/roles.ts';
import type { Json } from '../kernel/json.ts';
import type { Fault } from '../kernel/rejections.ts';
import type { Authenticator } from './authenticator.ts';
import { featuresOf, type Answer, type ApiRequest, type Endpoint, type Feature } from './endpoint.ts';
import { etagOf, parseIfMatch } from './etag.ts';
import type { Exchange } from './exchange.ts';
import { unauthenticated } from './in-flight.ts';
import { readJson } from './json-body.ts';
import { Problem } from './problems.ts';
import { parseQuery } from './query-string.ts';
import { idempotencyKeyOf, prefersAsync } from './request-headers.ts';
import { discard, streamBytes, streamList } from './stream.ts';
import { fail, JSON_TYPE, reply, replyEmpty, type ErrorLog } from './respond.ts';
import { receiveUpload } from './upload.ts';
import { check } from './validation.ts';

/** What every endpoint is served with. */
export interface Services {
  readonly authenticator: Authenticator;
  readonly log: ErrorLog;
  /** Bytes of a JSON body, and of an uploaded file, at most. */
  readonly jsonBytes: number;
  readonly uploadBytes: number;
  readonly uploadDirectory: string;
  readonly deadlineMs: number;
}

/** A row of the table, with what follows from it worked out once. */
export interface Route {
  readonly row: Endpoint;
  readonly label: string;
  readonly features: ReadonlySet<Feature>;
  readonly queryNames: ReadonlySet<string>;
  readonly cacheControl: string;
}

/** Path parameters as the router gives them: the segments of a `{name*}` come as an array. */
export type PathValues = Readonly<Record<string, string | string[]>>;

export function routeOf(row: Endpoint): Route {
  return {
    row,
    label: `${row.method} ${row.path}`,
    features: new Set(featuresOf(row)),
    queryNames: new Set(Object.keys(row.query?.shape ?? {})),
    // What needs a key is not for caches: to them, requests with different keys look alike.
    cacheControl: row.access === 'public' ? 'no-cache' : 'no-store',
  };
}

/** Handles one request from its route to its answer, in the order 401, 403, 400 for path, query and headers, body, handler. */
export async function serve(exchange: Exchange, route: Route, served: { values: PathValues; services: Services }): Promise<void> {
  const { values, services } = served;
  exchange.route = route.label;
  exchange.cacheControl = route.cacheControl;
  exchange.plainFailure = route.row.upload !== undefined;
  try {
    const caller = identify(exchange, route.row, services.authenticator);
    exchange.caller = caller instanceof Promise ? await caller : caller;
    authorize(route.row, exchange.caller);
    const known = parametersOf(exchange, route, values);
    if (route.row.upload) await serveUpload(exchange, route.row, { known, services });
    else {
      const json = route.row.body ? await readJson(exchange, services.jsonBytes) : null;
      const body = route.row.body ? checked(route.row.body, json) : undefined;
      await handle(exchange, route.row, { request: { ...known, json, body, file: null }, services });
    }
  } catch (error) {
    fail(exchange, error, services.log);
  }
}

type Known = Omit<ApiRequest, 'json' | 'body' | 'file'>;

async function serveUpload(exchange: Exchange, row: Endpoint, { known, services }: { known: Known; services: Services }): Promise<void> {
  const upload = await receiveUpload(exchange, row, services);
  try {
    // The time that the file took to arrive is the client's; the handler gets its own from here on.
    exchange.dueAt = performance.now() + services.deadlineMs;
    const { json, file } = upload;
    const body = row.body ? checked(row.body, json) : undefined;
    const request = { ...known, json, body, file, deadline: Date.now() + services.deadlineMs };
    await handle(exchange, row, { request, services });
  } finally {
    await upload.release();
  }
}

async function handle(exchange: Exchange, row: Endpoint, { request, services }: { request: ApiRequest; services: Services }): Promise<void> {
  // The key may have been revoked, the deadline passed or the client left while the body arrived.
  if (exchange.settled) return;
  const answer = row.handle(request);
  await send(exchange, answer instanceof Promise ? await answer : answer, services.log);
}

/** The caller; for a public endpoint without a key, or with one that is not valid, null. */
function identify(exchange: Exchange, row: Endpoint, authenticator: Authenticator): Caller | null | Promise<Caller | null> {
  const token = exchange.req.headers['x-api-key'];
  if (typeof token === 'string' && token !== '') return authenticator.authenticate(token);
  if (row.access === 'public') return null;
  throw unauthenticated();
}

function authorize({ access }: Endpoint, caller: Caller | null): void {
  if (access === 'public') return;
  if (!caller) throw unauthenticated();
  if (!includesRole(caller.role, access)) throw new Problem('FORBIDDEN', `This needs a key of role ${access} or higher.`);
}

/** All of the request but its body. */
function parametersOf(exchange: Exchange, { row, features, queryNames }: Route, values: PathValues): Known {
  const faults: Fault[] = [];
  const params = row.params ? checkParameters(row.params, joined(values), { base: '#/path', faults }) : undefined;
  const query = row.query ? queryOf(exchange, { schema: row.query, names: queryNames }, faults) : undefined;
  if (faults.length > 0) throw invalidParts(faults);
  const { headers } = exchange.req;
  const ifMatch = features.has('if-match') ? headers['if-match'] : undefined;
  return {
    params, query,
    caller: exchange.caller, requestId: exchange.requestId, arrivedAt: exchange.arrivedAt, deadline: exchange.deadline,
    idempotencyKey: features.has('idempotency-key') ? idempotencyKeyOf(headers) : null,
    ifMatch: ifMatch === undefined ? null : parseIfMatch(ifMatch),
    respondAsync: features.has('respond-async') && prefersAsync(headers),
  };
}

function queryOf(exchange: Exchange, { schema, names }: { schema: z.ZodObject; names: ReadonlySet<string> }, faults: Fault[]): unknown {
  const sent = parseQuery(exchange.req.url ?? '', names);
  faults.push(...sent.faults);
  return sent.faults.length > 0 ? undefined : checkParameters(schema, sent.values, { base: '#/query', faults });
}

function checkParameters(schema: z.ZodObject, values: object, { base, faults }: { base: string; faults: Fault[] }): unknown {
  const result = check(schema, values, base);
  if (result.ok) return result.value;
  faults.push(...result.faults);
  return undefined;
}

/** @throws {Problem} 400 when the body does not fit its schema */
function checked(schema: z.ZodType, json: Json): unknown {
  const result = check(schema, json, '#');
  if (result.ok) return result.value;
  throw invalidParts(result.faults);
}

function invalidParts(faults: readonly Fault[]): Problem {
  const [first] = faults;
  const detail = first ? `${first.pointer.slice(1) || 'The body'}: ${first.detail}` : 'The request is not valid.';
  return new Problem('INVALID', detail, { errors: faults });
}

function joined(values: PathValues): Record<string, string> {
  const result: Record<string, string> = {};
  for (const name in values) {
    const value = values[name] ?? '';
    result[name] = typeof value === 'string' ? value : value.join('/');
  }
  return result;
}

async function send(exchange: Exchange, answer: Answer, log: ErrorLog): Promise<void> {
  switch (answer.kind) {
    case 'resource': {
      const body = JSON.stringify(answer.body);
      const headers = { ...answer.headers, ETag: etagOf(answer.revision, body) };
      return reply(exchange, { status: answer.status, contentType: JSON_TYPE, body, headers });
    }
    case 'json':
      return reply(exchange, {
        status: answer.status, contentType: answer.headers?.['Content-Type'] ?? JSON_TYPE,
        body: JSON.stringify(answer.body), headers: answer.headers,
      });
    case 'text':
      return reply(exchange, {
        status: answer.status, contentType: answer.headers?.['Content-Type'] ?? 'text/plain; charset=utf-8',
        body: answer.body, headers: answer.headers,
      });
    case 'empty': return replyEmpty(exchange, answer.status, answer.headers);
    case 'list': return exchange.settled ? discard(answer.batches) : streamList(exchange, answer.batches, log);
    case 'stream': return exchange.settled ? discard(answer.content) : streamBytes(exchange, answer, log);
  }
}
