import { z } from 'zod';
import { racingEvents } from '../../../projections/racing-events.ts';
import { trackLayouts } from '../../../projections/track-layouts.ts';
import { minimumIn } from '../../../queries/leaderboards/filters.ts';
import { streamOf } from '../kernel/aggregate/decider.ts';
import type { EventStore, RecordedEvent } from '../kernel/ports/event-store.ts';

/** The events that say it at first do not all have it. */
const Minimum = z.object({ minLapTime: z.int().nullable() });

/** The shortest lap, in ms, that counted on a board at some moment: by events, as read models may be ahead of it. */
export async function minimumOf(
  { eventId, trackLayoutId }: { readonly eventId: string; readonly trackLayoutId: string | null },
  store: Pick<EventStore, 'readStream'>,
  hadHappened: (event: RecordedEvent) => boolean,
): Promise<number> {
  const lastOf = async (stream: string): Promise<z.output<typeof Minimum> | null> => {
    let last: z.output<typeof Minimum> | null = null;
    for await (const batch of store.readStream(stream)) {
      for (const event of batch.filter(hadHappened)) last = Minimum.safeParse(event.data).data ?? last;
    }
    return last;
  };
  const layout = trackLayoutId === null ? null : await lastOf(streamOf(trackLayouts.category, trackLayoutId));
  return minimumIn(await lastOf(streamOf(racingEvents.category, eventId)), layout);
}
