import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { filterOf, type Filter } from './filter.ts';
import { caughtUpFrame, checkpointFrame, confirmationFrame, eventFrame } from './messages.ts';
import { drained, rpcError, type ReadCall, type World } from './world.ts';

/** Follows `$all` after a position, or from the first event, with a filter. */
export async function followAll(world: World, call: ReadCall, options: ReadReq.Options): Promise<void> {
  const position = options.getAll()?.getPosition();
  const filter = filterOf(options);
  if (filter === null) throw new Error('a subscription without a filter');
  const start =
    position === undefined ? 0 : world.log.indexOf(Number(position.getCommitPosition()), { exclusive: true });
  const skipped = position === undefined ? 0 : skippedBy(world, filter, start);
  await new Subscription(world, call, { filter, start: start + skipped }).run();
}

/**
 * How many events 23.10 passes over at the start of a filtered subscription: up to the first match in its window, that
 * one included, unless the event at the given position matches.
 */
function skippedBy({ log, version }: World, { matches, window }: Filter, start: number): number {
  const given = log.entries[start - 1];
  if (version !== '23.10' || given === undefined || matches(given)) return 0;
  return 1 + log.entries.slice(start, start + window).findIndex(matches);
}

/** One open subscription: catches up, then follows the log live. */
export class Subscription {
  readonly #world: World;
  readonly #call: ReadCall;
  readonly #filter: Filter;
  #next: number;
  #live = false;
  #dropped = false;
  /** Events looked at. */
  #considered = 0;
  #wake: () => void = () => undefined;

  /** `start` is the index in the log of the first event to look at. */
  constructor(world: World, call: ReadCall, { filter, start }: { readonly filter: Filter; readonly start: number }) {
    this.#world = world;
    this.#call = call;
    this.#filter = filter;
    this.#next = start;
  }

  /** Ends when the client goes away or the server drops the subscription. */
  async run(): Promise<void> {
    const { log, counters, subscriptions } = this.#world;
    const wake = () => this.#wake();
    const unlisten = log.listen(wake);
    this.#call.on('cancelled', wake);
    subscriptions.add(this);
    counters.add('subscriptions', 1);
    try {
      await this.#send(confirmationFrame(randomUUID()));
      while (!this.#over) await this.#step();
    } finally {
      unlisten();
      subscriptions.delete(this);
      counters.add('subscriptions', -1);
    }
  }

  get #over(): boolean {
    return this.#dropped || this.#call.cancelled;
  }

  /** Looks at the next event, and says how far it has looked when that is due; at the head, goes live and waits. */
  async #step(): Promise<void> {
    const { log, version } = this.#world;
    const entry = log.entries[this.#next];
    if (entry === undefined) {
      const wasLive = this.#live;
      this.#live = true;
      if (wasLive) await new Promise<void>((resolve) => (this.#wake = resolve));
      else if (version !== '22.10') await this.#send(caughtUpFrame());
      return;
    }
    this.#next += 1;
    if (!log.isScavenged(entry) && this.#filter.matches(entry)) await this.#send(eventFrame(entry));
    this.#considered += 1;
    if (this.#considered % this.#filter.checkpointInterval === 0) await this.#send(checkpointFrame(entry.position));
  }

  async #send(frame: Buffer): Promise<void> {
    await this.#world.faults.turn();
    if (this.#over) return;
    if (!this.#call.write(frame)) await drained(this.#call);
  }

  /** Says how far it has looked, whatever that is. */
  checkpoint(position: bigint): void {
    if (!this.#over) this.#call.write(checkpointFrame(position));
  }

  /** What the server does when the consumer is too slow. */
  tooSlow(): void {
    this.#dropped = true;
    const reason = 'Consumer too slow to handle event while live. Client resubscription required.';
    this.#call.emit('error', rpcError(status.ABORTED, reason));
    this.#wake();
  }
}
