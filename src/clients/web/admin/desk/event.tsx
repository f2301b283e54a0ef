import type { ComponentChildren } from 'preact';
import { useCallback } from 'preact/hooks';
import { objectOf, objectsOf, textOf, type JsonObject } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import desk from '../../texts/desk.json' with { type: 'json' };
import { disabledToo } from '../api/model.ts';
import { Loading, useLoaded } from '../parts/answers.tsx';
import { Picker } from '../parts/picker.tsx';
import { addressOf, follow, Link } from '../router.tsx';
import { useSession } from '../session.ts';
import { nightOf } from '../tonight/night.ts';
import { zoneOfEvent } from '../zone.ts';

/** How many of the newest events are looked at. */
const NEWEST = 100;

/** The event that the desk works for: the one in the address, otherwise that of tonight. */
function useDeskEvent(query: URLSearchParams) {
  const { client, resource, may, licenseId, zone } = useSession();
  const events = resource('Event');
  const all = events !== null && disabledToo(events, may) ? '&includeDisabled=true' : '';
  const named = query.get('eventId') ?? '';
  const read = useCallback(
    async (signal: AbortSignal): Promise<JsonObject | null> => {
      if (named !== '') return objectOf((await client.get(`/api/v1/events/${encodeURIComponent(named)}`, signal)).json);
      const path = `/api/v1/events/paged?size=${NEWEST}&sort=startsAt,desc${all}`;
      const { json, answeredAt } = await client.get(path, signal);
      const now = new Date(answeredAt ?? Date.now()).toISOString();
      const newest = objectsOf(objectOf(json)['content']);
      const own = newest.filter(({ venue }) => objectOf(venue)['id'] === licenseId);
      return tonights(own, now) ?? tonights(newest, now);
    },
    [client, named, licenseId, all],
  );
  const readInItsZone = useCallback(
    async (signal: AbortSignal) => {
      const event = await read(signal);
      if (event !== null && !signal.aborted) zone.showOf(event);
      return event;
    },
    [read, zone],
  );
  const loaded = useLoaded(readInItsZone);
  return { loaded, isKnown: loaded.data !== undefined, event: loaded.data ?? null };
}

/** The event that goes on, or comes next; null: there is none. */
function tonights(events: readonly JsonObject[], now: string): JsonObject | null {
  const { running, next } = nightOf(events, now, zoneOfEvent);
  return running[0] ?? next;
}

interface DeskProps {
  /** Name of the page in the address. */
  readonly page: 'check-in' | 'seats';
  readonly title: string;
  readonly query: URLSearchParams;
  /** Shows the event; what changes it has it read again. */
  readonly children: (event: JsonObject, reload: () => void) => ComponentChildren;
}

/** A page of the desk: its event, which can be chosen, and what it shows of the event. */
export function Desk({ page, title, query, children }: DeskProps) {
  const { loaded, isKnown, event } = useDeskEvent(query);
  const { may, resource } = useSession();
  const id = textOf(event?.['id']);
  return (
    <section class="desk">
      <header class="page-head">
        <h1>{title}</h1>
        <div class="form-field desk-event">
          <label for="desk-event">{t(say.event)}</label>
          <Picker
            id="desk-event"
            refersTo="Event"
            chosen={[id].filter(Boolean)}
            many={false}
            onChange={([eventId = '']) => {
              if (eventId !== '') follow(addressOf(`/${page}`, { eventId }));
            }}
          />
        </div>
      </header>
      <Loading of={loaded} />
      {isKnown && event === null && (
        <div class="empty">
          <p>{t(desk.noEvent)}</p>
          {may(resource('Event')?.create ?? null) && <Link to={addressOf('/events/new')}>{t(desk.newEvent)}</Link>}
        </div>
      )}
      {event !== null && children(event, loaded.reload)}
    </section>
  );
}

/** Whether a check-in for an event needs an e-mail address: a field of its form that must be filled in asks for one. */
export function useAsksForEmail(eventId: string): boolean {
  const { client } = useSession();
  const read = useCallback(
    async (signal: AbortSignal) => {
      const path = `/api/v1/signup-fields/paged?eventId=${encodeURIComponent(eventId)}&size=1000`;
      return objectsOf(objectOf((await client.get(path, signal)).json)['content']);
    },
    [client, eventId],
  );
  const fields = useLoaded(read).data ?? [];
  return fields.some(({ type, required }) => type === 'EMAIL' && required === true);
}
