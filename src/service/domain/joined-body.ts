import { hash } from 'node:crypto';

/** A part of bodies that is kept from one to the next: UTF-8, and the hash of that. */
export class BodyPart {
  readonly bytes: Buffer;
  readonly hash: string;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
    this.hash = hash('sha256', this.bytes, 'base64url');
  }
}

/** A body of parts. The hashes of these tell as much as a hash of the whole, and most of them are known. */
export class JoinedBody {
  readonly bytes: Buffer;
  readonly hashes: string;

  constructor(parts: readonly BodyPart[]) {
    this.bytes = Buffer.concat(parts.map(({ bytes }) => bytes));
    this.hashes = parts.map((part) => part.hash).join('');
  }
}
