import type { Clock } from '../ports/system.ts';
import type { Position } from '../ports/event-store.ts';
import type { ReadModels } from '../ports/read-store.ts';
import type { Lease } from '../lease.ts';

/** A checkpoint waiter that is notified of each new checkpoint. */
export type CheckpointNotifier = ReturnType<typeof createCheckpointNotifier>;

/** The checkpoint of a projection group, and a way to wait for it. */
export type CheckpointWaiter = Pick<CheckpointNotifier, 'position' | 'waitFor'>;

/** A checkpoint waiter that can also read once a position is reflected. */
export type CheckpointReader = Pick<CheckpointNotifier, 'position' | 'waitFor' | 'readAt'>;

const reached = (): Promise<boolean> => Promise.resolve(true);

/** Creates a notifier that starts at a checkpoint. */
export function createCheckpointNotifier(clock: Clock, start: Position | null, onWait: () => void = () => undefined) {
  let checkpoint = start;
  let stopped = false;
  let next: { advance(position: Position): void } | null = null;
  /** The positions that are waited for, by what ends the wait. */
  const waiters = new Map<(isReadable: boolean) => void, Position>();
  /**
   * Returns the result of `read`, called once `position` is reflected. Returns false when both together take longer than `ms`
   * milliseconds, or the group stops; a read under way then continues, and its result is ignored.
   */
  const readAt = <T>(position: Position, ms: number, read: () => Promise<T>): Promise<T | false> => {
    const isReached = checkpoint !== null && checkpoint >= position;
    return new Promise((resolve, reject) => {
      const settle = (isReadable: boolean): void => {
        waiters.delete(settle);
        // A microtask later: the caller of `advance` may be about to exchange the read models.
        if (isReadable) void Promise.resolve().then(read).finally(cancel).then(resolve, reject);
        else {
          cancel();
          resolve(false);
        }
      };
      const cancel = clock.after(Math.max(0, ms), () => settle(false));
      waiters.set(settle, position);
      if (isReached || stopped || ms <= 0) settle(isReached);
      else onWait();
    });
  };
  return {
    /** Position up to which every event is reflected in the documents, or null at the start. */
    position: () => checkpoint,
    hasWaiters: () => waiters.size > 0,
    /** Waits at most `ms` milliseconds until `position` is reflected; false when it is not, or the group stops. */
    waitFor: (position: Position, ms: number): Promise<boolean> => readAt(position, ms, reached),
    readAt,
    advance(position: Position): void {
      if (checkpoint === null || position > checkpoint) checkpoint = position;
      stopped = false;
      for (const [settle, awaited] of waiters) if (awaited <= checkpoint) settle(true);
      next?.advance(position);
    },
    /** Notifies another notifier too: of the checkpoint, and of each new one. */
    forwardTo(other: { advance(position: Position): void }): void {
      next = other;
      if (checkpoint !== null) other.advance(checkpoint);
    },
    /** Ends all waits with false, present and future ones, until `resume` or the next `advance`. */
    stop(): void {
      stopped = true;
      for (const settle of waiters.keys()) settle(false);
    },
    resume(): void {
      stopped = false;
    },
  };
}

/** Pause, in ms, between reads of the checkpoint while any wait is pending. */
const POLL_MS = 10;

/**
 * Creates a notifier for a group that another process may project. It polls the checkpoint, once for all pending waits;
 * not while there is none, nor while this process projects, which is when it holds the lease. When the read store fails
 * it polls again; each wait has its own limit.
 */
export function createCheckpointPoller(
  models: Pick<ReadModels, 'checkpoint'>,
  clock: Clock,
  lease: Pick<Lease, 'status'> | null = null,
): CheckpointNotifier {
  let polling = false;
  const notifier = createCheckpointNotifier(clock, null, () => {
    if (polling || lease?.status.state === 'holding') return;
    polling = true;
    void poll();
  });
  async function poll(): Promise<void> {
    const checkpoint = await models.checkpoint().catch(() => null);
    if (checkpoint !== null) notifier.advance(checkpoint);
    polling = notifier.hasWaiters() && lease?.status.state !== 'holding';
    if (polling) clock.after(POLL_MS, () => void poll());
  }
  return notifier;
}
