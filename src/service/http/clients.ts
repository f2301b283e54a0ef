/**
 * What clients use, by address and by API key, in units of cost. `express-rate-limit` counts each request as one, in fixed
 * windows, without debts, for 15 µs; `rate-limiter-flexible` takes several points, but in fixed windows and with a promise
 * for each answer. Neither counts connections, streams, invalid keys, or reads that turn out to be long.
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressesIn, clientName, forwardedAddress, plainAddress } from './client-address.ts';
import { tooManyProblem, type Problem } from './problems.ts';
import { Account, createQuota, createRate, type Quota } from './quota.ts';
import { LRUCache } from 'lru-cache';

/** Limits of what clients may use: settings of the service (docs/operations.md#limits-of-clients); 0: no limit. */
export interface ClientLimits {
  /** Addresses and networks of the reverse proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** Addresses and networks of clients to which no limit applies. */
  readonly unlimitedClients: readonly string[];
  /** Requests per minute of one address, and of one API key. */
  readonly clientRequestsPerMinute: number;
  readonly keyRequestsPerMinute: number;
  readonly clientRefusedKeysPerMinute: number;
  /** Connections that one address opens per minute. */
  readonly clientConnectionsPerMinute: number;
  /** Connections, lists and files, live boards, and replays among these, of one address at a time. */
  readonly clientConnections: number;
  readonly clientStreams: number;
  readonly clientLiveReaders: number;
  readonly clientReplays: number;
}

type Slot = 'clientConnections' | 'clientStreams' | 'clientLiveReaders';

/** Most ids of keys that are remembered per address. */
const KNOWN_KEYS = 1_000;

/** Most clients, and most keys, whose accounts are kept: a flood of names must not fill the memory. */
const MAX_ENTRIES = 50_000;

const TOO_MANY = {
  clientStreams: 'This address is being sent too many lists and files at a time.',
  clientLiveReaders: 'This address is being sent too many event streams at a time.',
} as const satisfies Partial<Record<Slot, string>>;

/** An address may open the connections of this part of a minute at once, which is so many ms long. */
const CONNECTION_WINDOWS_PER_MINUTE = 6;
const CONNECTION_WINDOW_MS = 10_000;

/** Time, in ms, after which a client with too many streams may try again. */
const STREAM_RETRY_MS = 1_000;

/** Longest rest, in ms, of what has begun: less than `STALL_TIMEOUT_MS`, after which a client is taken for gone. */
const MAX_REST_MS = 10_000;

/**
 * How many times as long as it was worked on, what is sent of the past rests: however much of their share is left, an
 * address takes less than a third of a core for it. Sending what was made takes time, too.
 */
const REST_FACTOR = 3;

/** Warnings, once per process, of requests that a proxy has passed on and whose clients cannot be distinguished. */
const NOT_TRUSTED =
  'Requests arrive through a proxy that TRUSTED_PROXIES does not name: all of its clients count as one address';
const NO_CLIENT_NAMED =
  'A proxy in TRUSTED_PROXIES sends no address in X-Forwarded-For: all of its clients count as one address';

type Limits = ReturnType<typeof limitsOf>;

function limitsOf(limits: ClientLimits) {
  const { clientRequestsPerMinute: ofAddress, keyRequestsPerMinute: ofKey, clientRefusedKeysPerMinute } = limits;
  return {
    open: limits,
    connecting: connectionRate(limits.clientConnectionsPerMinute),
    refusedKeys: createQuota('refused-keys', clientRefusedKeysPerMinute),
    requests: quotasOf(createQuota('address', ofAddress), createQuota('key', ofKey)),
    reading: quotasOf(createQuota('reading', ofAddress), createQuota('key-reading', ofKey)),
    changing: quotasOf(createQuota('changing', ofAddress), createQuota('key-changing', ofKey)),
    keys: new LRUCache<string, Accounts>({ max: MAX_ENTRIES, memoMethod: () => new Accounts() }),
  };
}

/** The rate at which an address opens connections. */
function connectionRate(perMinute: number) {
  const atOnce = perMinute === 0 ? Infinity : perMinute / CONNECTION_WINDOWS_PER_MINUTE;
  return createRate(atOnce, CONNECTION_WINDOW_MS, 0);
}

/** The quotas of an address and of a key, and the `RateLimit-Policy` of requests without a key, and with one. */
function quotasOf(address: Quota, key: Quota) {
  return { address, key, policy: address.policy, keyPolicy: listOf(address.policy, key.policy) };
}

/** A list of structured fields (RFC 9651 §3.1), without the empty ones. */
function listOf(first: string, second: string): string {
  return first === '' || second === '' ? first + second : `${first}, ${second}`;
}

export class Accounts {
  readonly requests = new Account();
  readonly reading = new Account();
  readonly changing = new Account();
}

export class Client {
  readonly #limits: Limits;
  readonly #accounts = new Accounts();
  readonly #connecting = new Account();
  readonly #refusedKeys = new Account();
  readonly #keys = new Set<string>();
  readonly #open: Record<Slot, number> = { clientConnections: 0, clientStreams: 0, clientLiveReaders: 0 };
  /** Until when, by the monotonic clock, what the client has begun rests. */
  #restsUntil = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Counts a connection or a response until it closes; false: it is one too many. */
  take(slot: Slot, counted: Socket | ServerResponse): boolean {
    const most = this.#limits.open[slot] || Infinity;
    if (this.#open[slot] >= most) return false;
    this.#open[slot] += 1;
    counted.once('close', () => {
      this.#open[slot] -= 1;
    });
    return true;
  }

  /**
   * Counts a new connection; false: there are too many, or they come too fast. Node accepts one in each turn of the event
   * loop: whoever opens and leaves hundreds a second fills the queue in which the connections of rigs wait, too.
   */
  connect(socket: Socket): boolean {
    const wait = this.#limits.connecting.take(this.#connecting, 1, performance.now());
    return wait === 0 && this.take('clientConnections', socket);
  }

  /** Counts a request; the problem says that there were too many. */
  consumeRequest(): Problem | null {
    const wait = this.#limits.requests.address.take(this.#accounts.requests, 1, performance.now());
    return wait > 0 ? tooManyProblem('This address has sent too many requests.', wait) : null;
  }

  /**
   * Counts the key of a request; null: an invalid one. Once an address has sent too many invalid keys, only keys that were
   * valid there before are accepted: whoever guesses keys learns nothing more, and a venue goes on working when one of its
   * rigs has a wrong key. Returns a problem if the key is not accepted.
   */
  consumeKey(apiKeyId: string | null): Problem | null {
    if (apiKeyId !== null && this.#keys.has(apiKeyId)) return null;
    const { refusedKeys } = this.#limits;
    const wait = refusedKeys.take(this.#refusedKeys, 1, performance.now());
    if (wait > 0) return tooManyProblem('Too many keys from this address were not valid.', wait);
    if (apiKeyId === null) return null;
    refusedKeys.giveBack(this.#refusedKeys, 1);
    if (this.#keys.size >= KNOWN_KEYS) this.#keys.clear();
    this.#keys.add(apiKeyId);
    return null;
  }

  /** Counts a request under a key, and returns the key's accounts. @throws {Problem} 429 */
  consumeKeyRequest(apiKeyId: string): Accounts {
    const accounts = this.#limits.keys.memo(apiKeyId);
    this.#takeOfKey(accounts, 1);
    return accounts;
  }

  /** Counts a request as this many more. @throws {Problem} 429 */
  consume(units: number, key: Accounts | null): void {
    if (units <= 0) return;
    const wait = this.#limits.requests.address.take(this.#accounts.requests, units, performance.now());
    if (wait > 0) throw tooManyProblem('This address has sent too much.', wait);
    if (key !== null) this.#takeOfKey(key, units);
  }

  #takeOfKey({ requests }: Accounts, units: number): void {
    const wait = this.#limits.requests.key.take(requests, units, performance.now());
    if (wait > 0) throw tooManyProblem('This key has sent too many requests.', wait);
  }

  /** @throws {Problem} 429 when long reads of the address, or of the key, have used up their share */
  requireReading(key: Accounts | null): void {
    const { reading } = this.#limits;
    const now = performance.now();
    const wait = reading.address.wait(this.#accounts.reading, now);
    if (wait > 0) throw tooManyProblem('This address has asked for too many long lists and boards.', wait);
    const keyWait = key === null ? 0 : reading.key.wait(key.reading, now);
    if (keyWait > 0) throw tooManyProblem('This key has asked for too many long lists and boards.', keyWait);
  }

  /** Most replays at a time; Infinity: there is no limit. */
  get mostReplays(): number {
    return this.#limits.open.clientReplays || Infinity;
  }

  /** Time, in ms, until something is left of the share of long reads; `MAX_REST_MS` at most, so that all goes on. */
  shareMs(key: Accounts | null): number {
    const { reading } = this.#limits;
    const now = performance.now();
    const wait = reading.address.wait(this.#accounts.reading, now);
    const keyWait = key === null ? 0 : reading.key.wait(key.reading, now);
    return Math.min(Math.max(wait, keyWait), MAX_REST_MS);
  }

  /** The same for what is sent of the past, which also rests after it was worked on. */
  restMs(key: Accounts | null): number {
    return Math.min(Math.max(this.shareMs(key), this.#restsUntil - performance.now()), MAX_REST_MS);
  }

  /** Counts work, in ms, on what is sent of the past. */
  worked(ms: number): void {
    this.#restsUntil = Math.max(this.#restsUntil, performance.now()) + REST_FACTOR * ms;
  }

  /** Charges a long read, which may be more than is left. */
  chargeReading(units: number, key: Accounts | null): void {
    const { reading } = this.#limits;
    const now = performance.now();
    reading.address.charge(this.#accounts.reading, units, now);
    if (key !== null) reading.key.charge(key.reading, units, now);
  }

  /** @throws {Problem} 429 when the changes of the address, or of the key, have cost others too much */
  requireChanging(key: Accounts | null): void {
    const { changing } = this.#limits;
    const now = performance.now();
    const wait = changing.address.wait(this.#accounts.changing, now);
    if (wait > 0) throw tooManyProblem('Changes from this address have reached too many records.', wait);
    const keyWait = key === null ? 0 : changing.key.wait(key.changing, now);
    if (keyWait > 0) throw tooManyProblem('Changes under this key have reached too many records.', keyWait);
  }

  /** Charges a change that reaches other records, which may be more than is left. */
  chargeChanging(units: number, key: Accounts | null): void {
    const { changing } = this.#limits;
    const now = performance.now();
    changing.address.charge(this.#accounts.changing, units, now);
    if (key !== null) changing.key.charge(key.changing, units, now);
  }

  /** Counts a response until it closes; the problem says that there are too many. */
  takeSlot(slot: keyof typeof TOO_MANY, response: ServerResponse): Problem | null {
    return this.take(slot, response) ? null : tooManyProblem(TOO_MANY[slot], STREAM_RETRY_MS);
  }

  /** Adds `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10) of requests, or of long reads. */
  addHeaders(headers: string[], key: Accounts | null, of: keyof Accounts): void {
    const { address, key: ofKeys, policy, keyPolicy } = this.#limits[of];
    const now = performance.now();
    const state = listOf(address.state(this.#accounts[of], now), key === null ? '' : ofKeys.state(key[of], now));
    if (state !== '') headers.push('RateLimit-Policy', key === null ? policy : keyPolicy, 'RateLimit', state);
  }
}

interface Peer {
  readonly address: string;
  /** A proxy that is trusted to say whose requests it passes on. */
  readonly isProxy: boolean;
  /** Null: no limit applies. */
  readonly client: Client | null;
}

export type Clients = ReturnType<typeof createClients>;

export function createClients(limits: ClientLimits, log: { warn(fields: object, message: string): void }) {
  const own = limitsOf(limits);
  const isProxy = addressesIn(limits.trustedProxies);
  const isUnlimited = addressesIn(limits.unlimitedClients);
  const clients = new LRUCache<string, Client>({ max: MAX_ENTRIES, memoMethod: () => new Client(own) });
  /** Those of connections that were asked for before; read by each request. */
  const peers = new WeakMap<Socket, Peer>();
  let hasWarned = false;
  const clientAt = (address: string): Client | null =>
    isUnlimited(address) ? null : clients.memo(clientName(address));
  function peerOf(socket: Socket): Peer {
    const known = peers.get(socket);
    if (known !== undefined) return known;
    // A socket that was closed meanwhile has no address any more.
    const address = plainAddress(socket.remoteAddress ?? '');
    const peer = { address, isProxy: isProxy(address), client: clientAt(address) };
    peers.set(socket, peer);
    return peer;
  }
  return {
    peers,
    peerOf,
    /** Takes a new connection, or destroys it when its address has too many. Those of proxies are their clients'. */
    connect(socket: Socket): void {
      const { client, isProxy } = peerOf(socket);
      if (client !== null && !isProxy && !client.connect(socket)) socket.destroy();
    },
    /**
     * The client of a forwarded request whose peer is a trusted proxy or exempt: the one that the proxy passes the request
     * on for, or else the peer itself. The peer's exemption is not for those behind it: where no trusted proxy names the
     * client, the peer is counted.
     */
    behind(peer: Peer, headers: IncomingHttpHeaders): Pick<Peer, 'address' | 'client'> {
      const { address } = peer;
      const header = String(headers['x-forwarded-for'] ?? '');
      const forwarded = peer.isProxy ? forwardedAddress(header, isProxy) : null;
      if (forwarded !== null) return { address: forwarded, client: clientAt(forwarded) };
      if (!hasWarned) log.warn({ remoteAddress: address }, peer.isProxy ? NO_CLIENT_NAMED : NOT_TRUSTED);
      hasWarned = true;
      return { address, client: clients.memo(clientName(address)) };
    },
  };
}
