import { randomUUID } from 'node:crypto';
import { parse, v5 } from 'uuid';
import type { Clock, Ids } from '../../src/kernel/ports/system.ts';

export const systemClock: Clock = {
  now: Date.now.bind(Date),
  monotonic: performance.now.bind(performance),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Namespace of the ids derived by this service (a random UUID, fixed for ever). */
const NAMESPACE = parse('6f0d1c5a-e3b8-4f0f-9d1b-6a7c21e4935d');

/** Most ids of `next` in a millisecond before they run ahead of the clock. */
const IDS_PER_MS = 1_024;

/** The newest id of `next`: its time in ms × IDS_PER_MS, plus its counter within that ms. */
let newest = 0;

/** UUIDs by RFC 9562. Those of `next` are ascending, also within a millisecond and when the clock is set back. */
export const systemIds: Ids = {
  next() {
    newest = Math.max(newest + 1, Date.now() * IDS_PER_MS);
    const time = Math.floor(newest / IDS_PER_MS)
      .toString(16)
      .padStart(12, '0');
    const counter = (newest % IDS_PER_MS).toString(16).padStart(3, '0');
    // The random part and its variant are those of an id that Node makes from its pool of random bytes.
    return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${randomUUID().slice(19)}`;
  },
  random: randomUUID,
  derived(...parts) {
    // Each part is preceded by its length in bytes, so that different lists of parts give different names.
    const name = parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join('');
    return v5(Buffer.from(name), NAMESPACE);
  },
};
