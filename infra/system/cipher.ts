import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Cipher } from '../../src/kernel/ports/personal-keys.ts';

const ALGORITHM = 'aes-256-gcm';
/** Lengths that NIST SP 800-38D recommends, in bytes. */
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM. What is sealed begins with a random IV and the tag. A person has few values, far from the 2^32 after which a
 * random IV may repeat under one key.
 */
export const aesCipher: Cipher = {
  seal(key, text, bound) {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(bound, 'utf8'));
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url');
  },
  open(key, sealed, bound) {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < IV_BYTES + TAG_BYTES) return null;
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(bound, 'utf8'));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const start = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
    try {
      return Buffer.concat([start, decipher.final()]).toString('utf8');
    } catch {
      // The tag is not that of this key, text and `bound`.
      return null;
    }
  },
};
