import type { Visits } from '../../kernel/ports/read-store.ts';

export interface Usage extends Visits {
  /** Bytes of bodies that were made. */
  bytes: number;
  /** Bytes that were sent, and were made before: for others, or by somebody else. */
  sent: number;
  /** @throws {Problem} 429 when the address or the key has used up its share */
  requireShare(): void;
  /** Charges what was used since this was called before. */
  settle(): void;
  /**
   * Time, in ms, until the address and the key have something of their share again; 0: they have. What has begun, and what
   * needs no turn, waits so long and then goes on, so that everything comes to its end.
   */
  shareMs(): number;
  /** The same for what is sent of the past, which also rests after each piece of work. */
  restMs(): number;
  /** Counts so many ms of work on what has begun: what the address has begun then rests for some time. */
  worked(ms: number): void;
}

/** Takes a place among the few who are sent the past at a time. */
export interface ReplayPlaces {
  /**
   * Takes a place, unless the request has one; returns what gives it back, which the end of the request does too.
   * @throws {Problem} 503 when others have all places
   */
  take(): () => void;
}

/** Usage that the changes of a client cause for others. */
export interface ChangeUsage {
  /** @throws {Problem} 429 when the address or the key has used up its share */
  requireShare(): void;
  /** Charges documents that a change lets the projector write or read. */
  charge(documents: number): void;
}

/** Who waits for the answer of a request. */
export interface Requester {
  /** Name of the client's address (`clientName`): addresses take turns. */
  readonly address: string;
  /** Aborts when nobody waits any more: the client has gone, or was answered at its deadline. */
  readonly signal: AbortSignal;
  /** The usage of its long reads, for which its address and its key are charged. */
  readonly usage: Usage;
  /** The places of replays, one of which a stream of events that sends the past takes; undefined: it needs none. */
  readonly replays?: ReplayPlaces | undefined;
}

/** A requester, or many for whom one thing is made, which is charged elsewhere. */
export type AnyRequester = Omit<Requester, 'usage'> & { readonly usage?: Usage | undefined };
