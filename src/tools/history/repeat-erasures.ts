import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { EventStore, NewEvent } from '../../kernel/ports/event-store.ts';

/** The type of the event that records an erasure. */
const ERASED = 'ParticipantErased';

/** An erasure that another log has recorded, and the stream of the person. */
export interface RecordedErasure {
  readonly stream: string;
  readonly event: NewEvent;
}

const Line = z.object({
  stream: z.string(),
  type: z.string(),
  id: z.uuid(),
  metadata: z.looseObject({
    version: z.int(),
    occurredAt: z.string(),
    commandId: z.string(),
    correlationId: z.string(),
  }),
});

/** Thrown for a list that cannot be read. */
export class NoErasures extends Error {}

/**
 * The erasures in a list: lines of JSON, as the command `events` writes them. Other events are left out.
 * @throws {NoErasures}
 */
export async function erasuresInFile(path: string): Promise<readonly RecordedErasure[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return lines.flatMap((text, n) => {
    const { data, error } = Line.safeParse(parsed(text));
    if (data === undefined) throw new NoErasures(`line ${n + 1} of ${path} is no event`, { cause: error });
    const { stream, type, id, metadata } = data;
    if (type !== ERASED) return [];
    return [{ stream, event: { id, type, data: {}, metadata } }];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The erasures in an event store. */
export async function erasuresIn(store: Pick<EventStore, 'readAll'>): Promise<readonly RecordedErasure[]> {
  const erasures: RecordedErasure[] = [];
  for await (const events of store.readAll(null, [ERASED])) {
    for (const { stream, id, type, data, metadata } of events)
      erasures.push({ stream, event: { id, type, data, metadata } });
  }
  return erasures;
}

/** Appends the erasures to a log that does not have them; returns how many. People of whom it knows nothing are left out. */
export async function repeatErasures(
  store: Pick<EventStore, 'readStream' | 'append'>,
  erasures: readonly RecordedErasure[],
): Promise<number> {
  let repeated = 0;
  for (const { stream, event } of erasures) {
    let revision: number | null = null;
    let isErased = false;
    for await (const events of store.readStream(stream)) {
      revision = events.at(-1)?.revision ?? revision;
      isErased ||= events.some(({ type }) => type === ERASED);
    }
    if (revision === null || isErased) continue;
    await store.append(stream, [event], revision);
    repeated += 1;
  }
  return repeated;
}
