import { randomBytes } from 'node:crypto';
import {
  PERSONAL_KEY_BYTES,
  type AppliedErasures,
  type PersonalKeys,
} from '../../../src/kernel/ports/personal-keys.ts';

/** A key store in memory, for tests. `close` keeps what is in it, so that it outlives the processes of a simulation. */
export function memoryKeys(): PersonalKeys {
  const keys = new Map<string, Uint8Array | null>();
  let applied: AppliedErasures | null = null;
  return {
    async find(subjects) {
      const found = new Map<string, Uint8Array | null>();
      for (const subject of subjects) {
        const key = keys.get(subject);
        if (key !== undefined) found.set(subject, key);
      }
      return found;
    },
    async create(subject) {
      const key = keys.get(subject);
      if (key !== undefined) return key;
      const made = randomBytes(PERSONAL_KEY_BYTES);
      keys.set(subject, made);
      return made;
    },
    async erase(subject) {
      keys.set(subject, null);
    },
    appliedUpTo: async () => applied,
    async setAppliedUpTo(next) {
      applied = next;
    },
    close: async () => undefined,
  };
}
