import type { Clock } from '../ports/system.ts';
import type { Position } from '../ports/event-store.ts';
import type { ReadModels } from '../ports/read-store.ts';
import type { Lease } from '../lease.ts';

/** The checkpoint of a projection group, and a way to wait for it. */
export interface CheckpointWaiter {
  /** Position up to which every event is reflected in the documents, or null at the start. */
  readonly position: () => Position | null;
  /** Waits at most `ms` milliseconds until `position` is reflected; false when it is not, or the group stops. */
  readonly waitFor: (position: Position, ms: number) => Promise<boolean>;
}

interface Waiter {
  readonly position: Position;
  readonly settle: (reached: boolean) => void;
}

/** A checkpoint waiter that is notified of each new checkpoint. */
export interface CheckpointNotifier extends CheckpointWaiter {
  readonly advance: (position: Position) => void;
  /** Notifies another notifier too: of the checkpoint, and of each new one. */
  readonly forwardTo: (other: Pick<CheckpointNotifier, 'advance'>) => void;
  /** Ends all waits with false, present and future ones, until `resume` or the next `advance`. */
  readonly stop: () => void;
  readonly resume: () => void;
  /** Whether any wait is pending. */
  readonly hasWaiters: () => boolean;
}

/** Creates a notifier that starts at a checkpoint. */
export function createCheckpointNotifier(
  clock: Clock,
  start: Position | null,
  onWait: () => void = () => undefined,
): CheckpointNotifier {
  let checkpoint = start;
  let stopped = false;
  let next: Pick<CheckpointNotifier, 'advance'> | null = null;
  const waiters = new Set<Waiter>();
  return {
    position: () => checkpoint,
    hasWaiters: () => waiters.size > 0,
    waitFor(position, ms) {
      if (checkpoint !== null && checkpoint >= position) return Promise.resolve(true);
      if (stopped || ms <= 0) return Promise.resolve(false);
      return new Promise((resolve) => {
        const waiter: Waiter = {
          position,
          settle: (reached) => {
            cancel();
            waiters.delete(waiter);
            resolve(reached);
          },
        };
        const cancel = clock.after(ms, () => waiter.settle(false));
        waiters.add(waiter);
        onWait();
      });
    },
    advance(position) {
      if (checkpoint === null || position > checkpoint) checkpoint = position;
      stopped = false;
      for (const waiter of waiters) if (waiter.position <= checkpoint) waiter.settle(true);
      next?.advance(position);
    },
    forwardTo(other) {
      next = other;
      if (checkpoint !== null) other.advance(checkpoint);
    },
    stop() {
      stopped = true;
      for (const waiter of waiters) waiter.settle(false);
    },
    resume() {
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
