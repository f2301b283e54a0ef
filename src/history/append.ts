import { WrongExpectedRevision } from '../kernel/errors.ts';
import type { NewEvent, Position, RecordedEvent } from '../kernel/event-store.ts';
import { CopyRefused, type Common, type Histories } from './compare.ts';

/** Events that go into the target together: neighbours in the source's order that one command appended. */
interface Append {
  readonly stream: string;
  readonly events: readonly [RecordedEvent, ...RecordedEvent[]];
}

/** What has been copied by now. */
export interface Copied {
  readonly events: number;
  /** Of these, the ones of streams that keep only their newest event. */
  readonly kept: number;
  /** Position in the source up to which everything is in the target; null before the first event. */
  readonly upTo: Position | null;
}

/** How appends go to the target. */
export interface Pace {
  /**
   * True where the target commits appends in the order in which they were called for: then a batch of the source is
   * in flight at once. Else each append waits for the one before it, or the global order would be lost.
   */
  readonly keepsCallOrder: boolean;
}

/**
 * Copies everything after what is common, in order, until the source has nothing more. Yields after each wave of
 * appends, when none is in flight: to stop there loses nothing.
 * @throws {CopyRefused} when someone else has written to the target.
 */
export async function* copyAfter(
  histories: Histories, common: Common, { keepsCallOrder }: Pace,
): AsyncGenerator<Copied, void> {
  const { source, newestOnly } = histories;
  let copied: Copied = { events: 0, kept: 0, upTo: common.source };
  for (let more = true; more;) {
    more = false;
    for await (const batch of source.readAll(copied.upTo)) {
      more = true;
      const appends = groupedByCommand(await worthCopying(histories, batch, common.kept));
      for (const wave of keepsCallOrder ? [appends] : appends.map((append) => [append])) {
        await appendAll(histories, wave);
        copied = withWave(copied, wave, newestOnly);
        yield copied;
      }
      copied = { ...copied, upTo: batch.at(-1)?.position ?? copied.upTo };
    }
  }
}

function withWave(copied: Copied, wave: readonly Append[], newestOnly: Histories['newestOnly']): Copied {
  const events = wave.flatMap((append) => append.events);
  const kept = events.filter(({ stream }) => newestOnly(stream)).length;
  const upTo = events.at(-1)?.position ?? copied.upTo;
  return { events: copied.events + events.length, kept: copied.kept + kept, upTo };
}

/** Drops events of streams that keep only their newest: those that are not the newest, or in the target already. */
async function worthCopying(
  { source, newestOnly }: Histories, batch: readonly RecordedEvent[], there: ReadonlyMap<string, string>,
): Promise<readonly RecordedEvent[]> {
  const worth: RecordedEvent[] = [];
  for (const event of batch) {
    if (!newestOnly(event.stream)) worth.push(event);
    else if (there.get(event.stream) !== event.id) {
      // One that has been followed by another is of no use: the other comes later in the order.
      if ((await source.readNewest(event.stream))?.id === event.id) worth.push(event);
    }
  }
  return worth;
}

function groupedByCommand(events: readonly RecordedEvent[]): readonly Append[] {
  const appends: Append[] = [];
  for (const event of events) {
    const last = appends.at(-1);
    const [first] = last?.events ?? [];
    if (last?.stream === event.stream && first?.metadata.commandId === event.metadata.commandId) {
      appends[appends.length - 1] = { ...last, events: [...last.events, event] };
    } else appends.push({ stream: event.stream, events: [event] });
  }
  return appends;
}

/** Waits for all, so that nothing is in flight when the first failure is thrown. */
async function appendAll({ target, newestOnly }: Histories, wave: readonly Append[]): Promise<void> {
  const ends = await Promise.allSettled(wave.map(({ stream, events }) =>
    target.append(stream, events.map(toNewEvent), newestOnly(stream) ? 'newest_only' : before(events[0]))));
  for (const end of ends) {
    if (end.status === 'rejected') throw explained(end.reason);
  }
}

function toNewEvent({ id, type, data, metadata }: RecordedEvent): NewEvent {
  return { id, type, data, metadata };
}

function before({ revision }: RecordedEvent): number | 'no_stream' {
  return revision === 0 ? 'no_stream' : revision - 1;
}

function explained(error: unknown): unknown {
  if (!(error instanceof WrongExpectedRevision)) return error;
  const place = error.expected === 'no_stream' ? 'absent' : `at revision ${error.expected}`;
  return new CopyRefused(`stream ${error.stream} of the target should be ${place}, and is not`, { cause: error });
}
