/** Somebody who waits for a seat, and since when, ISO 8601. */
export type Waiting = { readonly participantId: string; readonly since: string };

/** A queue with somebody at its end. */
export function queuedIn(queue: readonly Waiting[], waiting: Waiting): readonly Waiting[] {
  return [...dequeuedFrom(queue, waiting.participantId), waiting];
}

/** A queue without somebody; the same one if they do not wait in it. */
export function dequeuedFrom(queue: readonly Waiting[], participantId: string): readonly Waiting[] {
  if (!waitsIn(queue, participantId)) return queue;
  return queue.filter((waiting) => waiting.participantId !== participantId);
}

export function waitsIn(queue: readonly Waiting[], participantId: string): boolean {
  return queue.some((waiting) => waiting.participantId === participantId);
}
