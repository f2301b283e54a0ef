import { hash } from 'node:crypto';

/** A row of a board as JSON: its bytes in UTF-8, and their hash. */
export interface EncodedRow {
  readonly bytes: Uint8Array;
  readonly hash: string;
}

/** Encodes the JSON of a row. */
export function encodeRow(text: string): EncodedRow {
  const bytes = Buffer.from(text);
  return { bytes, hash: hash('sha256', bytes, 'base64url') };
}
