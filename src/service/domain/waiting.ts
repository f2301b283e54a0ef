import type { Visits } from '../kernel/ports/read-store.ts';

export interface Usage extends Visits {
  /** Bytes of bodies that were made. */
  bytes: number;
  /** @throws {Problem} 429 when the address or the key has used up its share */
  requireShare(): void;
  /** Charges what was used since this was called before. */
  settle(): void;
}

export interface Waiting {
  /** Name of the client's address (`clientName`): addresses take turns. */
  readonly address: string;
  /** Aborts when nobody waits any more: the client has gone, or was answered at its deadline. */
  readonly signal: AbortSignal;
  /** What its long reads visit and make; its address and its key are charged for it. */
  readonly usage: Usage;
}

/** The same, or many for whom one thing is made, which is charged elsewhere. */
export type AnyWaiting = Omit<Waiting, 'usage'> & Partial<Waiting>;
