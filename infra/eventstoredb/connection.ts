import { setImmediate as nextTurn } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ClientDuplexStream } from '@grpc/grpc-js';
import { StoreUnavailable, WrongStoreSettings } from '../../src/kernel/ports/errors.ts';
import { UncompressedMetadata, useUnhurriedConnections } from './grpc.ts';
import { isAnswer } from './refusals.ts';
import { createRunningTime, type RunningTime } from './running-time.ts';

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

export type BatchAppendCall = ClientDuplexStream<BatchAppendReq, BatchAppendResp>;

/** How long a client that has heard nothing is kept, in ms, before another one tries to connect. */
const FIRST_TRY_MS = 500;

/** Access to protected methods of the client; README.md says why they are needed. */
class ClientInternals extends EventStoreDBClient {
  /** Leaves it to this adapter when to connect again, and asks servers not to compress what they answer. */
  prepare(): void {
    this.handleError = () => Promise.resolve();
    const argumentsOf = this.callArguments;
    this.callArguments = (options, callOptions) => {
      const [metadata, grpcOptions] = argumentsOf(options, callOptions);
      return [new UncompressedMetadata(metadata), grpcOptions];
    };
  }

  /** Opens a call for any number of appends; the client chooses the node and adds TLS and credentials. */
  openBatchAppend(): Promise<BatchAppendCall> {
    return this.GRPCStreamCreator(StreamsClient, 'batchAppend', (grpc) =>
      grpc.batchAppend(...this.callArguments({}, { deadline: Infinity })),
    )();
  }

  /** Closes the connection, which `dispose` leaves open; where there is none, no node is looked for. */
  closeConnection(): Promise<void> {
    this.resolveUri = () => Promise.reject(new Error('the client is closed'));
    return this.execute(StreamsClient, 'close', async (grpc) => {
      // A channel that is closed in the turn of its first call connects afterwards, once its address is there.
      await nextTurn();
      grpc.close();
    });
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
  /** Why the client was discarded; null while it is in use. */
  lostBecause: Error | null;
  /** When it was opened, on the monotonic clock. */
  readonly openedAt: number;
  /** When the server was last heard on this client, on the monotonic clock; 0 for never. */
  lastHeardAt: number;
}

export function openBatchAppend(client: EventStoreDBClient): Promise<BatchAppendCall> {
  return ClientInternals.prototype.openBatchAppend.call(client);
}

export type Connection = ReturnType<typeof createConnection>;

/**
 * Holds the current client, and replaces it after each lost connection: the client's own reconnecting can end the
 * process (its `handleError` awaits a discovery whose failure is an unhandled rejection), and closes the connection of
 * all others when the server ends one call.
 * @throws {WrongStoreSettings} when the connection string is wrong; the message never quotes credentials.
 */
export function createConnection(url: string, onReconnect: () => void = () => undefined) {
  checkUrl(url);
  useUnhurriedConnections();
  let current: Handle | null = openHandle(url);
  let closed = false;
  const runningTime: RunningTime = createRunningTime();
  /**
   * Drops a client that has failed, and gives its users the reason; the next operation gets a new one. One that has
   * heard nothing is kept for a moment: while no server is there, each operation would connect anew.
   */
  const discard = (handle: Handle, reason: Error): void => {
    if (handle !== current) return;
    if (handle.lastHeardAt === 0 && performance.now() - handle.openedAt < FIRST_TRY_MS) return;
    current = null;
    dispose(handle, reason);
  };
  return {
    /** The clock by which time limits of operations are counted. */
    runningTime,
    get closed(): boolean {
      return closed;
    },
    /** The current client, a new one after `discard`. @throws {StoreUnavailable} when closed. */
    get handle(): Handle {
      if (closed) throw new StoreUnavailable('the event store is closed');
      if (current === null) {
        current = openHandle(url);
        onReconnect();
      }
      return current;
    },
    discard,
    /**
     * Judges the connection after an operation on it has failed that began at `since`, on the monotonic clock. A server
     * that answered, or was heard meanwhile, is there, and serves others.
     */
    judge(handle: Handle, error: Error, since: number): void {
      if (!isAnswer(error) && handle.lastHeardAt < since) discard(handle, error);
    },
    close(): void {
      closed = true;
      if (current !== null) dispose(current, new Error('the event store was closed'));
      current = null;
    },
  };
}

function openHandle(url: string): Handle {
  try {
    const client = EventStoreDBClient.connectionString(url.trim().replace(/(?<!\/)\/+$/, ''));
    ClientInternals.prototype.prepare.call(client);
    return { client, onLost: new Set(), lostBecause: null, openedAt: performance.now(), lastHeardAt: 0 };
  } catch (error) {
    throw new WrongStoreSettings('EventStoreDB', `the URL cannot be used: ${reasonOf(error)}`);
  }
}

/** Disposes of the client and closes its connection, which the client's own `dispose` leaves open. */
function dispose(handle: Handle, reason: Error): void {
  const { client, onLost } = handle;
  handle.lostBecause = reason;
  for (const lost of onLost) lost(reason);
  // Errors here concern a client that nothing uses any more.
  void client
    .dispose()
    .then(() => ClientInternals.prototype.closeConnection.call(client))
    .catch(() => undefined);
}

/** @throws {WrongStoreSettings} for options that the client would print, password included, or ignore. */
function checkUrl(url: string): void {
  const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  const options = new Map(query.split(/[&?]/).flatMap(optionOf));
  for (const [option, { name }] of options) {
    if (OPTIONS.has(option)) continue;
    // After an unescaped `?` in a password, its rest looks like an option, so it is not quoted.
    const quoted = query.includes('@') || !/^\w{1,30}$/.test(name) ? 'an option' : `an option, ${name},`;
    throw new WrongStoreSettings('EventStoreDB', `the URL has ${quoted} that the client does not know`);
  }
  const hasUser = /^[^?]*@/.test(url);
  if (hasUser && options.get('tls')?.value.toLowerCase() === 'false') {
    const reason = 'the URL has a user name and a password, which are left out without TLS (tls=false)';
    throw new WrongStoreSettings('EventStoreDB', reason);
  }
}

/** An option of a connection string, by its name as the client compares it. */
function optionOf(pair: string): [string, { readonly name: string; readonly value: string }][] {
  if (pair === '') return [];
  const [name = '', value = ''] = pair.split('=').map((text) => text.trim());
  return [[name.toLowerCase().replaceAll(/[_-]/g, ''), { name, value }]];
}

/** Says where the connection string is wrong; the client's own message quotes it. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && 'expected' in error && 'location' in error && Array.isArray(error.location)) {
    return `expected ${String(error.expected)} at character ${String(error.location[0])}`;
  }
  return error instanceof URIError || !(error instanceof Error) ? 'badly escaped' : error.message;
}
