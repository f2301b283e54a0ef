/** An event as a client proposes it; data and metadata are the bytes that it sent. */
export interface Proposal {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** An event of the log. `position` is commit and prepare position in one; `created` is in ms since 1970. */
export interface Entry extends Proposal {
  readonly stream: string;
  /** Of a tombstone the largest there is, which no number can tell from its neighbours. */
  readonly revision: number;
  readonly position: number;
  readonly created: number;
}
