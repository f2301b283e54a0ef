import { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ClientDuplexStream } from '@grpc/grpc-js';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';

/** The options of a connection string. With an unknown one the client prints the string, password included. */
const OPTIONS = new Set([
  'connectionname',
  'defaultdeadline',
  'discoveryinterval',
  'gossiptimeout',
  'keepaliveinterval',
  'keepalivetimeout',
  'maxdiscoverattempts',
  'nodepreference',
  'throwonappendfailure',
  'tls',
  'tlscafile',
  'usercertfile',
  'userkeyfile',
]);

/** An open batch-append call. */
export type BatchAppendCall = ClientDuplexStream<BatchAppendReq, BatchAppendResp>;

/** Access to protected methods of the client, which its own commands use. */
class ClientInternals extends EventStoreDBClient {
  /** Opens a call for any number of appends; the client chooses the node and adds TLS and credentials. */
  openBatchAppend(): Promise<BatchAppendCall> {
    return this.GRPCStreamCreator(StreamsClient, 'batchAppend', (grpc) =>
      grpc.batchAppend(...this.callArguments({}, { deadline: Infinity })),
    )();
  }

  /** Closes the connection, which `dispose` leaves open. */
  closeConnection(): Promise<void> {
    return this.execute(StreamsClient, 'close', async (grpc) => grpc.close());
  }
}

/** A handle on a client, with callbacks to run before it is disposed of. */
export interface Handle {
  readonly client: EventStoreDBClient;
  /**
   * Called when the client is discarded. Disposing ends open reads and subscriptions without an error: a read would
   * look complete, and a subscription idle. So both must fail first.
   */
  readonly onLost: Set<(error: Error) => void>;
  /** When the server was last heard on this client, on the monotonic clock. */
  lastHeardAt: number;
}

/** Opens a batch-append call on a client. */
export function openBatchAppend(client: EventStoreDBClient): Promise<BatchAppendCall> {
  return ClientInternals.prototype.openBatchAppend.call(client);
}

/**
 * Holds the current client, and replaces it after each lost connection: the client's own reconnecting can end the process
 * (its `handleError` awaits a discovery whose failure is an unhandled rejection).
 */
export class Connection {
  readonly #url: string;
  readonly #onReconnect: () => void;
  #handle: Handle | null;
  #closed = false;

  /** @throws {TypeError} when the connection string is malformed; the message never quotes credentials. */
  constructor(url: string, onReconnect: () => void = () => undefined) {
    checkUrl(url);
    this.#url = url.trim().replace(/\/+$/, '');
    this.#onReconnect = onReconnect;
    this.#handle = this.#openHandle();
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** The current client, a new one after `discard`. @throws {StoreUnavailable} when closed. */
  get handle(): Handle {
    if (this.#closed) throw new StoreUnavailable('the event store is closed');
    if (this.#handle === null) {
      this.#handle = this.#openHandle();
      this.#onReconnect();
    }
    return this.#handle;
  }

  /** Drops a client that has failed; the next operation gets a new one. */
  discard(handle: Handle): void {
    if (handle !== this.#handle) return;
    this.#handle = null;
    dispose(handle);
  }

  /**
   * Drops a client on which an operation has waited in vain since `sentAt`, unless the server was heard on it meanwhile:
   * it is slow then, and others are being served.
   */
  discardIfSilent(handle: Handle, sentAt: number): void {
    if (handle.lastHeardAt < sentAt) this.discard(handle);
  }

  close(): void {
    this.#closed = true;
    if (this.#handle !== null) dispose(this.#handle);
    this.#handle = null;
  }

  #openHandle(): Handle {
    try {
      return { client: EventStoreDBClient.connectionString(this.#url), onLost: new Set(), lastHeardAt: 0 };
    } catch (error) {
      throw new TypeError(`not a connection string for EventStoreDB: ${reasonOf(error)}`);
    }
  }
}

/** Disposes of the client and closes its connection, which the client's own `dispose` leaves open. */
function dispose({ client, onLost }: Handle): void {
  for (const lost of onLost) lost(new Error('the connection was closed'));
  // Errors here concern a client that nothing uses any more.
  void client
    .dispose()
    .then(() => ClientInternals.prototype.closeConnection.call(client))
    .catch(() => undefined);
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

/** Says where the connection string is wrong, without the quotation of it in the client's message. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && 'expected' in error && 'location' in error && Array.isArray(error.location)) {
    return `expected ${String(error.expected)} at character ${String(error.location[0])}`;
  }
  return error instanceof URIError || !(error instanceof Error) ? 'badly escaped' : error.message;
}
