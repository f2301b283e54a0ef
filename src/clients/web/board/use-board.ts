import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { readClassesOfCars, type CarClass, type ClassesOfCars } from '../live/car-classes.ts';
import { layoutName, tracksOf } from '../live/layout-names.ts';
import { boardOf } from '../live/stream.ts';
import { useLive } from '../live/use-live.ts';
import { api, type Schemas } from '../shared/api.ts';
import { useRetried } from '../shared/hooks.ts';
import { keepInAddress, query } from '../shared/page.ts';
import { dressAs } from '../shared/venue.ts';
import { parametersOf, readChoices, type Choices } from './choices.ts';
import { replayClock, replayedAt, type ReplayClock, type View } from './timeline.ts';
import { usePast } from './use-past.ts';

/** What the page of a board shows and lets people choose; its parts take what they need of it. */
export type BoardPage = Readonly<ReturnType<typeof useBoard>>;

export function useBoard(eventId: string) {
  const { facts: event, missing, failed } = useEvent(eventId);
  const [choices, setChoices] = useState(() => readChoices(query));
  useEffect(() => keepInAddress(parametersOf(choices)), [choices]);
  const { view } = choices;
  const { followed, past } = useChosen(eventId, choices);
  const clock = view.kind === 'replay' ? replayClock(view, followed.newest) : null;
  const choose = (chosen: Partial<Choices>): void =>
    setChoices((before) => ({ ...before, view: continued(before.view, clock, chosen), ...chosen }));
  return {
    eventId,
    event,
    choices,
    choose,
    view,
    followed,
    past,
    clock,
    /** The board to be shown: the followed one, or as it was. */
    state: view.kind === 'past' ? (past.state ?? followed.state) : followed.state,
    /** Whether there is no such event. */
    missing: missing || followed.facts.phase === 'missing',
    /** Whether the service did not answer, and is asked again. */
    failed: failed || past.failed,
  };
}

/** The view after another choice than that of a view. */
function continued(view: View, clock: ReplayClock | null, chosen: Partial<Choices>): View {
  // A paused replay has no rows of another layout.
  if (view.kind === 'paused') return { kind: 'past', at: view.at };
  const isOtherBoard = chosen.layout !== undefined || chosen.carClass !== undefined || chosen.delay !== undefined;
  if (view.kind !== 'replay' || clock === null || !isOtherBoard) return view;
  // A replay of another layout or class continues from the current instant.
  return { ...view, from: new Date(replayedAt(clock, Date.now())).toISOString() };
}

/** Follows the chosen board, or reads it as it was. */
function useChosen(eventId: string, { layout, carClass, delay, view }: Choices) {
  const filter = useMemo(() => boardOf(eventId, layout, carClass), [eventId, layout, carClass]);
  const stream = useMemo(() => {
    if (view.kind === 'past' || view.kind === 'paused') return null;
    return { ...filter, delaySeconds: delay, replay: view.kind === 'replay' ? view : undefined };
  }, [filter, delay, view]);
  const request = useMemo(() => (view.kind === 'past' ? { ...filter, asOf: view.at } : null), [filter, view]);
  return { followed: useLive(stream), past: usePast(request) };
}

/** Most sponsors that are shown. */
const MOST_BRANDS = 24;

export type EventFacts = Readonly<NonNullable<Awaited<ReturnType<typeof factsOf>>>>;

/** Facts of an event; `null` until they are loaded. `missing`: the event does not exist. */
function useEvent(eventId: string) {
  const load = useCallback((signal: AbortSignal) => factsOf(eventId, signal), [eventId]);
  const { data, failed } = useRetried(load);
  return { facts: data ?? null, missing: data === null, failed };
}

async function factsOf(eventId: string, signal: AbortSignal) {
  const reading = api.GET('/api/v1/events/{eventId}', { params: { path: { eventId } }, signal });
  const carIdsOf = reading.then(({ data }) => data?.carIds ?? []);
  const [event, classesOfCars] = await Promise.all([reading, readClassesOfCars(carIdsOf, signal)]);
  if (event.response.status === 404 || event.response.status === 400) return null;
  if (event.data === undefined) throw new Error('the event was refused');
  const { carIds, brandIds, trackLayoutIds, venue } = event.data;
  dressAs(venue);
  const [brands, tracks] = await Promise.all([
    Promise.all(brandIds.slice(0, MOST_BRANDS).map((id) => brandOf(id, signal))),
    tracksOf(trackLayoutIds, signal),
  ]);
  return {
    event: event.data,
    brands: brands.flat(),
    classesOfCars,
    /** Classes of its cars, by name. */
    carClasses: classesOf(carIds, classesOfCars),
    /** Names of the tracks of its layouts, by the ids of the layouts. */
    tracks,
  };
}

/** The name of a layout with its track, once that is known. */
export function fullNameOf(event: EventFacts | null, layoutId: string, layout: string): string {
  return layoutName(layout, event?.tracks.get(layoutId) ?? '');
}

async function brandOf(brandId: string, signal: AbortSignal): Promise<readonly Schemas['Brand'][]> {
  const { data } = await api.GET('/api/v1/brands/{brandId}', { params: { path: { brandId } }, signal });
  return data === undefined ? [] : [data];
}

function classesOf(carIds: readonly string[], classesOfCars: ClassesOfCars): readonly CarClass[] {
  const classes = new Map<string, CarClass>();
  for (const carId of carIds) {
    const carClass = classesOfCars.get(carId);
    if (carClass !== undefined) classes.set(carClass.id, carClass);
  }
  return [...classes.values()].sort((a, b) => a.name.localeCompare(b.name));
}
