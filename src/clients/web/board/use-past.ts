import { useCallback, useState } from 'preact/hooks';
import { earlierLaps } from '../live/earlier-laps.ts';
import type { Row } from '../live/messages.ts';
import { applyBoard, EMPTY, withEarlierLaps, type BoardState } from '../live/state.ts';
import type { BoardSelection } from '../live/stream.ts';
import { api } from '../shared/api.ts';
import { useRetried } from '../shared/hooks.ts';

const PAGE = 1_000;

/** `asOf`: the moment (ISO 8601). */
type PastRequest = BoardSelection & { readonly asOf: string };

/** How long, in ms, to wait before an instant is requested: a moving slider passes many. */
const SETTLED_MS = 150;

/** `request`: that of `state`; `refused`: looking back at this event costs more than the service allows. */
const NOTHING = { state: null as BoardState | null, request: null as PastRequest | null, refused: false };

/**
 * A board as it was at an instant.
 * @param request keep its identity with `useMemo`; the previous board stays until the answer arrives; null: no board
 */
export function usePast(request: PastRequest | null) {
  const [past, show] = useState(NOTHING);
  const load = useCallback(
    async (signal: AbortSignal): Promise<void> => {
      if (request !== null) await settled(signal);
      const next = request === null ? null : await boardAt(request, signal);
      if (signal.aborted) return;
      show((before) => {
        if (request === null) return NOTHING;
        if (next === null) return { ...before, request, refused: true };
        return { state: { ...next, boards: (before.state?.boards ?? 0) + 1 }, request, refused: false };
      });
    },
    [request],
  );
  /** Whether the last attempt failed, and another one will follow. */
  const { failed } = useRetried(load);
  /** Whether `state` is the requested one; otherwise it is still loading. */
  const arrived = past.request === request;
  return { state: past.state, arrived, refused: arrived && past.refused, failed };
}

/** Waits; throws if the request has been replaced by then. */
async function settled(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
  signal.throwIfAborted();
}

/** The whole board at an instant, with the laps before it; null if the service refuses. */
async function boardAt(request: PastRequest, signal: AbortSignal): Promise<BoardState | null> {
  const { eventId, ...filter } = request;
  const rows: Row[] = [];
  for (let page = 0; ; page += 1) {
    const query = { ...filter, page, size: PAGE };
    const { data, response } = await api.GET('/api/v1/events/{eventId}/leaderboard', {
      params: { path: { eventId }, query },
      signal,
    });
    if (response.status === 400) return null;
    if (data === undefined) throw new Error('the board was refused');
    rows.push(...data.content);
    if (!data.last) continue;
    const { leaderboard: head } = data;
    const state = applyBoard(EMPTY, { head, rows });
    if (head.trackLayoutId === null) return state;
    const shown = { ...request, trackLayoutId: head.trackLayoutId };
    return withEarlierLaps(state, await earlierLaps(shown, request.asOf, signal));
  }
}
