/**
 * A store could not be reached, did not answer in time, or gave an answer we cannot interpret: the outcome is unknown.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** Thrown by `EventStore.append` when the stream is not at the expected revision; nothing was appended. */
export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision';
  readonly stream: string;
  readonly expected: string | number;

  constructor(stream: string, expected: string | number) {
    super(`stream ${stream} is not at expected revision ${expected}`);
    this.stream = stream;
    this.expected = expected;
  }
}

/** Thrown by `EventStore.append` when the store takes nothing of that size; nothing was appended. */
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge';
}
