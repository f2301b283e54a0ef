import type { EventSink } from '../http/event-source.ts';
import type { Clock } from '../../kernel/ports/system.ts';
import { heartbeatFrame } from './frames.ts';

/** Interval of the heartbeats of live boards, in ms. It is long, since a board may have many readers. */
export const HEARTBEAT_MS = 15_000;

/**
 * Interval of the heartbeats of replays, in ms. Some proxies notice only at the next write that a reader has left, and until
 * then the reader occupies one of the few places for replays.
 */
export const REPLAY_HEARTBEAT_MS = 5_000;

export type Heartbeats = Readonly<ReturnType<typeof createHeartbeats>>;

export function createHeartbeats(clock: Clock, behindMs: () => number) {
  /** Functions that end the heartbeats of each reader. */
  const ends = new Set<() => void>();
  return {
    readers: () => ends.size,
    /** Sends heartbeats to a reader from now on, until the function that it returns is called. */
    start(sink: EventSink, everyMs: number): () => void {
      let cancel = (): void => undefined;
      const beat = (): void => {
        cancel = clock.after(everyMs, beat);
        sink.write(heartbeatFrame(clock.now(), behindMs()));
      };
      const end = (): void => {
        cancel();
        ends.delete(end);
      };
      ends.add(end);
      beat();
      return end;
    },
    stop(): void {
      for (const end of ends) end();
    },
  };
}
