/** A part of bodies that is kept from one to the next: UTF-8, and a hash of that. */
export interface BodyPart {
  readonly bytes: Uint8Array;
  readonly hash: string;
}

/** A body of parts between two texts. The hashes of the parts stand for their bytes, and most of them are known. */
export class JoinedBody {
  readonly bytes: Buffer;
  /** Differs wherever the bytes do. */
  readonly summary: string;

  constructor(start: string, parts: readonly BodyPart[], end: string) {
    this.bytes = Buffer.concat([Buffer.from(start), ...parts.map(({ bytes }) => bytes), Buffer.from(end)]);
    this.summary = start + parts.map(({ hash }) => hash).join('') + end;
  }
}
