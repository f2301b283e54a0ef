/** Why a command is refused. Each code has one row in the status table of `src/http`. */
export type RejectionCode =
  /** The resource that the command is for does not exist. */
  | 'NOT_FOUND'
  /** A unique key, or the place to create something, belongs to somebody else. */
  | 'TAKEN'
  /** Something that the command refers to does not exist. */
  | 'UNKNOWN_REFERENCE'
  /** The caller may not do this. */
  | 'FORBIDDEN'
  /** The resource is not at the revision that the caller asked for. */
  | 'REVISION_MISMATCH'
  /** An idempotency key came again with another body. */
  | 'KEY_REUSED'
  /** The command contradicts itself or what is already known of the resource. */
  | 'INVALID';

/** A place in the request that a rejection is about: a JSON pointer (RFC 6901) and what is wrong there. */
export interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

/** A command refused: an answer, not an error. Nothing was appended. */
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

/** A rejection with a sentence for the caller and, where one field is to blame, its pointer. */
export function reject(code: RejectionCode, detail: string, pointer?: string): Rejection {
  return new Rejection(code, detail, pointer === undefined ? [] : [{ pointer, detail }]);
}
