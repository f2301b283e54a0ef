import type { Delivery } from '../ports/event-store.ts';

/** A delivery in parts, each of which can be continued from, and none of more events than `most` says when its turn comes. */
export function* partsOf({ events, ...end }: Delivery, most: () => number): Generator<Delivery, void> {
  let from = 0;
  for (let size = most(); from + size < events.length; size = most()) {
    const some = events.slice(from, (from += size));
    yield { events: some, upTo: some.at(-1)?.position ?? 0, caughtUp: false };
  }
  yield { ...end, events: events.slice(from) };
}
