import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { filterOf, PAGE_EVENTS, type Filter } from './filter.ts';
import type { Entry } from './entry.ts';
import { caughtUpFrame, checkpointFrame, confirmationFrame, eventFrame, fellBehindFrame } from './messages.ts';
import { drained, rpcError, type OpenSubscription, type ReadCall, type World } from './world.ts';

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

/** One open subscription: catches up page by page, then follows the log live. */
class Subscription {
  readonly #world: World;
  readonly #call: ReadCall;
  readonly #filter: Filter;
  #next: number;
  #live = false;
  /** Events looked at since the last checkpoint message. */
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
    const open: OpenSubscription = {
      tooSlow: () => this.#tooSlow(),
      checkpoint: (position) => {
        if (!this.#over) this.#call.write(checkpointFrame(position));
      },
    };
    const wake = () => this.#wake();
    const unlisten = log.listen(wake);
    this.#call.on('cancelled', wake);
    subscriptions.add(open);
    counters.add('subscriptions', 1);
    try {
      await this.#send(confirmationFrame(randomUUID()));
      while (!this.#over) await (this.#live ? this.#follow() : this.#catchUp());
    } finally {
      unlisten();
      subscriptions.delete(open);
      counters.add('subscriptions', -1);
    }
  }

  #dropped = false;

  get #over(): boolean {
    return this.#dropped || this.#call.cancelled;
  }

  /** One page: until it is full, the search window is used up or the head is reached. */
  async #catchUp(): Promise<void> {
    const { log, version } = this.#world;
    const { window } = this.#filter;
    let sent = 0;
    let considered = 0;
    while (sent < PAGE_EVENTS && considered < window && !this.#over) {
      const entry = log.entries[this.#next];
      if (entry === undefined) break;
      if (await this.#deliver(entry)) sent += 1;
      considered += 1;
    }
    await this.#look(considered);
    if (this.#next < log.entries.length) return;
    this.#live = true;
    this.#considered = 0;
    if (version !== '22.10') await this.#send(caughtUpFrame());
  }

  async #follow(): Promise<void> {
    const entry = this.#world.log.entries[this.#next];
    if (entry === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      return;
    }
    await this.#deliver(entry);
    await this.#look(1);
  }

  /** Moves past an event, sending it when it is wanted. */
  async #deliver(entry: Entry): Promise<boolean> {
    this.#next += 1;
    const wanted = !this.#world.log.isScavenged(entry) && this.#filter.matches(entry);
    if (wanted) await this.#send(eventFrame(entry));
    return wanted;
  }

  /** After `count` more events were looked at: a checkpoint, when one is due. */
  async #look(count: number): Promise<void> {
    this.#considered += count;
    const last = this.#world.log.entries[this.#next - 1];
    if (this.#considered < this.#filter.checkpointInterval || last === undefined) return;
    this.#considered %= this.#filter.checkpointInterval;
    await this.#send(checkpointFrame(last.position));
  }

  async #send(frame: Buffer): Promise<void> {
    if (!this.#world.gate.open) await this.#world.gate.turn();
    if (this.#over) return;
    if (!this.#call.write(frame)) await drained(this.#call);
  }

  #tooSlow(): void {
    if (this.#world.version === '24.10') {
      this.#call.write(fellBehindFrame());
      this.#live = false;
      this.#wake();
      return;
    }
    this.#dropped = true;
    const reason = 'Consumer too slow to handle event while live. Client resubscription required.';
    this.#call.emit('error', rpcError(status.ABORTED, reason));
    this.#wake();
  }
}
