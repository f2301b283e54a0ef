/** Why a command is refused. Each code has one row in the status table of `src/service/http`. */
export type RejectionCode =
  /** The resource that the command is for does not exist. */
  | 'NOT_FOUND'
  /** Another resource holds the unique key, or has the id already. */
  | 'TAKEN'
  /** A resource that the command refers to does not exist. */
  | 'UNKNOWN_REFERENCE'
  /** The caller may not do this. */
  | 'FORBIDDEN'
  /** Another licence owns the resource, or one that the command refers to. */
  | 'NOT_YOURS'
  /** A rig's key may not do this. */
  | 'RIG_SCOPE'
  /** This is the last ADMIN key that works. */
  | 'LAST_ADMIN_KEY'
  /** The key was revoked. */
  | 'REVOKED'
  /** The participant was erased. */
  | 'PARTICIPANT_ERASED'
  /** The resource is not at the revision that the caller asked for. */
  | 'REVISION_MISMATCH'
  /** An idempotency key was used again with another body. */
  | 'KEY_REUSED'
  /** The command contradicts itself, or the state of the resource. */
  | 'INVALID';

/** A fault in a request: a JSON pointer (RFC 6901) to it, and what is wrong there. */
export interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

/** The refusal of a command: a result, not an error. Nothing was appended. */
export class Rejection {
  readonly code: RejectionCode;
  readonly detail: string;
  readonly faults: readonly Fault[];

  constructor(code: RejectionCode, detail: string, faults: readonly Fault[] = []) {
    this.code = code;
    this.detail = detail;
    this.faults = faults;
  }
}

/** Creates a rejection with a sentence for the caller and, where one field is to blame, a pointer to it. */
export function reject(code: RejectionCode, detail: string, pointer?: string): Rejection {
  return new Rejection(code, detail, pointer === undefined ? [] : [{ pointer, detail }]);
}
