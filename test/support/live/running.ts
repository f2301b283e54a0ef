import { setMaxListeners } from 'node:events';
import { systemClock } from '../../../infra/system/system.ts';
import { builtInProjections } from '../../../src/service/resources/built-in.ts';
import type { EventStore } from '../../../src/kernel/ports/event-store.ts';
import type { Clock } from '../../../src/kernel/ports/system.ts';
import type { CheckpointWaiter } from '../../../src/kernel/projection/checkpoint-waiter.ts';
import { collectionsOf, ProjectionRunner } from '../../../src/kernel/projection/projection-runner.ts';
import { FairTurns } from '../../../src/service/http/fair-turns.ts';
import { Live, type LiveRequest } from '../../../src/service/live/live.ts';
import type { AnyRequester, Usage } from '../../../src/service/http/requester.ts';
import type { Turns } from '../../../src/service/live/board-turns.ts';
import { memoryReadStore } from '../read-store/memory-read-store.ts';
import { settled } from '../kernel/manual-clock.ts';
import { PATIENCE_MS } from '../processes/waits.ts';
import { parseMarkedPosition } from '../../../src/service/http/marked-position.ts';
import { parseBlock, type LiveEvent } from './events.ts';

/** Live boards over stores in memory, which are projected as events come. */
export type RunningLive = Awaited<ReturnType<typeof runLive>>;

/** Options of live boards in a test. */
export interface RunningOptions {
  readonly clock?: Clock;
  /** The event store as the live boards see it. */
  readonly followed?: EventStore;
  /** Called with errors, without which there should be none. */
  readonly onError?: (error: unknown) => void;
}

/** Starts them over an event store. */
export async function runLive(
  store: EventStore,
  { clock = systemClock, followed = store, onError }: RunningOptions = {},
) {
  const models = await memoryReadStore().namespace('live', collectionsOf(builtInProjections));
  const runner = new ProjectionRunner({ store, models, projections: builtInProjections, clock: systemClock });
  const stop = new AbortController();
  const ended = runner.run(stop.signal);
  const started: Live[] = [];
  const errors: unknown[] = [];
  /** Live boards that have to load everything, as after a restart. */
  const another = (
    turns: Turns = new FairTurns(),
    checkpointWaiter: Pick<CheckpointWaiter, 'waitFor'> = runner,
  ): Live => {
    const live = new Live({
      store: followed,
      models,
      checkpointWaiter,
      clock,
      turns,
      onError: onError ?? ((error) => errors.push(error)),
    });
    started.push(live);
    return live;
  };
  const live = another();
  /** Waits until the read models have all that was appended. */
  const projected = async (): Promise<void> => {
    const head = await store.head();
    if (head !== null && !(await runner.waitFor(head, PATIENCE_MS))) throw new Error('the projection does not go on');
  };
  await projected();
  return {
    live,
    models,
    another,
    projected,
    watch: (request: LiveRequest, its = live, waiting = STAYS) => Watcher.start(its, request, waiting),
    async stop(): Promise<void> {
      for (const each of started) await each.stop();
      stop.abort();
      await ended;
      if (errors.length > 0) throw new Error('live boards have failed', { cause: errors[0] });
    },
  };
}

/** Request of everything that is on the first layout of an event. */
export function requestOf(eventId: string, { after = null, ...others }: Watching = {}): LiveRequest {
  const position =
    typeof after === 'string' ? parseMarkedPosition(after) : after === null ? null : { position: after, mark: null };
  return { eventId, validOnly: true, after: position, delayMs: 0, replay: null, ...others };
}

/** How a board is watched: `after` a position, or the id of an event. */
export interface Watching extends Partial<Omit<LiveRequest, 'after'>> {
  readonly after?: number | string | null;
}

/** Somebody who waits for as long as it takes. */
export const STAYS: AnyRequester = { address: '192.0.2.1', signal: new AbortController().signal };
setMaxListeners(0, STAYS.signal);

/** What somebody is charged, and whether their share is used up. */
export interface CountedUsage extends Usage {
  readonly charged: { documents: number; bytes: number; sent: number };
  isUsedUp: boolean;
  /** Time, in ms, for which what was begun must wait. */
  rests: number;
  /** Time, in ms, that was worked on what was begun. */
  workedMs: number;
}

export function countedUsage(): CountedUsage {
  return {
    documents: 0,
    bytes: 0,
    sent: 0,
    charged: { documents: 0, bytes: 0, sent: 0 },
    isUsedUp: false,
    rests: 0,
    workedMs: 0,
    requireShare() {
      if (this.isUsedUp) throw new Error('used up');
    },
    settle() {
      for (const of of ['documents', 'bytes', 'sent'] as const) {
        this.charged[of] += this[of];
        this[of] = 0;
      }
    },
    shareMs() {
      return this.rests;
    },
    restMs() {
      return this.rests;
    },
    worked(ms) {
      this.workedMs += ms;
    },
  };
}

/** A reader in this process. */
export class Watcher {
  readonly events: LiveEvent[] = [];
  /** Bytes that it says to have taken not yet. */
  waiting = 0;
  taken: () => void = () => undefined;
  #end: () => void = () => undefined;

  static async start(live: Live, request: LiveRequest, waiting = STAYS): Promise<Watcher> {
    const subscription = await live.watch(request, waiting);
    if (subscription === null) throw new Error('there is no such event');
    const watcher = new Watcher();
    watcher.#end = () => {
      subscription.end();
    };
    subscription.start(watcher);
    return watcher;
  }

  write(bytes: Uint8Array): void {
    const blocks = new TextDecoder().decode(bytes).split('\n\n').slice(0, -1);
    this.events.push(...blocks.map(parseBlock));
  }

  onTaken(listener: () => void): void {
    this.taken = listener;
  }

  end(): void {
    this.#end();
  }
}

/** Lets everything go on until nothing is left to do but wait for the clock. */
export async function quiet(): Promise<void> {
  for (let n = 0; n < 20; n += 1) await settled();
}

/** The events of a stream by change, without signs of life. */
export function changesIn(events: readonly LiveEvent[]): readonly (readonly LiveEvent[])[] {
  const changes: LiveEvent[][] = [[]];
  for (const event of events.filter(({ event: kind }) => kind !== 'heartbeat')) {
    changes.at(-1)?.push(event);
    if (event.id !== null) changes.push([]);
  }
  return changes.filter((change) => change.length > 0);
}
