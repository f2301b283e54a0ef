import type { z } from 'zod';
import type { Json } from '../kernel/json.ts';
import type { Revision } from '../kernel/event-store.ts';
import type { Caller, Role } from '../domain/roles.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Who may call: anyone, or a key of this role or higher. With `public`, a valid key is still recognised and an invalid one ignored. */
export type Access = 'public' | Role;

/** What a handler sees of a request: everything already checked against the endpoint's schemas. */
export interface ApiRequest<P = unknown, Q = unknown, B = unknown> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The body as it was sent (parsed, unknown fields included): what an `Idempotency-Key` is compared by. */
  readonly json: Json;
  readonly caller: Caller | null;
  /** `X-Request-Id`, the client's or ours: the correlation id of the events. */
  readonly requestId: string;
  /** Epoch ms of arrival, and of the moment by which an answer is due. */
  readonly arrivedAt: number;
  readonly deadline: number;
  /** `Idempotency-Key`, or null. */
  readonly idempotencyKey: string | null;
  /** The revision that `If-Match` names; null without the header or with `*`; `'none'` when it can match no revision. */
  readonly ifMatch: Revision | 'none' | null;
  /** True with `Prefer: respond-async`. */
  readonly respondAsync: boolean;
}

export type Headers = Readonly<Record<string, string>>;

/**
 * What a handler answers. `resource` is one resource: it gets an `ETag` (`"<revision>-<hash of the body>"`) and, on GET, `If-None-Match`.
 * `list` is streamed as one JSON array. `stream` sends bytes as they come.
 */
export type Answer =
  | { readonly kind: 'resource'; readonly status: number; readonly revision: Revision; readonly body: object; readonly headers?: Headers }
  | { readonly kind: 'json'; readonly status: number; readonly body: object; readonly headers?: Headers }
  | { readonly kind: 'list'; readonly batches: AsyncIterable<readonly object[]> }
  | { readonly kind: 'text'; readonly status: number; readonly body: string; readonly headers?: Headers }
  | { readonly kind: 'empty'; readonly status: number; readonly headers?: Headers }
  | { readonly kind: 'stream'; readonly status: number; readonly content: AsyncIterable<Uint8Array>; readonly headers: Headers };

/** The schemas of the answers by status: a zod schema for JSON, a media type for anything else, null for no body. */
export type Responses = { readonly [status: number]: z.ZodType | `${string}/${string}` | null };

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** One row of the endpoint table: the router and the OpenAPI document are both made from it. */
export interface Endpoint<P extends z.ZodType | undefined = z.ZodType | undefined, Q extends z.ZodType | undefined = z.ZodType | undefined, B extends z.ZodType | undefined = z.ZodType | undefined> {
  readonly method: Method;
  /** With parameters in braces: `/api/v1/laps/{lapId}`. */
  readonly path: string;
  /** Groups endpoints in the document. */
  readonly tag: string;
  readonly summary: string;
  readonly access: Access;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly responses: Responses;
  /** Statuses of problem documents that this endpoint may answer besides those that follow from its shape (400, 401, 403, 404 for a path with parameters, 413, 415, 503, 500). */
  readonly problems?: readonly number[];
  readonly handle: (request: ApiRequest<Output<P>, Output<Q>, Output<B>>) => Answer | Promise<Answer>;
}
