import { IncomingMessage, ServerResponse, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http';
import express, { type Application } from 'express';
import type { Caller } from '../../domain/roles.ts';
import type { ChangeUsage, ReplayPlaces, Usage } from './requester.ts';
import { endInARow } from './answers-in-a-row.ts';
import type { Accounts, Client } from './clients.ts';
import { isUnchanged } from './etags.ts';
import type { RequestBody, RequestHead } from './parameters.ts';
import type { MatchedEndpoint } from './request-counts.ts';
import type { ReceivedFile } from './temporary-files.ts';
import { endAfterBody, prepareConnection } from './unread-bodies.ts';

/** Time, in ms, that a client may take to accept a response, or the next piece of it. */
export const STALL_TIMEOUT_MS = 30_000;

const NO_BODY: RequestBody = { json: null, body: undefined };

type HeadersArgument = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * The response of the service: Express's own, with the state of the request (`express.d.ts`), headers in a flat list, and
 * an end that takes care of bodies that nobody has read.
 */
class AppResponse extends ServerResponse<AppRequest> implements Express.Response {
  expectation: 'none' | 'continue' | 'other' = 'none';
  bodyIsBroken = false;
  basePath = '';
  requestId = '';
  arrivedAt = 0;
  startedAt = 0;
  deadline = 0;
  dueAt = Infinity;
  allowsOrigin = false;
  remoteAddress = '';
  client: Client | null = null;
  endpoint: MatchedEndpoint | null = null;
  caller: Caller | null = null;
  keyAccounts: Accounts | null = null;
  head: RequestHead | null = null;
  revokesOwnKey = false;
  readingBody = false;
  sent = NO_BODY;
  file: ReceivedFile | undefined = undefined;
  usage: Usage | null = null;
  changeUsage: ChangeUsage | null = null;
  replays: ReplayPlaces | null = null;
  settled = false;
  abandoned = false;
  abort: AbortController | null = null;
  headerList: string[] = [];
  bytes = 0;
  isReplay = false;
  streamingSince = 0;

  /** As Express's: adds a header, beside those of the same name; `getHeader` sees it only once the response begins. */
  append(name: string, value: string | readonly string[] = ''): this {
    if (typeof value === 'string') this.headerList.push(name, value);
    else for (const one of value) this.headerList.push(name, one);
    return this;
  }

  /** As Express's: adds a header that the response depends on. */
  vary(name: string): this {
    return this.append('Vary', name);
  }

  /** Begins the response: with the headers of the list, those of quotas, which are known only now, and those set since. */
  override writeHead(statusCode: number, reason?: string | HeadersArgument, headers?: HeadersArgument): this {
    this.settled = true;
    const { client, headerList, keyAccounts } = this;
    if (client !== null) {
      client.addHeaders(headerList, keyAccounts, 'requests');
      if (this.usage !== null) client.addHeaders(headerList, keyAccounts, 'reading');
      if (this.changeUsage !== null) client.addHeaders(headerList, keyAccounts, 'changing');
    }
    if (reason === undefined && this.getHeaderNames().length === 0) return super.writeHead(statusCode, headerList);
    this.#addListToHeaders();
    return typeof reason === 'string'
      ? super.writeHead(statusCode, reason, headers)
      : super.writeHead(statusCode, reason);
  }

  /** Middlewares of others set headers one by one: theirs take the place of ours, but those of `Vary` add up. */
  #addListToHeaders(): void {
    const others = new Set(this.getHeaderNames());
    const { headerList } = this;
    for (let n = 0; n < headerList.length; n += 2) {
      const name = headerList[n] ?? '';
      const isOurs = !others.has(name.toLowerCase()) || name === 'Vary';
      if (isOurs) this.appendHeader(name, headerList[n + 1] ?? '');
    }
  }

  /** Ends the response: a whole one at the end of this turn, with others, or when the client has sent its body. */
  override end(
    chunk?: string | Uint8Array | (() => void),
    encoding?: BufferEncoding | (() => void),
    done?: () => void,
  ): this {
    if (typeof chunk === 'function') return this.end(undefined, undefined, chunk);
    if (typeof encoding === 'function') return this.end(chunk, undefined, encoding);
    if (done !== undefined) this.once('finish', done);
    if (this.headersSent) return encoding === undefined ? super.end(chunk) : super.end(chunk, encoding);
    this.dueAt += STALL_TIMEOUT_MS;
    const waits = prepareConnection(this);
    this.writeHead(this.statusCode);
    if (waits) endAfterBody(this, chunk);
    else endInARow(this, chunk, encoding);
    return this;
  }
}

/** The request of the service: Express's own, whose fields it has from its start. */
class AppRequest extends IncomingMessage {
  res: ServerResponse | null = null;
  next: unknown = null;
  baseUrl = '';
  originalUrl = '';
  params: unknown = null;
  route: unknown = null;
  /** Set by Node's parser, in its constructor already: a private field would not be there yet. */
  asksForTunnel = false;

  /**
   * True where Node is to parse no further: after a request for a tunnel, as Node has it, and after each request that
   * arrives on a destroyed connection. A client may have sent hundreds of requests ahead in one piece, and Node would
   * make a request and a response of each of them.
   */
  get upgrade(): boolean {
    return this.socket.destroyed || this.asksForTunnel;
  }

  set upgrade(upgrade: boolean) {
    this.asksForTunnel = upgrade;
  }

  /** As Express's, but by tag only, and whatever `Cache-Control` says: `fetch` adds `no-cache` to `If-None-Match`. */
  get fresh(): boolean {
    const { res } = this;
    const etag = res?.getHeader('ETag');
    return typeof etag === 'string' && res?.statusCode === 200 && isUnchanged(this, etag);
  }

  /**
   * As Node's; but a request that has arrived whole ends without an error when its connection is lost, as nobody reads it
   * any more. Node formats the stack of an error for each request that a client has sent ahead, hundreds at once.
   */
  override destroy(error?: Error): this {
    return super.destroy(this.complete ? undefined : error);
  }
}

Object.setPrototypeOf(AppRequest.prototype, express.request);
Object.setPrototypeOf(AppResponse.prototype, express.response);

/**
 * The classes of the requests and responses of an app, for its server. They have the prototypes that Express would give
 * to each request and response otherwise, which costs 130 µs a request (https://github.com/expressjs/express/issues/5998).
 */
export function messagesOf(app: Application) {
  class RequestOfApp extends AppRequest {}
  class ResponseOfApp extends AppResponse {}
  Object.assign(RequestOfApp.prototype, { app });
  Object.assign(ResponseOfApp.prototype, { app });
  Object.assign(app, { request: RequestOfApp.prototype, response: ResponseOfApp.prototype });
  return { IncomingMessage: RequestOfApp, ServerResponse: ResponseOfApp };
}
