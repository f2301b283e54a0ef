import { hash } from 'node:crypto';

export type BodyPart = ReturnType<typeof bodyPart>;

/** A part of bodies that is kept from one to the next: UTF-8, and the hash of that. */
export function bodyPart(text: string) {
  const bytes = Buffer.from(text);
  return { bytes, hash: hash('sha256', bytes, 'base64url') };
}

/** A body of parts between two texts. The hashes of the parts tell as much as their bytes, and most of them are known. */
export class JoinedBody {
  readonly bytes: Buffer;
  /** Differs wherever the bytes do. */
  readonly summary: string;

  constructor(start: string, parts: readonly BodyPart[], end: string) {
    this.bytes = Buffer.concat([Buffer.from(start), ...parts.map(({ bytes }) => bytes), Buffer.from(end)]);
    this.summary = start + parts.map((part) => part.hash).join('') + end;
  }
}
