/**
 * Thrown when a store could not be reached, did not answer in time, or gave an answer that cannot be interpreted: the
 * outcome is unknown.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  /**
   * Why the server refuses this service, in words that name no host and nobody: anybody may read them, as keys cannot
   * be checked then. Null for failures that say nothing about the settings.
   */
  readonly refusal: string | null;

  constructor(message: string, options: ErrorOptions & { readonly refusal?: string | null } = {}) {
    super(message, options);
    this.refusal = options.refusal ?? null;
  }
}

/**
 * Thrown when another process holds a lock on an embedded store for too long; nothing was written. A thread of this
 * process keeps waiting for the lock, and keeps `process.exit` from ending the process.
 */
export class StoreLocked extends StoreUnavailable {}

/** Thrown when a store is full, or has too little room for what is about to be built; nothing was written. */
export class StoreFull extends StoreUnavailable {}

/** Thrown when the events of a store are not those that were recorded: a retry cannot help, a backup can. */
export class DamagedStore extends StoreUnavailable {}

/** Thrown by appends where the service was started to write nothing. */
export class ReadOnlyStore extends StoreUnavailable {
  constructor() {
    super('the service was started with --read-only');
  }
}

/** Thrown when a store cannot be opened with its settings, whatever its server answers; the message contains no secret. */
export class WrongStoreSettings extends TypeError {
  override readonly name = 'WrongStoreSettings';
  readonly store: 'EventStoreDB' | 'MongoDB' | 'S3' | 'the personal keys';
  readonly reason: string;

  constructor(store: WrongStoreSettings['store'], reason: string) {
    super(`the settings of ${store} are wrong: ${reason}`);
    this.store = store;
    this.reason = reason;
  }
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

/** Thrown by `EventStore.append` when the events are larger than the store accepts at once; nothing was appended. */
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge';
}

/**
 * Thrown when read models were not made from the events in the event store, because these were restored from a backup
 * or replaced. Its message says what to do.
 */
export class OtherHistory extends Error {
  override readonly name = 'OtherHistory';
  /** The difference, and what to do. */
  readonly reason: string;

  /** @param difference begins with "they", the read models. */
  constructor(difference: string) {
    const reason =
      `${difference}. Writes are refused. If these events are the right ones, run \`sim-racing-timing rebuild\`, and ` +
      'then start every process of the service again';
    super(`the read models belong to another history than the events: ${reason}`);
    this.reason = reason;
  }
}

/** Thrown by `ReadModels.apply` when a document would be larger than the store can hold: a retry cannot help. */
export class DocumentTooLarge extends Error {
  override readonly name = 'DocumentTooLarge';
  readonly collection: string;

  constructor(collection: string, options?: ErrorOptions) {
    super(`a document of ${collection} would be larger than a document can be`, options);
    this.collection = collection;
  }
}

/** Thrown by `ReadModels.find` when the answer would cost more than the query may. */
export class OverBudget extends Error {
  override readonly name = 'OverBudget';
  /** The exceeded bound: documents to visit, or bytes of the page. */
  readonly of: 'documents' | 'bytes';

  constructor(budget: number, of: 'documents' | 'bytes' = 'documents') {
    super(
      of === 'bytes'
        ? `the page would take more than ${budget} bytes`
        : `the query would visit more than ${budget} documents`,
    );
    this.of = of;
  }
}
