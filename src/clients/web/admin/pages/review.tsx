import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../../shared/controls.tsx';
import { numberOf, objectOf, objectsOf, textOf, type JsonObject } from '../../shared/json.ts';
import { base } from '../../shared/base.ts';
import { showClock, showInstant, t } from '../../shared/page.ts';
import { lapTime } from '../../shared/times.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { afterReading, lapName, NO_LAPS, withLap, type ShownLaps } from '../api/laps.ts';
import type { Resource } from '../api/model.ts';
import { Filters } from '../parts/filters.tsx';
import { History } from '../parts/history.tsx';
import { Loading, useJson, useLoaded, type Loaded } from '../parts/answers.tsx';
import { Picker } from '../parts/picker.tsx';
import { Names, NameIn, namesakesIn, shownFields, type Namesakes, type ShownField } from '../parts/value.tsx';
import { Strike, Undo, Validate } from '../parts/verdict.tsx';
import { addressOf, go, Link } from '../router.tsx';
import { useSession } from '../session.ts';

/** How many of the newest laps are shown at first and more at each step, how many at most, and how often, in ms, they are read. */
const WATCHED = { laps: 50, atMost: 500, everyMs: 2_000 };

/** Windows in which laps are cards, and which are held in a hand. */
const IS_PHONE = '(width < 48rem)';

/** The newest laps of all events or of one, to be struck or validated again. */
export function ReviewPage({ query }: { readonly query: URLSearchParams }) {
  const { resource } = useSession();
  const isPhone = useMedia(IS_PHONE);
  const laps = resource('Lap');
  const filters = (laps?.filters ?? []).filter(({ name }) => name !== 'eventId');
  const kept = [...query].filter(([name]) => name === 'eventId' || filters.some((filter) => filter.name === name));
  const asked = new URLSearchParams(kept).toString();
  const change = (changes: Readonly<Record<string, string>>): void => {
    go(addressOf('/review', { ...Object.fromEntries(kept), ...changes }));
  };
  const eventId = query.get('eventId') ?? '';
  const event = useEventInItsZone(eventId);
  const isZoneKnown = event.data !== undefined;
  const choice = <EventChoice eventId={eventId} onChange={(chosen) => change({ eventId: chosen })} />;
  const narrowing = <Filters filters={filters} query={query} onChange={change} />;
  return (
    <section class="marshal">
      <header class="page-head">
        <h1>{t(say.review)}</h1>
        {!isPhone && choice}
      </header>
      <Loading of={event} />
      {isZoneKnown && !isPhone && narrowing}
      {isZoneKnown && laps !== null && (
        <NewestLaps key={asked} laps={laps} asked={asked} eventId={query.get('eventId')} isPhone={isPhone} />
      )}
      {isPhone && choice}
      {isZoneKnown && isPhone && narrowing}
    </section>
  );
}

/**
 * An event (null: none is named), read before anything is shown: times are in the zone of its venue, and without an event
 * in that of the own venue.
 */
function useEventInItsZone(eventId: string): Loaded<JsonObject | null> {
  const { client, zone } = useSession();
  const read = useCallback(
    async (signal: AbortSignal): Promise<JsonObject | null> => {
      zone.showOwn();
      if (eventId === '') return null;
      const { json } = await client.get(`/api/v1/events/${encodeURIComponent(eventId)}`, signal);
      const event = objectOf(json);
      if (!signal.aborted) zone.showOf(event);
      return event;
    },
    [client, zone, eventId],
  );
  return useLoaded(read);
}

/** Whether a media query holds now. */
function useMedia(query: string): boolean {
  const media = useMemo(() => matchMedia(query), [query]);
  const [holds, setHolds] = useState(media.matches);
  useEffect(() => {
    const changed = (): void => setHolds(media.matches);
    media.addEventListener('change', changed);
    return () => media.removeEventListener('change', changed);
  }, [media]);
  return holds;
}

interface EventChoiceProps {
  readonly eventId: string;
  readonly onChange: (eventId: string) => void;
}

function EventChoice({ eventId, onChange }: EventChoiceProps) {
  return (
    <div class="form-field">
      <label for="review-event">{t(say.event)}</label>
      <Picker
        id="review-event"
        refersTo="Event"
        chosen={[eventId].filter(Boolean)}
        many={false}
        onChange={([one = '']) => onChange(one)}
      />
    </div>
  );
}

/** How long, in ms, to wait for further laps before the list is requested again. */
const GATHER_MS = 250;

/** Calls back when laps arrive on the live stream of an event; laps on other layouts are only polled. */
function useLapsOf(eventId: string | null, onLaps: () => void): void {
  useEffect(() => {
    if (eventId === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stream = new EventSource(`${base}/api/v1/events/${encodeURIComponent(eventId)}/live`);
    stream.addEventListener('lap', () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        onLaps();
      }, GATHER_MS);
    });
    return () => {
      stream.close();
      clearTimeout(timer);
    };
  }, [eventId, onLaps]);
}

interface NewestLapsProps {
  readonly laps: Resource;
  /** The filters, as the query of the API. */
  readonly asked: string;
  readonly eventId: string | null;
  readonly isPhone: boolean;
}

interface Struck {
  readonly lap: JsonObject;
  readonly reason: string;
}

/** The newest laps. While somebody may be about to tap one of them, none of them moves, and newer ones wait. */
function NewestLaps({ laps, asked, eventId, isPhone }: NewestLapsProps) {
  const [size, setSize] = useState(WATCHED.laps);
  const filters = asked === '' ? '' : `${asked}&`;
  const loaded = useJson(`/api/v1/laps/paged?${filters}size=${size}&sort=createdAt,desc`, WATCHED.everyMs);
  useLapsOf(eventId, loaded.reload);
  const list = useRef<HTMLOListElement>(null);
  const [shown, setShown] = useState<ShownLaps>(NO_LAPS);
  const [struck, setStruck] = useState<Struck | null>(null);
  const { data } = loaded;
  useEffect(() => {
    if (data === undefined) return;
    const isInUse = list.current?.matches(':hover, :focus-within') === true;
    setShown((before) => afterReading(before, objectsOf(objectOf(data)['content']), isPhone || isInUse));
  }, [data, isPhone]);
  const showWaiting = (): void => {
    setShown(({ laps: known, waiting }) => ({ laps: [...waiting, ...known], waiting: [] }));
    scrollTo(0, 0);
  };
  const onStruck = useCallback((lap: JsonObject, reason: string) => {
    setShown((before) => withLap(before, lap));
    setStruck({ lap, reason });
  }, []);
  const onValidated = useCallback((lap: JsonObject) => {
    setShown((before) => withLap(before, lap));
    setStruck((before) => (before?.lap['id'] === lap['id'] ? null : before));
  }, []);
  const total = numberOf(objectOf(data)['totalElements']) ?? 0;
  const [newest] = shown.waiting;
  return (
    <>
      <div class="waiting" role="status">
        {newest !== undefined && (
          <Button
            kind="primary"
            label={t(say.waitingLaps, { count: shown.waiting.length, lap: lapName(newest) })}
            onClick={showWaiting}
          />
        )}
      </div>
      <Loading of={loaded} />
      {data !== undefined && shown.laps.length === 0 && total === 0 && <p class="empty">{t(say.noLaps)}</p>}
      <Laps list={list} laps={laps} records={shown.laps} onStruck={onStruck} onValidated={onValidated} />
      {size < WATCHED.atMost && total > size && (
        <Button label={t(say.olderLaps)} onClick={() => setSize(size + WATCHED.laps)} />
      )}
      {struck !== null && (
        <Undo
          key={textOf(struck.lap['id'])}
          lap={struck.lap}
          reason={struck.reason}
          onUndone={onValidated}
          onClose={() => setStruck(null)}
        />
      )}
    </>
  );
}

interface VerdictHandlers {
  readonly onStruck: (lap: JsonObject, reason: string) => void;
  readonly onValidated: (lap: JsonObject) => void;
}

interface LapsProps extends VerdictHandlers {
  readonly list: { current: HTMLOListElement | null };
  readonly laps: Resource;
  readonly records: readonly JsonObject[];
}

function Laps({ list, laps, records, ...handlers }: LapsProps) {
  const fields = useMemo(() => shownFields(laps.view), [laps]);
  const namesakes = namesakesIn(fields, records);
  const [openId, setOpenId] = useState('');
  return (
    <ol ref={list} class="laps" aria-label={laps.title}>
      {records.map((lap) => (
        <LapCard
          key={textOf(lap['id'])}
          laps={laps}
          fields={fields}
          namesakes={namesakes}
          lap={lap}
          isOpen={openId === lap['id']}
          onToggle={() => setOpenId((before) => (before === lap['id'] ? '' : textOf(lap['id'])))}
          {...handlers}
        />
      ))}
    </ol>
  );
}

interface LapCardProps extends VerdictHandlers {
  readonly laps: Resource;
  readonly fields: readonly ShownField[];
  readonly namesakes: Namesakes;
  readonly lap: JsonObject;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** A lap: a card on a phone, a line in a wide window. */
function LapCard({ laps, fields, namesakes, lap, isOpen, onToggle, onStruck, onValidated }: LapCardProps) {
  const { may } = useSession();
  const id = textOf(lap['id']);
  const recordedAt = textOf(lap['createdAt']);
  const isValid = lap['valid'] === true;
  const fieldOf = (name: string): ShownField | undefined => fields.find((field) => field.name === name);
  const nameOf = (name: string) => <NameIn field={fieldOf(name)} record={lap} namesakes={namesakes} />;
  return (
    <li class={isValid ? 'lap' : 'lap invalid'}>
      <div class="lap-line">
        <p class="driver">
          <Link to={addressOf(`/laps/${id}`)}>
            <bdi>{nameOf('participantName')}</bdi>
          </Link>
        </p>
        <p class="time numbers">{lapTime(numberOf(lap['totalTime']) ?? 0)}</p>
        <p class="car">
          <Names refersTo="Car" ids={[textOf(lap['car'])]} />
        </p>
        <p class="rig">
          <Names refersTo="Rig" ids={[textOf(lap['rigId'])]} />
        </p>
        <p class="layout">
          <Names refersTo="TrackLayout" ids={[textOf(lap['trackId'])]} />
        </p>
        <p class="at numbers">
          <time dateTime={recordedAt} title={showInstant(recordedAt)}>
            {showClock(recordedAt)}
          </time>
          {!isValid && <span class="bad"> {t(say.isStruck)}</span>}
        </p>
        <div class="lap-actions">
          {may(laps.history) && <Button label={t(say.history)} aria-expanded={isOpen} onClick={onToggle} />}
          {may(laps.change) && isValid && <Strike lap={lap} onStruck={onStruck} />}
          {may(laps.change) && !isValid && <Validate lap={lap} onValidated={onValidated} />}
        </div>
      </div>
      {isOpen && <History key={textOf(lap['updatedAt'])} path={`/api/v1/laps/${id}`} of={laps} />}
    </li>
  );
}
