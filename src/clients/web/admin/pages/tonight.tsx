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
import { nightOf } from '../tonight/night.ts';
import { Rigs, useRigs } from '../tonight/rigs.tsx';
import { repeatEvent, type Attempt } from '../tonight/sending.ts';
import { useOwnVenue, type OwnVenue } from '../tonight/venue.ts';
import { WellBeing } from '../tonight/wellbeing.tsx';

/** How many of the newest events are looked at, and how often, in ms. */
const EVENTS = { size: 100, everyMs: 5_000 };

/** The start page: what goes on tonight, what is missing, and whether all is well. */
export function TonightPage() {
  const { resource, may } = useSession();
  const venue = useOwnVenue();
  const { loaded, night } = useNight(venue);
  const steps = useSteps();
  const current = night?.running[0] ?? night?.next ?? null;
  const eventId = textOf(current?.['id']);
  const { loaded: rigsLoaded, rigs } = useRigs(venue.id, current);
  const repeat = useRepeat(venue, night?.last ?? null, loaded.reload);
  const mayMake = may(resource('Event')?.create ?? null);
  const isRunning = (night?.running.length ?? 0) > 0;
  return (
    <section class="tonight">
      <header class="page-head">
        <h1>{t(tonight.tonight)}</h1>
        <WellBeing rigs={isRunning ? rigs : []} />
      </header>
      {mayMake && steps.isComplete && (
        <div class="actions">
          {night !== undefined && night.last !== null && !night.hasToday && (
            <Repeat key={textOf(night.last['id'])} event={night.last} onRepeat={repeat} />
          )}
          <Link class="button" to={addressOf('/events/new')}>
            {t(tonight.newNight)}
          </Link>
        </div>
      )}
      <Loading of={loaded} />
      <Loading of={steps.loaded} />
      {night?.running.map((event) => (
        <EventCard key={textOf(event['id'])} event={event} onChanged={loaded.reload} />
      ))}
      {night !== undefined && !isRunning && night.next !== null && (
        <EventCard event={night.next} onChanged={loaded.reload} />
      )}
      {night !== undefined && !isRunning && night.last !== null && (
        <LastEvent event={night.last} onChanged={loaded.reload} />
      )}
      {steps.done !== undefined && !steps.isComplete && <Checklist done={steps.done} />}
      {steps.isComplete && (
        <div class="beside">
          <NewestLaps eventId={eventId} />
          <Rigs loaded={rigsLoaded} rigs={rigs} eventId={eventId} />
        </div>
      )}
    </section>
  );
}

/** Reads the newest events, and sorts them out. */
function useNight({ zone }: OwnVenue) {
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
  const night = loaded.data === undefined ? undefined : nightOf(loaded.data.events, loaded.data.now, zone);
  return { loaded, night };
}

/** Repeats an event; pressed again after a lost answer, it makes nothing twice. */
function useRepeat({ zone }: OwnVenue, event: JsonObject | null, onDone: () => void): () => Promise<void> {
  const { client, resource, names } = useSession();
  const attempt = useRef<Attempt | null>(null);
  return async () => {
    const events = resource('Event');
    if (event === null || events === null) return;
    attempt.current ??= {
      key: newRequestKey(),
      now: await serviceTime(client, `/api/v1/events/${textOf(event['id'])}`),
    };
    await repeatEvent({ client, events, signupFields: resource('SignupField'), zone }, event, attempt.current);
    attempt.current = null;
    names.forget();
    onDone();
  };
}
