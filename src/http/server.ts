import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Authenticator } from './authenticator.ts';
import type { Endpoint } from './endpoint.ts';

/** What the HTTP layer writes; pino fits. */
export interface HttpLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Bounds of the HTTP layer. */
export interface HttpLimits {
  /** Bytes of a JSON body at most. */
  readonly jsonBytes: number;
  /** Bytes of an uploaded file at most. */
  readonly uploadBytes: number;
  /** ms from arrival until a request that has no answer is answered 503. */
  readonly deadlineMs: number;
}

export interface HttpOptions {
  readonly endpoints: readonly Endpoint[];
  readonly authenticator: Authenticator;
  readonly limits: HttpLimits;
  /** Directory for the bytes of uploads under way; nothing in it has a name for longer than a moment. Created when missing. */
  readonly uploadDirectory: string;
  /** Origins that browsers may call from, or `*`; none: no CORS headers. */
  readonly corsOrigins: readonly string[] | '*';
  /** Certificate and key (PEM) for https; left out: http. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  readonly log: HttpLog;
  /** Called once per answer with `GET /api/v1/laps/{lapId}` (or `unmatched`), the status and the seconds it took. */
  observeRequest(route: string, status: number, seconds: number): void;
}

export interface Http {
  /** The server, not yet listening. */
  readonly server: Server;
  /** The OpenAPI document. */
  readonly document: object;
  listen(port: number, host: string): Promise<AddressInfo>;
  /** Stops accepting, lets requests in flight finish (with `Connection: close`) and destroys what is left after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Builds the server for an endpoint table. */
export declare function createHttp(options: HttpOptions): Http;
