import type { Position } from './event-store.ts';

/** Bytes of the key of a person: AES-256. */
export const PERSONAL_KEY_BYTES = 32;

/** The erasures of an event store that a key store knows: all of them up to a position of a history. */
export interface AppliedErasures {
  /** Id of the first event of the history: it says which history this is. */
  readonly history: string;
  readonly position: Position;
}

/**
 * Key store: keeps one key per person, or the fact that they were erased. A person is named by a subject, which is the
 * name of their stream. All calls throw {StoreUnavailable} where the store does not answer.
 */
export interface PersonalKeys {
  /** The keys of subjects; null for one who was erased. A subject that has no key is not in the map. */
  find(subjects: readonly string[]): Promise<ReadonlyMap<string, Uint8Array | null>>;
  /**
   * Returns the key of a subject, which is made if there is none and is on disk before this resolves. All who make one
   * at once get the same one. Null: the subject was erased, and gets no key again.
   */
  create(subject: string): Promise<Uint8Array | null>;
  /**
   * Destroys the key of a subject, if there is one, and remembers that they were erased; on disk before this resolves.
   * It may be repeated: the first `erasedAt` (ISO 8601) stays.
   */
  erase(subject: string, erasedAt: string): Promise<void>;
  /** Up to where the erasures of the event store were applied here; null: nowhere yet. */
  appliedUpTo(): Promise<AppliedErasures | null>;
  setAppliedUpTo(applied: AppliedErasures): Promise<void>;
  close(): Promise<void>;
}

/** Authenticated encryption under the key of a person. `bound` is authenticated with the text, and is not kept in it. */
export interface Cipher {
  /** The text, encrypted, in base64url; another one each time. */
  seal(key: Uint8Array, text: string, bound: string): string;
  /** The text that was sealed; null where the key or `bound` is another one, or `sealed` was changed. */
  open(key: Uint8Array, sealed: string, bound: string): string | null;
}
