import { randomUUID } from 'node:crypto';
import { parse, v5, v7 } from 'uuid';
import type { Clock, Ids } from '../../src/service/kernel/ports/system.ts';

/** The machine's clock. */
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

/**
 * UUIDs by RFC 9562. Those of `next` are ascending, also within a millisecond and when the clock is set back.
 */
export const systemIds: Ids = {
  next: () => v7(),
  random: randomUUID,
  derived(...parts) {
    // Each part is preceded by its length in bytes, so that different lists of parts give different names.
    const name = parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join('');
    return v5(Buffer.from(name), NAMESPACE);
  },
};
