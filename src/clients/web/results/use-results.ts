import { useCallback } from 'preact/hooks';
import { layoutName, tracksOf } from '../live/layout-names.ts';
import type { Head, Row } from '../live/messages.ts';
import { api, type Schemas } from '../shared/api.ts';
import { useRetried } from '../shared/hooks.ts';

/** Rows of a page of a board, and most laps after the finish that are listed. */
const PAGE = 1_000;
const MOST_AFTER = 200;

/** The board of one layout, as it is printed. */
export interface LayoutResults {
  readonly head: Head;
  readonly rows: readonly Row[];
  /** With its track. */
  readonly name: string;
}

export interface Results {
  readonly event: Schemas['Event'];
  /** Those of the event with laps, in its order. */
  readonly layouts: readonly LayoutResults[];
  /** The laps that were driven after the finish, the first ones first, and how many there are. */
  readonly after: { readonly laps: readonly Schemas['Lap'][]; readonly total: number };
}

/** The results of an event; `data` is undefined until they are loaded, and null when there is no such event. */
export function useResults(eventId: string) {
  const load = useCallback((signal: AbortSignal) => resultsOf(eventId, signal), [eventId]);
  return useRetried(load);
}

async function resultsOf(eventId: string, signal: AbortSignal): Promise<Results | null> {
  const path = { eventId };
  const { data: event, response } = await api.GET('/api/v1/events/{eventId}', { params: { path }, signal });
  if (response.status === 404 || response.status === 400) return null;
  if (event === undefined) throw new Error('the event was refused');
  const first = await boardOf(eventId, undefined, signal);
  const ids = first.head.layouts.map(({ trackLayoutId }) => trackLayoutId);
  const tracks = await tracksOf(ids, signal);
  const layouts: LayoutResults[] = [];
  for (const { trackLayoutId, trackDisplayName } of first.head.layouts) {
    const isFirst = trackLayoutId === first.head.trackLayoutId;
    const board = isFirst ? first : await boardOf(eventId, trackLayoutId, signal);
    layouts.push({ ...board, name: layoutName(trackDisplayName, tracks.get(trackLayoutId) ?? '') });
  }
  return { event, layouts, after: await lapsAfter(event, signal) };
}

async function boardOf(eventId: string, trackLayoutId: string | undefined, signal: AbortSignal) {
  const rows: Row[] = [];
  for (let page = 0; ; page += 1) {
    const query = { page, size: PAGE, ...(trackLayoutId !== undefined && { trackLayoutId }) };
    const { data } = await api.GET('/api/v1/events/{eventId}/leaderboard', {
      params: { path: { eventId }, query },
      signal,
    });
    if (data === undefined) throw new Error('the board was refused');
    rows.push(...data.content);
    if (data.last) return { head: data.leaderboard, rows };
  }
}

async function lapsAfter(
  { id: eventId, finishedAt }: Schemas['Event'],
  signal: AbortSignal,
): Promise<Results['after']> {
  if (finishedAt === null) return { laps: [], total: 0 };
  // A lap at the very moment counts.
  const drivenFrom = new Date(Date.parse(finishedAt) + 1).toISOString();
  const query = { eventId, drivenFrom, minTotalTime: 1, sort: 'drivenAt,asc', size: MOST_AFTER };
  const { data } = await api.GET('/api/v1/laps/paged', { params: { query }, signal });
  if (data === undefined) throw new Error('the laps were refused');
  return { laps: data.content, total: data.totalElements };
}
