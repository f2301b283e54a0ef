import { includesRole, type Caller } from '../domain/roles.ts';
import type { Authenticator } from './authenticator.ts';
import type { Answer, Endpoint } from './endpoint.ts';
import { etagOf } from './etag.ts';
import type { Exchange } from './exchange.ts';
import { unauthenticated } from './in-flight.ts';
import { readJson } from './json-body.ts';
import { bodyOf, headOf, type AnyRequest, type Head, type PathValues } from './parameters.ts';
import { Problem } from './problems.ts';
import type { Route } from './route.ts';
import { fail, JSON_TYPE, reply, replyEmpty, TEXT_TYPE, type ErrorLog, type Reply } from './respond.ts';
import { discard, streamBytes, streamList } from './stream.ts';
import { receiveUpload } from './upload.ts';

/** Handles a request from its route to its answer, in the order 401, 403, path, query and headers, body, handler. */
export async function serve(exchange: Exchange, route: Route, values: PathValues): Promise<void> {
  const { row, services } = route;
  exchange.route = route.label;
  exchange.cacheControl = route.cacheControl;
  exchange.plainFailure = row.upload !== undefined;
  try {
    const caller = identify(exchange, row, services.authenticator);
    exchange.caller = caller instanceof Promise ? await caller : caller;
    authorize(row, exchange.caller);
    const head = headOf(exchange, route, values);
    if (row.upload) await serveUpload(exchange, route, head);
    else {
      const json = row.body ? await readJson(exchange, services.jsonBytes) : null;
      await handle(exchange, route, { ...head, json, body: bodyOf(row, json), file: null });
    }
  } catch (error) {
    fail(exchange, error, services.log);
  }
}

async function serveUpload(exchange: Exchange, route: Route, head: Head): Promise<void> {
  const { row, services } = route;
  const upload = await receiveUpload(exchange, row, services);
  try {
    // The time that the file took to arrive is the client's; the handler gets its own from here on.
    exchange.dueAt = performance.now() + services.deadlineMs;
    const deadline = Date.now() + services.deadlineMs;
    const { json, file } = upload;
    await handle(exchange, route, { ...head, json, body: bodyOf(row, json), file, deadline });
  } finally {
    await upload.release();
  }
}

async function handle(exchange: Exchange, { row, services }: Route, request: AnyRequest): Promise<void> {
  // The key may have been revoked, the deadline passed or the client left while the body arrived.
  if (exchange.settled) return;
  const answer = row.handle(request);
  await send(exchange, answer instanceof Promise ? await answer : answer, services.log);
}

type MaybeCaller = Caller | null;

/** The caller; for a public endpoint without a key, or with one that is not valid, null. */
function identify(
  exchange: Exchange, row: Endpoint, authenticator: Authenticator,
): MaybeCaller | Promise<MaybeCaller> {
  const token = exchange.req.headers['x-api-key'];
  if (typeof token === 'string' && token !== '') return authenticator.authenticate(token);
  if (row.access === 'public') return null;
  throw unauthenticated();
}

function authorize({ access }: Endpoint, caller: MaybeCaller): void {
  if (access === 'public') return;
  if (!caller) throw unauthenticated();
  if (includesRole(caller.role, access)) return;
  throw new Problem('FORBIDDEN', `This needs a key of role ${access} or higher.`);
}

async function send(exchange: Exchange, answer: Answer, log: ErrorLog): Promise<void> {
  switch (answer.kind) {
    case 'resource':
    case 'json':
    case 'text':
      reply(exchange, wholeReply(answer));
      return;
    case 'empty':
      replyEmpty(exchange, answer.status, answer.headers);
      return;
    case 'list':
      await (exchange.settled ? discard(answer.batches) : streamList(exchange, answer.batches, log));
      return;
    case 'stream':
      await (exchange.settled ? discard(answer.content) : streamBytes(exchange, answer, log));
  }
}

function wholeReply(answer: Extract<Answer, { kind: 'resource' | 'json' | 'text' }>): Reply {
  const { kind, status, headers } = answer;
  if (kind === 'text') {
    return { status, contentType: headers?.['Content-Type'] ?? TEXT_TYPE, body: answer.body, headers };
  }
  const body = JSON.stringify(answer.body);
  const contentType = headers?.['Content-Type'] ?? JSON_TYPE;
  if (kind === 'json') return { status, contentType, body, headers };
  return { status, contentType, body, headers: { ...headers, ETag: etagOf(answer.revision, body) } };
}
