/**
 * Parameters of requests, read strictly. Express's query parsers (`qs`, `node:querystring`) let through what the interface
 * refuses: parameters that are repeated, empty, arrays (`a[]=1`) or badly encoded.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { idempotencyKey, isUuid, PARSED_UUID } from '../../domain/fields.ts';
import { withoutTokens } from '../../domain/secrets.ts';
import { IN_OUR_WORDS } from '../../domain/validation.ts';
import { parseMarkedPosition, type MarkedPosition } from './marked-position.ts';
import type { ChangeUsage, ReplayPlaces, Usage } from './requester.ts';
import type { Fault } from '../../kernel/aggregate/rejection.ts';
import type { Json } from '../../kernel/json.ts';
import { clientName } from './client-address.ts';
import { featuresOf, type Endpoint, type Feature } from './endpoint.ts';
import { Problem, invalidProblem } from './problems.ts';
import { parseIfMatch } from './etags.ts';
import { changeUsageOf, signalOf, usageOf } from './waiting.ts';

export const API = '/api/v1/';

type RequestRules = ReturnType<typeof requestRules>;

export function requestRules(row: Endpoint) {
  const features: ReadonlySet<Feature> = new Set(featuresOf(row));
  return {
    row,
    features,
    /** Whether one of them is about a header of requests. */
    readsHeaders: [...features].some((feature) => feature !== 'etag' && feature !== 'range'),
    takesUuids: Object.values(row.params?.shape ?? {}).every(isUuid),
    queryNames: new Set(Object.keys(row.query?.shape ?? {})),
    /** Queries that were parsed, by their text: most are sent again and again. */
    parsed: new LRUCache<string, NonNullable<ParsedParameters>>({ max: MAX_PARSED }),
    /**
     * Whether a query parameter that the row does not declare is a fault, or else ignored: a filter that is ignored would
     * answer with everybody's records; documents and files are asked for with `?v=1`.
     */
    refusesOtherParameters: row.path.startsWith(API),
  };
}

type AnyRequest = Parameters<Endpoint['handle']>[0];

export type RequestHead = Pick<AnyRequest, 'params' | 'query' | 'headers'>;

export type RequestBody = Pick<AnyRequest, 'json' | 'body'>;

/** A request, for its handler. Its fields are only declared here: defined, each would be set twice. */
export class ParsedRequest implements AnyRequest {
  declare readonly id: string;
  declare readonly caller: AnyRequest['caller'];
  declare readonly params: AnyRequest['params'];
  declare readonly query: AnyRequest['query'];
  declare readonly headers: AnyRequest['headers'];
  declare readonly body: unknown;
  declare readonly json: Json;
  declare readonly arrivedAt: number;
  declare readonly deadline: number;
  declare private readonly res: Response;

  constructor(res: Response, head: RequestHead, { body, json }: RequestBody) {
    this.res = res;
    this.id = res.requestId;
    this.caller = res.caller;
    this.params = head.params;
    this.query = head.query;
    this.headers = head.headers;
    this.body = body;
    this.json = json;
    this.arrivedAt = res.arrivedAt;
    this.deadline = res.deadline;
  }

  /** Created on demand, as it costs more than all the rest; a getter of a class, so that requests share a shape. */
  get signal(): AbortSignal {
    return signalOf(this.res);
  }

  get usage(): Usage {
    return usageOf(this.res);
  }

  get replays(): ReplayPlaces | undefined {
    return this.res.replays ?? undefined;
  }

  get changeUsage(): ChangeUsage {
    return changeUsageOf(this.res);
  }

  get address(): string {
    return clientName(this.res.remoteAddress);
  }
}

/** Longest text of a query that is kept, and most of them of an endpoint. */
const MAX_KEPT_CHARS = 256;
const MAX_PARSED = 50;

type ParsedParameters = z.output<z.ZodObject> | undefined;

const NO_HEADERS = parseHeaders({}, new Set());

/**
 * Parses path, query and headers of a request.
 * @throws {Problem} 400 with all faults of path and query, or with the first fault of a header
 */
export function parseHead(
  req: IncomingMessage,
  rules: RequestRules,
  sent: Readonly<Record<string, string>>,
): RequestHead {
  const faults: Fault[] = [];
  const { row, takesUuids, features } = rules;
  const { params: schema } = row;
  // UUIDs need no schema, which takes 2 µs.
  const isParsed = schema === undefined || (takesUuids && Object.values(sent).every((id) => PARSED_UUID.test(id)));
  const params = isParsed ? sent : parsePath(schema, sent, faults);
  const url = req.url ?? '';
  const start = url.indexOf('?');
  const query = start < 0 && !row.query ? undefined : checkQuery(rules, start < 0 ? '' : url.slice(start + 1), faults);
  if (faults.length > 0) throw invalidRequest(faults);
  if (row.refusedHeaders !== undefined) refuseHeaders(row.refusedHeaders, req.headers);
  return { params, query, headers: rules.readsHeaders ? parseHeaders(req.headers, features) : NO_HEADERS };
}

function parseHeaders(headers: IncomingHttpHeaders, features: ReadonlySet<Feature>): RequestHead['headers'] {
  const ifMatch = features.has('if-match') ? headers['if-match'] : undefined;
  const key = features.has('idempotency-key') ? headers['idempotency-key'] : undefined;
  return {
    idempotencyKey: key === undefined ? null : parseIdempotencyKey(key),
    ifMatch: ifMatch === undefined ? null : parseIfMatch(ifMatch),
    respondAsync: features.has('respond-async') && RESPOND_ASYNC.test(String(headers.prefer ?? '')),
    lastEventId: features.has('last-event-id') ? lastEventIdOf(headers) : null,
  };
}

/** @throws {Problem} 400 naming the first header that the endpoint refuses */
function refuseHeaders(refused: Readonly<Record<string, string>>, headers: IncomingHttpHeaders): void {
  for (const [name, why] of Object.entries(refused))
    if (headers[name.toLowerCase()] !== undefined) throw invalidProblem(why, `#/header/${name}`);
}

/** @throws {Problem} 400 when the body does not fit its schema */
export function parseBody<S extends z.ZodType>(schema: S, json: unknown): z.output<S> {
  const parsed = schema.safeParse(json, IN_OUR_WORDS);
  if (parsed.success) return parsed.data;
  throw invalidRequest(faultsIn(json, parsed.error, '#'));
}

/** Parses a path. NUL is refused, as no index can hold it. */
function parsePath(schema: z.ZodObject, sent: Readonly<Record<string, string>>, faults: Fault[]): ParsedParameters {
  for (const name in sent) {
    if (sent[name]?.includes('\0') !== true) continue;
    faults.push({ pointer: `#/path/${name}`, detail: 'contains a NUL character' });
  }
  return validate(schema, sent, { base: '#/path', faults });
}

function checkQuery(rules: RequestRules, text: string, faults: Fault[]): ParsedParameters {
  const known = rules.parsed.get(text);
  if (known !== undefined) return known;
  const before = faults.length;
  const sent = parseQuery(text, rules, faults);
  if (!rules.row.query || faults.length > before) return undefined;
  const parsed = validate(rules.row.query, sent, { base: '#/query', faults });
  if (parsed !== undefined && text.length <= MAX_KEPT_CHARS) rules.parsed.set(text, parsed);
  return parsed;
}

function invalidRequest(faults: readonly Fault[]): Problem {
  const [first] = faults;
  const detail = first ? `${first.pointer.slice(1) || 'The body'}: ${first.detail}` : 'The request is not valid.';
  return new Problem('INVALID', detail, { errors: faults });
}

/**
 * Reads the parameters that a row declares. A parameter has one plain value: repeated and empty ones, those of the form
 * `page[]=1` or `page[a]=1`, bad percent-encoding and NUL are faults. So are others, where the row takes no others.
 */
function parseQuery(query: string, rules: RequestRules, faults: Fault[]): Record<string, string> {
  const { queryNames, refusesOtherParameters } = rules;
  const values: Record<string, string> = {};
  for (const pair of query.split('&')) {
    if (pair === '' || faults.length >= MAX_FAULTS) continue;
    const equals = pair.indexOf('=');
    const sent = decode(equals < 0 ? pair : pair.slice(0, equals));
    const name = baseName(sent ?? '');
    if (!queryNames.has(name)) {
      if (refusesOtherParameters) faults.push(unknownParameter(sent, queryNames));
      continue;
    }
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    const fault = faultOf({ plain: sent === name, repeated: name in values, value });
    if (fault === null && value !== null) values[name] = value;
    else faults.push({ pointer: `#/query/${name}`, detail: fault ?? 'cannot be read' });
  }
  return values;
}

const NAME_LENGTH = 100;

/** The fault of a parameter that is not known, with those that are; its name may hold a token that was put there. */
function unknownParameter(sent: string | null, known: ReadonlySet<string>): Fault {
  const pointer = sent === null ? '#/query' : `#/query${pointerStep(withoutTokens(sent).slice(0, NAME_LENGTH))}`;
  const names = known.size === 0 ? 'there are none here' : `the parameters here are ${[...known].join(', ')}`;
  return { pointer, detail: `is no known parameter: ${names}` };
}

function faultOf(sent: { plain: boolean; repeated: boolean; value: string | null }): string | null {
  if (!sent.plain) return 'takes one plain value, no array or object';
  if (sent.repeated) return 'may be given once only';
  if (sent.value === null) return 'has a bad percent-encoding';
  if (sent.value === '') return 'must not be empty';
  return sent.value.includes('\0') ? 'contains a NUL character' : null;
}

/** `page` for `page[]`, `page[0]`, `page[a][b]`. */
function baseName(name: string): string {
  const bracket = name.indexOf('[');
  return bracket < 0 ? name : name.slice(0, bracket);
}

function decode(text: string): string | null {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    // decodeURIComponent throws a URIError when the client's encoding is bad.
    return null;
  }
}

/** Matches a `Prefer` (RFC 7240) that asks for `respond-async`. */
const RESPOND_ASYNC = /(?:^|,)\s*respond-async\s*(?:[;,]|$)/i;

/** @throws {Problem} 400 unless it is 1 to 255 visible ASCII characters */
function parseIdempotencyKey(key: string | readonly string[]): string {
  if (typeof key === 'string' && idempotencyKey.safeParse(key).success) return key;
  throw invalidProblem('Idempotency-Key is 1 to 255 visible ASCII characters.', '#/header/Idempotency-Key');
}

/**
 * `Last-Event-ID`, or null without one; browsers send none, or an empty one, before they have seen an id.
 * @throws {Problem} 400 unless it is a position of the log, with a mark or without
 */
function lastEventIdOf(headers: IncomingHttpHeaders): MarkedPosition | null {
  const sent = headers['last-event-id'];
  if (sent === undefined || sent === '') return null;
  const position = typeof sent === 'string' ? parseMarkedPosition(sent) : null;
  if (position !== null) return position;
  throw invalidProblem('Last-Event-ID is the id of an event of the stream.', '#/header/Last-Event-ID');
}

/** Most faults that are listed: a body of a million wrong values gets a readable response. */
const MAX_FAULTS = 50;

/** Parameters as a schema gives them; undefined, and their faults added to `faults`, where they do not fit. */
function validate(
  schema: z.ZodObject,
  sent: object,
  { base, faults }: { readonly base: string; readonly faults: Fault[] },
): ParsedParameters {
  const parsed = schema.safeParse(sent, IN_OUR_WORDS);
  if (parsed.success) return parsed.data;
  faults.push(...faultsIn(sent, parsed.error, base));
  return undefined;
}

/**
 * Why a value does not fit. `base` is the pointer of the value itself: `#` for a body (so that faults are JSON pointers,
 * RFC 6901, into it), `#/query` and `#/path` for parameters.
 */
function faultsIn(value: unknown, { issues }: z.ZodError, base: string): readonly Fault[] {
  return issues
    .slice(0, MAX_FAULTS)
    .map(({ path, message }) => ({
      pointer: base + path.map(pointerStep).join(''),
      detail: isMissing(value, path) ? 'is required' : message,
    }));
}

/** One reference token of a JSON pointer (RFC 6901 §3), slash included. */
export function pointerStep(key: PropertyKey): string {
  return `/${String(key).split('~').join('~0').split('/').join('~1')}`;
}

/** Whether there is no value at the path; without this, a missing string "must be a string". */
function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return false;
    if (!Object.hasOwn(at, key)) return true;
    at = Reflect.get(at, key);
  }
  return false;
}
