import { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ClientDuplexStream } from '@grpc/grpc-js';
import { StoreUnavailable } from '../../src/kernel/errors.ts';

/** What the client lets a connection string say. It prints one with an unknown option to the console, password and all. */
const OPTIONS = new Set([
  'connectionname', 'defaultdeadline', 'discoveryinterval', 'gossiptimeout', 'keepaliveinterval', 'keepalivetimeout',
  'maxdiscoverattempts', 'nodepreference', 'throwonappendfailure', 'tls', 'tlscafile', 'usercertfile', 'userkeyfile',
]);

/** How often an idle connection is pinged, in ms, unless the connection string says so; the client's own value. */
const KEEP_ALIVE_MS = 10_000;

export type BatchAppendCall = ClientDuplexStream<BatchAppendReq, BatchAppendResp>;

/** What the client keeps from its users, and its own commands use. */
class Inside extends EventStoreDBClient {
  /** Opens a call that carries any number of appends; the client takes care of node, TLS and credentials. */
  openBatchAppend(): Promise<BatchAppendCall> {
    return this.GRPCStreamCreator(StreamsClient, 'batchAppend', (grpc) =>
      grpc.batchAppend(...this.callArguments({}, { deadline: Infinity })))();
  }

  /** Closes the connection, which `dispose` leaves open. */
  closeConnection(): Promise<void> {
    return this.execute(StreamsClient, 'close', async (grpc) => grpc.close());
  }
}

/** Opens a batch-append call on a client. */
export function openBatchAppend(client: EventStoreDBClient): Promise<BatchAppendCall> {
  return Inside.prototype.openBatchAppend.call(client);
}

/**
 * The client, made anew after each lost connection: the client's own reconnecting can end the process (its
 * `handleError` awaits a discovery that may fail, and nobody hears it).
 */
export class Connection {
  readonly #url: string;
  readonly #onReconnect: () => void;
  #client: EventStoreDBClient | null;
  #made = 0;
  #closed = false;

  /** @throws {TypeError} when the client cannot be made of this connection string; it never quotes credentials. */
  constructor(url: string, onReconnect: () => void = () => undefined) {
    checkUrl(url);
    this.#url = url.trim().replace(/\/+$/, '');
    this.#onReconnect = onReconnect;
    this.#client = this.#make();
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** @throws {StoreUnavailable} when closed. */
  get client(): EventStoreDBClient {
    if (this.#closed) throw new StoreUnavailable('the event store is closed');
    if (this.#client === null) {
      this.#client = this.#make();
      this.#onReconnect();
    }
    return this.#client;
  }

  /** The next operation gets a new client in place of this one, which has failed. */
  retire(client: EventStoreDBClient): void {
    if (client !== this.#client) return;
    this.#client = null;
    release(client);
  }

  close(): void {
    this.#closed = true;
    if (this.#client !== null) release(this.#client);
    this.#client = null;
  }

  /**
   * grpc-js shares connections between channels with equal settings, and with them the pause before the next attempt,
   * which grows to two minutes. A ping interval of its own (by some ms) gives each client a connection of its own, so
   * that a store is found again as soon as it is back.
   */
  #make(): EventStoreDBClient {
    const hasInterval = /[?&]keep[_-]?alive[_-]?interval=/i.test(this.#url);
    const interval = `keepAliveInterval=${KEEP_ALIVE_MS + this.#made++ % KEEP_ALIVE_MS}`;
    const url = hasInterval ? this.#url : `${this.#url}${this.#url.includes('?') ? '&' : '?'}${interval}`;
    try {
      return EventStoreDBClient.connectionString(url);
    } catch (error) {
      throw new TypeError(`not a connection string for EventStoreDB: ${reasonOf(error)}`);
    }
  }
}

function release(client: EventStoreDBClient): void {
  // Whatever fails here fails on a client that nobody uses any more.
  void client.dispose().then(() => Inside.prototype.closeConnection.call(client)).catch(() => undefined);
}

function checkUrl(url: string): void {
  const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  for (const pair of query.split(/[&?]/).filter((text) => text !== '')) {
    const name = pair.split('=')[0] ?? '';
    if (!OPTIONS.has(name.trim().toLowerCase().replaceAll(/[_-]/g, ''))) {
      // Not quoted: an unescaped `?` in a password would make its rest look like an option.
      throw new TypeError('not a connection string for EventStoreDB: it has an option that the client does not know');
    }
  }
}

/** The client's message quotes the connection string; this says where it is wrong. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && 'expected' in error && 'location' in error && Array.isArray(error.location)) {
    return `expected ${String(error.expected)} at character ${String(error.location[0])}`;
  }
  return error instanceof URIError || !(error instanceof Error) ? 'badly escaped' : error.message;
}
