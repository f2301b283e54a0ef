import { hkdfSync } from 'node:crypto';
import { WrongStoreSettings } from '../../src/kernel/ports/errors.ts';
import { PERSONAL_KEY_BYTES } from '../../src/kernel/ports/personal-keys.ts';
import { aesCipher } from './cipher.ts';

/** How a key store keeps keys: as they are, or encrypted by a secret that it does not have. */
export interface KeyWrapping {
  /** What a new key store keeps, so that another secret is noticed before a key is read; null: keys are kept as they are. */
  readonly check: string | null;
  /** The text that is kept for the key of a subject. */
  wrap(subject: string, key: Uint8Array): string;
  /** @throws {WrongStoreSettings} when it was wrapped by another secret. */
  unwrap(subject: string, text: string): Uint8Array;
  /** @throws {WrongStoreSettings} when a key store with this check was made with another secret, or with none. */
  expectSame(check: string | null): void;
}

/** Keeps the keys of this program apart from whatever else the secret is used for. */
const PURPOSE = 'sim-racing-timing personal keys';
const CHECKED_TEXT = 'personal keys';

/** Wraps keys with AES-256-GCM, by a key that is derived from the secret (HKDF-SHA-256); null: they are kept as they are. */
export function keyWrapping(secret: string | null): KeyWrapping {
  if (secret === null) return PLAIN_KEYS;
  const wrappingKey = new Uint8Array(hkdfSync('sha256', secret, '', PURPOSE, PERSONAL_KEY_BYTES));
  return {
    check: aesCipher.seal(wrappingKey, CHECKED_TEXT, PURPOSE),
    wrap: (subject, key) => aesCipher.seal(wrappingKey, Buffer.from(key).toString('base64url'), subject),
    unwrap(subject, text) {
      const key = aesCipher.open(wrappingKey, text, subject);
      if (key === null) throw wrongSecret('a key cannot be read with this secret');
      return Buffer.from(key, 'base64url');
    },
    expectSame(check) {
      if (check === null) throw wrongSecret('it is set, and the key store was made without a secret');
      if (aesCipher.open(wrappingKey, check, PURPOSE) !== CHECKED_TEXT)
        throw wrongSecret('the key store was made with another secret');
    },
  };
}

const PLAIN_KEYS: KeyWrapping = {
  check: null,
  wrap: (_, key) => Buffer.from(key).toString('base64url'),
  unwrap: (_, text) => Buffer.from(text, 'base64url'),
  expectSame(check) {
    if (check !== null) throw wrongSecret('it is not set, and the key store was made with a secret');
  },
};

function wrongSecret(reason: string): WrongStoreSettings {
  return new WrongStoreSettings('the personal keys', reason);
}
