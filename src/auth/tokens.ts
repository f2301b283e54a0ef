import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

const PREFIX_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Characters of a token that are stored and shown: `srt_` and 8 more (DESIGN §6). */
const PREFIX_LENGTH = 12;

const SECRET_BYTES = 32;

const WELL_FORMED = /^srt_[A-Za-z0-9]{8}_[A-Za-z0-9_-]{43}$/;

/** A new secret token: `srt_` + 8 characters + `_` + 32 random bytes in base64url. */
export function newToken(): string {
  const name = Array.from({ length: 8 }, () => PREFIX_ALPHABET.charAt(randomInt(PREFIX_ALPHABET.length))).join('');
  return `srt_${name}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

/** Whether a text has the form of the tokens that this service makes; a bootstrap token may be any string. */
export function isWellFormed(token: string): boolean {
  return WELL_FORMED.test(token);
}

/** The first characters of a token, by which it is found and shown. */
export function prefixOf(token: string): string {
  return token.slice(0, PREFIX_LENGTH);
}

/** SHA-256 of a token, base64url: all that is stored of it. */
export function hashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Whether two hashes are the same, in time that does not depend on where they differ. */
export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
