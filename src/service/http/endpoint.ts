import type { z } from 'zod';
import type { Json, JsonObject } from '../../kernel/json.ts';
import type { Revision } from '../../kernel/ports/event-store.ts';
import type { EventSource } from './event-source.ts';
import type { Delimiter } from '../exports/csv.ts';
import type { MarkedPosition } from './marked-position.ts';
import type { ExpectedVersion } from '../../kernel/aggregate/command-handler.ts';
import type { Access, Caller } from '../../domain/roles.ts';
import type { ChangeUsage, Requester } from './requester.ts';
import type { CodedBodies } from './compression.ts';

/** HTTP methods of endpoints, with the spelling of the API document; HEAD and OPTIONS follow from them. */
export const METHODS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

export type Method = keyof typeof METHODS;

/** Optional headers that an endpoint honours, read and documented only there. On GET, `etag` means `If-None-Match`. */
export type Feature = 'etag' | 'range' | 'if-match' | 'idempotency-key' | 'respond-async' | 'last-event-id';

/** The file of an upload, on this server's disk until the response is sent; `content` may be read more than once. */
export interface UploadedFile {
  /** Size in bytes. */
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The optional headers that an endpoint honours (its features); where it does not, as if they had not been sent. */
export interface RequestHeaders {
  readonly idempotencyKey: string | null;
  /** The version that `If-Match` names; null: none or `*`; `'none'`: it can match none. */
  readonly ifMatch: ExpectedVersion | 'none' | null;
  readonly respondAsync: boolean;
  readonly lastEventId: MarkedPosition | null;
}

export interface ApiRequest<P = unknown, Q = unknown, B = unknown> extends Requester {
  /** `X-Request-Id`, the client's or ours: the correlation id of the events. */
  readonly id: string;
  readonly caller: Caller | null;
  readonly params: P;
  readonly query: Q;
  readonly headers: RequestHeaders;
  readonly body: B;
  /** The body as it was sent, unknown fields included: what is compared under one `Idempotency-Key`. */
  readonly json: Json;
  /** When the request arrived and when the response is due, epoch ms. */
  readonly arrivedAt: number;
  readonly deadline: number;
  /** The usage of its change, for which its address and its key are charged. */
  readonly changeUsage: ChangeUsage;
}

export type Headers = Readonly<Record<string, string>>;

export interface WantedForm {
  readonly format?: 'json' | 'csv' | undefined;
  readonly bom: boolean;
  readonly delimiter: Delimiter;
}

/** A list that is available as CSV, and the form that the request asks for. */
export interface CsvList extends WantedForm {
  /** Name of the file, without its ending. */
  readonly name: string;
  /** The columns, in order. */
  readonly fields: readonly string[];
  /** Those whose values are instants: spreadsheets know them without `T` and `Z`. */
  readonly instants: ReadonlySet<string>;
}

/**
 * The response of a handler. `computed` is a body that is made once for all who ask for it in the same version: it gets an
 * `ETag` of its content. `resource` is one resource: it gets an `ETag` (`"<revision>-<moment>.<hash of the body>"`). `list` is streamed
 * as one JSON array, or as CSV if the client asks for that. `stream` sends bytes as they come, `events` server-sent
 * events for as long as the reader stays. On GET, a response of status
 * 200 with an ETag, generated or among its headers, honours `If-None-Match`. A list or stream that is no longer needed
 * is released by calling `return` of its iterator, possibly before any `next`.
 */
export type EndpointResponse =
  | {
      readonly kind: 'resource';
      readonly status: number;
      readonly revision: Revision;
      /** When the event of that revision happened, ISO 8601: with it, the tag is of this history and no other. Null: not known. */
      readonly updatedAt: string | null;
      readonly body: object;
      readonly headers?: Headers;
    }
  | { readonly kind: 'json'; readonly status: number; readonly body: object; readonly headers?: Headers }
  | {
      readonly kind: 'computed';
      /** A text that changes whenever the body of this path and query may have changed, for this reader or for others. */
      readonly version: () => Promise<string>;
      /** An object as JSON; a text, or a `JoinedBody`, as it is. */
      readonly body: () => Promise<object | string>;
      /** Whether the body of a version is ready, or an index has it in a few steps: it then takes no turn (`FairTurns`). */
      readonly isShort?: (version: string) => boolean;
      /** Headers of a response with the body, including its media type where that is not JSON. */
      readonly headers?: Headers;
    }
  | {
      readonly kind: 'list';
      readonly batches: AsyncIterable<readonly JsonObject[]>;
      readonly etag?: string;
      readonly csv?: CsvList;
    }
  | {
      readonly kind: 'text';
      readonly status: number;
      readonly body: string;
      readonly headers?: Headers;
      /** The body in the codings that were asked for: kept with one that is sent again. */
      readonly coded?: CodedBodies;
    }
  | { readonly kind: 'empty'; readonly status: number; readonly headers?: Headers }
  | {
      readonly kind: 'stream';
      readonly status: number;
      readonly content: AsyncIterable<Uint8Array>;
      /** Present if clients may request parts. `size` is that of the whole, in bytes. */
      readonly ranges?: {
        readonly size: number;
        /** The bytes from `first` up to and including `last`, instead of the whole. */
        readonly part: (first: number, last: number) => Promise<AsyncIterable<Uint8Array>>;
      };
      readonly headers: Headers;
    }
  | { readonly kind: 'events'; readonly source: EventSource };

/** The schemas of the responses by status: a zod schema for JSON, a media type for anything else, null for no body. */
export type Responses = { readonly [status: number]: z.ZodType | `${string}/${string}` | null };

/**
 * A multipart body of exactly two parts, in either order: a JSON part (checked by the endpoint's `body` schema) and a
 * file. Any error, in the handler too, is answered 400 text/plain `Failed` (docs/interface.md#uploaded-files); 503 with
 * the same text when a store is unavailable.
 */
export interface Upload {
  readonly jsonPart: string;
  readonly filePart: string;
  /** Asked before the body is read. It keeps room for the file until the result is called. @throws {Problem} 507 */
  readonly reserve: (size: UploadSize) => Promise<() => void>;
}

/** Bytes of a file that has not arrived: at least and at most, as far as the head of its request says. */
export type UploadSize = Readonly<Record<'least' | 'most', number>>;

export type Tag = Readonly<Record<'name' | 'description', string>>;

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

type ParameterSchema = z.ZodObject | undefined;
type BodySchema = z.ZodType | undefined;

/** One row of the endpoint table, from which the router and the OpenAPI document are made. */
export interface Endpoint<
  P extends ParameterSchema = ParameterSchema,
  Q extends ParameterSchema = ParameterSchema,
  B extends BodySchema = BodySchema,
> {
  readonly method: Method;
  /**
   * With parameters in braces: `/api/v1/laps/{lapId}`; `{name*}`, last only, takes the rest of the path, slashes
   * included. Where two paths match, one without parameters wins, then the one listed first.
   */
  readonly path: string;
  /** Name of the operation in generated clients, unique: `listLaps`, `pageLaps`, `getLap`, `createLap`, `updateLap`. */
  readonly operationId: string;
  readonly tag: Tag;
  /** What it does, in a few words without a full stop. */
  readonly summary: string;
  /** More about it, in sentences; the document adds who may call it, and units. */
  readonly description?: string;
  readonly access: Access;
  /** Also for a rig's key that may do only what a rig needs, whatever its role; all reads with access R are. */
  readonly forRigs?: true;
  /** The things that it manages. A replaced token may manage nothing, and the key of a rig no keys, whatever its role. */
  readonly manages?: 'keys' | 'keys of rigs' | 'licences' | 'the service';
  /** Public, and a key that cannot be checked at once counts as none: it works while the event store is unavailable. */
  readonly keyless?: true;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** The body for the document, where the handler checks parts of `body` itself (`requireStorable`, `parseBody`). */
  readonly describedBody?: z.ZodType;
  readonly refusedHeaders?: { readonly [name: string]: string };
  /** Whether the body may be left out: it is an empty object then. */
  readonly bodyOptional?: true;
  /** The path parameter with the id of a key whose tokens this ends: a request that ends its own is answered. */
  readonly revokes?: string;
  readonly upload?: Upload;
  /** Default: what `featuresOf` derives from method and path. */
  readonly features?: readonly Feature[];
  readonly responses: Responses;
  readonly events?: z.ZodType;
  /** Whether a stream of events replays past ones, of which only few may run at a time. */
  isReplay?(query: Output<Q>): boolean;
  /** Number of requests that one with this body counts as, at least 1: the items of a batch. Default: 1. */
  cost?(body: Output<B>): number;
  /** Statuses of its problem documents besides those that follow from its shape (`problemStatuses`). */
  readonly problems?: readonly number[];
  handle(
    request: ApiRequest<Output<P>, Output<Q>, Output<B>>,
    file?: UploadedFile,
  ): EndpointResponse | Promise<EndpointResponse>;
}

export function endpoint<
  P extends ParameterSchema = undefined,
  Q extends ParameterSchema = undefined,
  B extends BodySchema = undefined,
>(row: Endpoint<P, Q, B>): Endpoint {
  return row;
}

/**
 * The features of a row: its own list, or by shape: a GET of one thing has an ETag; a PATCH, and a POST with a JSON
 * body, an ETag and `respond-async`, the PATCH `If-Match` and the POST `Idempotency-Key` besides; a PUT or DELETE
 * `respond-async`.
 */
export function featuresOf(row: Endpoint): readonly Feature[] {
  if (row.features) return row.features;
  if (row.method === 'GET') return row.path.endsWith('}') ? ['etag'] : [];
  if (row.method === 'PATCH') return ['etag', 'if-match', 'respond-async'];
  if (row.method === 'PUT' || row.method === 'DELETE') return ['respond-async'];
  return row.body && !row.upload ? ['etag', 'idempotency-key', 'respond-async'] : [];
}

/** Statuses that are problem documents for an upload, too; any other error of it is answered as `Failed`. */
export const UPLOAD_PROBLEMS: readonly number[] = [401, 403, 429, 507];

/** Statuses of the problem documents that an endpoint may answer, its own `problems` included, in ascending order. */
export function problemStatuses(row: Endpoint): readonly number[] {
  if (row.upload) return UPLOAD_PROBLEMS;
  const statuses = new Set([400, 429, 500, 503, ...(row.problems ?? [])]);
  if (row.access !== 'public') statuses.add(401).add(403);
  if (row.query && 'includeDisabled' in row.query.shape) statuses.add(401).add(403);
  if (row.path.includes('{')) statuses.add(404);
  if (row.body) statuses.add(408).add(413).add(415);
  const features = featuresOf(row);
  if (features.includes('if-match')) statuses.add(412);
  if (features.includes('range')) statuses.add(416);
  if (features.includes('idempotency-key')) statuses.add(422);
  return [...statuses].sort((a, b) => a - b);
}
