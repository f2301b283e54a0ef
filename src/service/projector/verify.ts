import { BUILT_IN } from '../resources/built-in.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import { pause } from '../../kernel/ports/system.ts';
import { runExclusively } from './exclusive-job.ts';
import { compare, type CompareResult } from './compare.ts';
import { lineageCheck, inSmallBatches, projectToHead, type DeliveryMap } from './generation-runner.ts';
import { requireRoom, type RebuildOptions } from './rebuild.ts';

/** Options of a verification; the `head` of its progress is the checkpoint of the live documents. */
export type VerifyOptions = Omit<RebuildOptions, 'keepOld'>;

/** Namespace of the documents that the live ones are compared with, and name of the verification's lease. */
export const VERIFY_NAMESPACE = `verify ${BUILT_IN}`;

/**
 * Replays the history into a separate namespace, compares every document of the current generation with it, and drops
 * the namespace. If a killed run has left one, it is dropped first. Services may keep running. Null when `signal`
 * aborts.
 * @throws {AlreadyRunning} naming the process that verifies already.
 * @throws {OtherHistory} when the live documents were made from other events: each of them would differ.
 * @throws {StoreFull} when there is no room for it.
 * @throws {StoreUnavailable}
 */
export function verify(options: VerifyOptions): Promise<CompareResult | null> {
  const { stores, leaseTermMs: termMs, signal } = options;
  const { readStore } = stores;
  return runExclusively({ stores, name: VERIFY_NAMESPACE, termMs, signal }, async (held) => {
    await readStore.drop(VERIFY_NAMESPACE);
    await requireRoom(stores);
    try {
      return await compareCurrent(options, held);
    } finally {
      // When the lease was lost, the next holder drops it, and may use it already.
      if (!held.aborted || signal.aborted) await readStore.drop(VERIFY_NAMESPACE);
    }
  });
}

/** Compares the current generation; starts again if another one becomes current meanwhile. */
async function compareCurrent({ stores, events, onProgress }: VerifyOptions, signal: AbortSignal) {
  const { store, generations, clock } = stores;
  const replayed = await generations.open(VERIFY_NAMESPACE);
  let count = 0;
  const inParts = inSmallBatches(stores);
  /** Delivers the events as if the one at `limit` were the newest. */
  const endingAt = (limit: Position): DeliveryMap =>
    async function* (delivery, signal) {
      for await (const part of inParts(delivery, signal)) {
        if (part.upTo < limit) yield { ...part, caughtUp: false };
        else {
          const events = part.events.filter(({ position }) => position <= limit);
          yield { events, upTo: limit, caughtUp: true };
          while (!signal.aborted) await pause(clock, IDLE_MS, signal);
        }
      }
    };
  /** Continues the replay up to a position and returns it; null when `signal` aborts. */
  async function replay(limit: Position): Promise<Position | null> {
    const options = { ...stores, map: endingAt(limit), events };
    const isComplete = await projectToHead(options, VERIFY_NAMESPACE, signal, (projected, position) => {
      count += projected;
      onProgress({ events: count, position, head: limit });
    });
    return isComplete ? limit : null;
  }
  while (true) {
    const { namespace } = (await generations.refresh()).current;
    const live = await generations.open(namespace);
    await lineageCheck(stores).expectSameAfterLag(live, signal);
    const catchUp = async (): Promise<Position | null> => replay((await live.checkpoint()) ?? 0);
    const compared = await compare({ live, replayed, catchUp, head: () => store.head(), signal });
    if (compared === null || (await generations.refresh()).current.namespace === namespace) return compared;
  }
}

/** Length, in ms, of the repeated pause after the limit, until the subscription is aborted. */
const IDLE_MS = 60_000;
