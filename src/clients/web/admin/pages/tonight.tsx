import { useCallback, useRef } from 'preact/hooks';
import { objectOf, objectsOf, textOf, type JsonObject } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import tonight from '../../texts/tonight.json' with { type: 'json' };
import { newRequestKey, serviceTime } from '../api/client.ts';
import { disabledToo } from '../api/model.ts';
import { Loading, useLoaded } from '../parts/answers.tsx';
import { addressOf, Link } from '../router.tsx';
import { useSession } from '../session.ts';
import { Checklist, useSteps } from '../tonight/checklist.tsx';
import { EventCard, LastEvent, Repeat } from '../tonight/events.tsx';
import { NewestLaps } from '../tonight/laps.tsx';
import { nightOf, type Night } from '../tonight/night.ts';
import { Rigs, useRigs } from '../tonight/rigs.tsx';
import { repeatEvent, type Attempt } from '../tonight/sending.ts';
import { useVenueStep, VenueNotice } from '../tonight/venue-step.tsx';
import { WellBeing } from '../tonight/wellbeing.tsx';
import { zoneOfEvent } from '../zone.ts';

/** How many of the newest events are looked at, and how often, in ms. */
const EVENTS = { size: 100, everyMs: 5_000 };

/** The start page: what goes on tonight, what is missing, and whether all is well. */
export function TonightPage() {
  const { licenseId } = useSession();
  const { loaded, night } = useNight();
  const steps = useSteps();
  const venue = useVenueStep();
  const current = night?.running[0] ?? night?.next ?? null;
  const { loaded: rigsLoaded, rigs } = useRigs(licenseId, current);
  const eventId = textOf(current?.['id']);
  const isRunning = current !== null && current['state'] === 'live';
  return (
    <section class="tonight">
      <header class="page-head">
        <h1>{t(tonight.tonight)}</h1>
        <WellBeing rigs={isRunning ? rigs : []} />
      </header>
      {night !== undefined && steps.isComplete && <Beginnings night={night} onChanged={loaded.reload} />}
      {steps.isComplete && venue.isAskedFor && <VenueNotice onLeaveOut={venue.leaveOut} />}
      <Loading of={loaded} />
      <Loading of={steps.loaded} />
      {night !== undefined && <Events night={night} onChanged={loaded.reload} />}
      {steps.done !== undefined && !steps.isComplete && (
        <Checklist done={steps.done} venue={venue} onAdded={steps.reload} />
      )}
      {steps.isComplete && (
        <div class="beside">
          <NewestLaps eventId={eventId} />
          <Rigs loaded={rigsLoaded} rigs={rigs} eventId={eventId} />
        </div>
      )}
    </section>
  );
}

interface NightProps {
  readonly night: Night;
  /** Called after an event was made or changed. */
  readonly onChanged: () => void;
}

/** The ways to an event of today: the last one again, or a new one. */
function Beginnings({ night, onChanged }: NightProps) {
  const { resource, may } = useSession();
  const { last, hasToday } = night;
  const repeat = useRepeat(last, onChanged);
  if (!may(resource('Event')?.create ?? null)) return null;
  return (
    <div class="actions">
      {last !== null && !hasToday && <Repeat key={textOf(last['id'])} event={last} onRepeat={repeat} />}
      <Link class="button" to={addressOf('/night')}>
        {t(tonight.newNight)}
      </Link>
    </div>
  );
}

/** The events that go on; where none does, the next one and the last one. */
function Events({ night: { running, next, last }, onChanged }: NightProps) {
  if (running.length === 0) {
    return (
      <>
        {next !== null && <EventCard event={next} onChanged={onChanged} />}
        {last !== null && <LastEvent event={last} onChanged={onChanged} />}
      </>
    );
  }
  return (
    <>
      {running.map((event) => (
        <EventCard key={textOf(event['id'])} event={event} onChanged={onChanged} />
      ))}
    </>
  );
}

/** Reads the newest events, and sorts them out. */
function useNight() {
  const { client, resource, may } = useSession();
  const events = resource('Event');
  const all = events !== null && disabledToo(events, may) ? '&includeDisabled=true' : '';
  const path = `/api/v1/events/paged?size=${EVENTS.size}&sort=startsAt,desc${all}`;
  const read = useCallback(
    async (signal: AbortSignal) => {
      const { json, answeredAt } = await client.get(path, signal);
      const now = new Date(answeredAt ?? Date.now()).toISOString();
      return { events: objectsOf(objectOf(json)['content']), now };
    },
    [client, path],
  );
  const loaded = useLoaded(read, EVENTS.everyMs);
  const night = loaded.data === undefined ? undefined : nightOf(loaded.data.events, loaded.data.now, zoneOfEvent);
  return { loaded, night };
}

/** Repeats an event; pressed again after a lost answer, it makes nothing twice. */
function useRepeat(event: JsonObject | null, onDone: () => void): () => Promise<void> {
  const { client, resource, names } = useSession();
  const attempt = useRef<Attempt | null>(null);
  return async () => {
    const events = resource('Event');
    if (event === null || events === null) return;
    attempt.current ??= {
      key: newRequestKey(),
      now: await serviceTime(client, `/api/v1/events/${textOf(event['id'])}`),
    };
    await repeatEvent({ client, events, signupFields: resource('SignupField') }, event, attempt.current);
    attempt.current = null;
    names.forget();
    onDone();
  };
}
