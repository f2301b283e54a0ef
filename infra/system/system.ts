import { hash, randomFillSync, randomUUID } from 'node:crypto';
import type { Clock, Ids } from '../../src/kernel/ports/system.ts';

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Namespace of the ids derived by this service (a random UUID, fixed for ever). */
const NAMESPACE = Buffer.from('6f0d1c5ae3b84f0f9d1b6a7c21e4935d', 'hex');

/** Random bytes are drawn for this many ids at once: a system call each would cost more than the rest of making one. */
const POOLED_IDS = 256;
const BYTES_PER_ID = 8;

/** Ids as RFC 9562 describes them. */
export function systemIds(clock: Clock): Ids {
  const pool = Buffer.alloc(POOLED_IDS * BYTES_PER_ID);
  let used = pool.length;
  let lastMs = 0;
  let counter = 0;

  function nextBytes(): number {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += BYTES_PER_ID;
    return used - BYTES_PER_ID;
  }
  /**
   * A UUIDv7 with a counter in its 12 bits of `rand_a` (RFC 9562 §6.2, method 1): ids of one process are in order
   * within a ms too.
   */
  function next(): string {
    const at = nextBytes();
    const now = clock.now();
    if (now > lastMs) {
      lastMs = now;
      counter = pool.readUInt16BE(at) & 0x7ff;
    } else if (counter === 0xfff) {
      lastMs += 1;
      counter = 0;
    } else counter += 1;
    const time = lastMs.toString(16).padStart(12, '0');
    const tail = pool.toString('hex', at, at + BYTES_PER_ID);
    const variant = VARIANT[pool.readUInt8(at) & 3] ?? '8';
    const ordered = `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}`;
    return `${ordered}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`;
  }
  return { next, random: randomUUID, derived };
}

const VARIANT = ['8', '9', 'a', 'b'];

/** UUIDv5 (RFC 9562 §5.5). Parts are framed by their length, so that no two lists of parts read alike. */
function derived(...parts: readonly string[]): string {
  const name = parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join('');
  const hex = hash('sha1', Buffer.concat([NAMESPACE, Buffer.from(name)]), 'hex');
  const variant = VARIANT[Number.parseInt(hex.charAt(16), 16) & 3] ?? '8';
  const [time, tail] = [`${hex.slice(0, 8)}-${hex.slice(8, 12)}`, `${hex.slice(17, 20)}-${hex.slice(20, 32)}`];
  return `${time}-5${hex.slice(13, 16)}-${variant}${tail}`;
}
