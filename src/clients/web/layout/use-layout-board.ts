import { useCallback, useRef, useState } from 'preact/hooks';
import type { Head } from '../live/messages.ts';
import { applyBoard, EMPTY, type BoardState } from '../live/state.ts';
import { api, type Schemas } from '../shared/api.ts';
import { useRetried } from '../shared/hooks.ts';
import { shownZone } from '../shared/page.ts';
import { dressAs } from '../shared/venue.ts';
import { startOf, type Period } from './period.ts';

/** Rows that are read: more than a wall shows. */
const ROWS = 200;

/** How often, in ms, the board is read again. */
const EVERY_MS = 5_000;

/** Which laps of a layout are shown. */
export interface LayoutChoices {
  readonly layoutId: string;
  readonly period: Period;
  /** Id of the licence whose rigs' laps are shown; null: all. */
  readonly licenseId: string | null;
  readonly carClassId: string | null;
}

/** `missing`: there is no such layout. `refused`: the board costs more than the service allows. */
type Outcome = 'shown' | 'missing' | 'refused';

export type LayoutBoardPage = ReturnType<typeof useLayoutBoard>;

/** The board of a layout, which is read again and again. @param choices keep its identity with `useMemo` */
export function useLayoutBoard(choices: LayoutChoices) {
  const [state, show] = useState<BoardState>(EMPTY);
  const [layout, setLayout] = useState<Schemas['TrackLayout'] | null>(null);
  const [venue, setVenue] = useState<Schemas['LayoutLeaderboardHead']['venue']>(null);
  const [outcome, setOutcome] = useState<Outcome>('shown');
  /** Whether the time zone of the venue is known. */
  const isDressed = useRef(false);
  const load = useCallback(
    async (signal: AbortSignal): Promise<void> => {
      const trackLayoutId = choices.layoutId;
      const path = { trackLayoutId };
      if (!isDressed.current) {
        const found = await api.GET('/api/v1/track-layouts/{trackLayoutId}', { params: { path }, signal });
        if (found.response.status === 404) {
          setOutcome('missing');
          return;
        }
        if (found.data === undefined) throw new Error('the layout was refused');
        const seen = await readBoard(choices, null, 1, signal);
        if (seen !== null) {
          dressAs(seen.leaderboard.venue);
          setVenue(seen.leaderboard.venue);
        }
        setLayout(found.data);
        isDressed.current = true;
      }
      const page = await readBoard(choices, startOf(choices.period, Date.now(), shownZone()), ROWS, signal);
      if (signal.aborted) return;
      if (page === null) {
        setOutcome('refused');
        return;
      }
      setOutcome('shown');
      show((before) => applyBoard(before, { head: headOf(page.leaderboard), rows: page.content }));
    },
    [choices],
  );
  const { failed } = useRetried(load, EVERY_MS);
  return { state, layout, venue, outcome, failed };
}

/** A page of a board; null: it costs more than the service allows. */
async function readBoard(
  { layoutId: trackLayoutId, licenseId, carClassId }: LayoutChoices,
  from: string | null,
  size: number,
  signal: AbortSignal,
): Promise<Schemas['LayoutLeaderboard'] | null> {
  const query: { size: number; from?: string; licenseId?: string; carClassId?: string } = { size };
  if (from !== null) query.from = from;
  if (licenseId !== null) query.licenseId = licenseId;
  if (carClassId !== null) query.carClassId = carClassId;
  const { data, response } = await api.GET('/api/v1/track-layouts/{trackLayoutId}/leaderboard', {
    params: { path: { trackLayoutId }, query },
    signal,
  });
  if (response.status === 400) return null;
  if (data === undefined) throw new Error('the board was refused');
  return data;
}

/** The head of the board of an event on this layout, which has the same sectors. */
function headOf({
  trackLayoutId,
  trackDisplayName,
  bestSectors,
  theoreticalBest,
}: Schemas['LayoutLeaderboardHead']): Head {
  return {
    eventId: '',
    eventName: '',
    trackLayoutId,
    trackDisplayName,
    layouts: [],
    bestSectors,
    theoreticalBest,
    asOf: null,
    // Laps on a layout never end.
    state: 'live',
    startsAt: null,
    endsAt: null,
    finishedAt: null,
  };
}
