import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { z } from 'zod';
import type { Caller } from '../../../src/domain/roles.ts';
import type { Authenticator } from '../../../src/service/http/middleware/authenticate.ts';
import { endpoint, type Endpoint, type Method } from '../../../src/service/http/endpoint.ts';
import { admission } from '../../../src/service/access/authorizer.ts';
import { FairTurns } from '../../../src/service/http/fair-turns.ts';
import { until as poll } from '../processes/waits.ts';
import { createHttpServer, type HttpServerOptions } from '../../../src/service/http/server.ts';

const TOY = {
  tag: { name: 'Toys', description: 'Toys.' },
  summary: 'A toy',
  access: 'public',
  responses: { 200: z.unknown() },
  handle: () => ({ kind: 'json', status: 200, body: {} }) as const,
} as const;

/** An endpoint that is public and answers `{}`, unless `row` says otherwise. */
export function toy<
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(method: Method, path: string, row: Partial<Endpoint<P, Q, B>> = {}): Endpoint {
  return endpoint<P, Q, B>({ ...TOY, method, path, operationId: `${method} ${path}`, ...row });
}

/** Tokens of the toy keys are their roles; `later-CRUD` is known only after a turn. */
function callerOf(token: string): Caller | null {
  const role = (['R', 'CR', 'CRUD', 'ADMIN'] as const).find((one) => one === token);
  return role
    ? { apiKeyId: `key-${role}`, licenseId: 'license', role, rigId: null, ofRigOnly: false, ofOldToken: false }
    : null;
}

export function keyed(token: string, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return { headers: { 'X-API-Key': token, ...headers } };
}

export function json(body: unknown, token = 'CRUD'): RequestInit {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { method: 'POST', body: text, ...keyed(token, { 'Content-Type': 'application/json' }) };
}

const LIMITS: HttpServerOptions['limits'] = {
  bodyLimitBytes: 1000,
  bodyDepthLimit: 32,
  uploadLimitBytes: 100_000,
  requestDeadlineMs: 5_000,
  trustedProxies: [],
  unlimitedClients: [],
  maxConnections: 0,
  clientRequestsPerMinute: 0,
  keyRequestsPerMinute: 0,
  clientRefusedKeysPerMinute: 0,
  clientConnections: 0,
  clientConnectionsPerMinute: 0,
  clientStreams: 0,
  clientLiveReaders: 0,
  clientReplays: 0,
  maxReplays: 0,
  liveBufferBytes: Infinity,
};

interface ToysOptions extends Omit<Partial<HttpServerOptions>, 'limits'> {
  readonly limits?: Partial<HttpServerOptions['limits']>;
}

/** Starts a server on a free port, without limits of clients unless some are given. */
export async function startToys(endpoints: readonly Endpoint[], { limits, ...options }: ToysOptions = {}) {
  const uploadDirectory = await mkdtemp(join(tmpdir(), 'timing-http-'));
  const lines: (Readonly<Record<string, unknown>> & { readonly level: string; readonly message: string })[] = [];
  const observed: [route: string, status: number][] = [];
  const wires: Wire[] = [];
  const listeners: Parameters<Authenticator['onInvalid']>[0][] = [];
  const note = (level: string) => (fields: object, message: string) => lines.push({ ...fields, level, message });
  const http = createHttpServer({
    endpoints,
    authenticator: authenticatorWith(listeners),
    admission,
    limits: { ...LIMITS, ...limits },
    uploadDirectory,
    longReads: new FairTurns(),
    largeBodies: new FairTurns(),
    publicUrl: null,
    corsOrigins: [],
    tls: null,
    log: { info: note('info'), warn: note('warn'), error: note('error') },
    seriesOf: (route) => ({ count: (status) => void observed.push([route, status]) }),
    ...options,
  });
  const { port } = await http.listen(0, '127.0.0.1');
  const url = `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`;
  return {
    http,
    url,
    port,
    /** The log. */
    lines,
    observed,
    /** Makes a key invalid, or one of its tokens only. */
    revoke(apiKeyId: string, ended?: string): void {
      for (const listener of listeners) listener(apiKeyId, (token) => ended === undefined || token === ended);
    },
    send: (path: string, init?: RequestInit) => fetch(url + path, init),
    /** A bare connection, on which this is sent; it ends with the server. */
    wire(text = ''): Wire {
      const wire = new Wire(port).write(text);
      wires.push(wire);
      return wire;
    },
    async close(): Promise<void> {
      for (const { socket } of wires) socket.destroy();
      await http.close(0);
      await rm(uploadDirectory, { recursive: true });
    },
  };
}

/** A running server over a small table of endpoints. */
export type Toys = Awaited<ReturnType<typeof startToys>>;

/** The same for the length of a `describe`: it is there from the first test on. */
export function useToys(endpoints: readonly Endpoint[], options: ToysOptions = {}): Toys {
  const toys: Partial<Toys> = {};
  before(async () => Object.assign(toys, await startToys(endpoints, options)));
  after(() => toys.close?.());
  // Nobody asks for more before the first test.
  return toys as Toys;
}

/** Servers over these endpoints, of which each test of a `describe` starts one, with limits of its own. */
export function useLimitedToys(endpoints: readonly Endpoint[]) {
  const toys: Partial<Toys> = {};
  let startedAt = 0;
  afterEach(() => toys.close?.());
  return {
    // As above.
    toys: toys as Toys,
    start: async (limits: NonNullable<ToysOptions['limits']>): Promise<void> => {
      Object.assign(toys, await startToys(endpoints, { limits }));
      startedAt = performance.now();
    },
    /**
     * Expects so many units of quotas to be left, or a `few` less, and no more of those used to have come back than could
     * since the start.
     */
    expectLeft: ({ headers }: Response, expected: Readonly<Record<string, number>>, few = 0): void => {
      for (const [name, least] of Object.entries(expected)) {
        const numberIn = (header: string, value: string) =>
          Number(new RegExp(`"${name}";${value}=(\\d+);`).exec(headers.get(header) ?? '')?.[1]);
        const cameBack = (numberIn('ratelimit-policy', 'q') * (performance.now() - startedAt)) / 60_000;
        expect(numberIn('ratelimit', 'r'), name).to.be.within(least - few, least + cameBack + 1);
      }
    },
  };
}

function authenticatorWith(listeners: Parameters<Authenticator['onInvalid']>[0][]): Authenticator {
  return {
    authenticate: (token) =>
      token.startsWith('later-') ? Promise.resolve(callerOf(token.slice('later-'.length))) : callerOf(token),
    onInvalid: (listener) => {
      listeners.push(listener);
    },
  };
}

/** The problem document of an answer with this status. */
export async function problem(answer: Response, status: number): Promise<Readonly<Record<string, unknown>>> {
  const text = await answer.text();
  expect(answer.status, text).to.equal(status);
  expect(answer.headers.get('content-type')).to.equal('application/problem+json');
  expect(answer.headers.get('api-version')).to.equal('1.0');
  expect(answer.headers.get('x-request-id')).to.match(/^[!-~]{1,128}$/);
  const document: unknown = JSON.parse(text);
  expect(document).to.include({ status, instance: new URL(answer.url).pathname });
  // Just checked: it has the members of a problem.
  return document as Readonly<Record<string, unknown>>;
}

/** A bare connection, for what no HTTP client would send. */
export class Wire {
  readonly socket: Socket;
  received = '';

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.setEncoding('latin1').on('data', (text: string) => {
      this.received += text;
    });
    // A reset is one of the ways a server may end a connection; tests look at what arrived before.
    this.socket.on('error', () => this.socket.destroy());
  }

  write(text: string): this {
    this.socket.write(text, 'latin1');
    return this;
  }

  /** Waits until what has arrived matches. */
  async sees(pattern: RegExp): Promise<string> {
    await until(() => pattern.test(this.received) || this.socket.closed);
    expect(this.received).to.match(pattern);
    return this.received;
  }

  /** Waits until the connection has ended. */
  async ended(): Promise<string> {
    await until(() => this.socket.readableEnded || this.socket.closed);
    return this.received;
  }
}

/** Time, in ms, between two looks. */
const LOOK_EVERY_MS = 5;

/** Waits until a condition holds. */
export async function until(holds: () => boolean): Promise<void> {
  await poll(holds, (is) => is, { everyMs: LOOK_EVERY_MS });
}
