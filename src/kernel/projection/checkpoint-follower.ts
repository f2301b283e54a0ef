import { createCheckpointNotifier, type CheckpointNotifier } from './checkpoint-waiter.ts';
import type { ReadModels } from '../ports/read-store.ts';
import type { Clock } from '../ports/clock.ts';

/** How often, in ms, the checkpoint is read while somebody waits for it. */
const POLL_MS = 10;

/**
 * Notifier of a group that another process may project: one poll of the checkpoint for all who wait, and none while
 * nobody does or `leads` says that this process projects. A read store that fails meanwhile is asked again; whoever
 * waits is bounded by a wait of their own.
 */
export function createCheckpointFollower(
  models: Pick<ReadModels, 'checkpoint'>,
  clock: Clock,
  leads: () => boolean = () => false,
): CheckpointNotifier {
  let polling = false;
  const notifier = createCheckpointNotifier(clock, null, () => {
    if (polling || leads()) return;
    polling = true;
    void poll();
  });
  async function poll(): Promise<void> {
    const checkpoint = await models.checkpoint().catch(() => null);
    if (checkpoint !== null) notifier.advance(checkpoint);
    polling = notifier.hasWaiters() && !leads();
    if (polling) clock.after(POLL_MS, () => void poll());
  }
  return notifier;
}
