import type { EventSink } from '../http/event-source.ts';
import type { Clock } from '../../kernel/ports/system.ts';
import { heartbeatFrame } from './frames.ts';

/** Interval of the heartbeats of live boards, in ms: many readers of each, so seldom. */
export const HEARTBEAT_MS = 15_000;

/**
 * Interval of those of replays, in ms. Some proxies notice only at the next write that a reader has left, who keeps one of
 * the few places of replays until then.
 */
export const REPLAY_HEARTBEAT_MS = 5_000;

export type Heartbeats = Readonly<ReturnType<typeof createHeartbeats>>;

export function createHeartbeats(clock: Clock, behindMs: () => number) {
  /** What ends the heartbeats of each reader. */
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
