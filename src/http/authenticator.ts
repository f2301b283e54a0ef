import type { Caller } from '../domain/roles.ts';

/** Who a token belongs to, as the HTTP layer asks it. Implemented by `src/auth`. */
export interface Authenticator {
  /**
   * The caller behind a token, or null when it is unknown, revoked, or of a disabled or expired licence. Answers
   * without a promise whenever it can: a promise costs every request. May throw {StoreUnavailable}.
   */
  authenticate(token: string): Caller | null | Promise<Caller | null>;
  /** Calls `listener` with the id of each key that stops being valid, as soon as this process knows. */
  onInvalid(listener: (apiKeyId: string) => void): void;
}
