import '../shared/theme.css';
import './home.css';
import { render } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import { Button, ThemeSwitch } from '../shared/controls.tsx';
import { api, type Schemas } from '../shared/api.ts';
import { nameApart, tellApart } from '../shared/apart.ts';
import { base } from '../shared/base.ts';
import { eventStateAt } from '../shared/event-state.ts';
import { linkTo, showDay, showInstant, showTime, t, zoneAt } from '../shared/page.ts';
import { useNow, useRetried } from '../shared/hooks.ts';
import type { Text } from '../shared/language.ts';
import common from '../texts/common.json' with { type: 'json' };
import live from '../texts/live.json' with { type: 'json' };
import say from '../texts/home.json' with { type: 'json' };
import { groupedEvents, type Phase } from './groups.ts';

type RacingEvent = Schemas['Event'];

const PAGE = 50;

function useEvents(pages: number) {
  const [shown, show] = useState<{ readonly events: readonly RacingEvent[]; readonly total?: number }>({ events: [] });
  const load = useCallback(
    async (signal: AbortSignal) => {
      const query = { page: pages - 1, size: PAGE, sort: 'startsAt,desc' };
      const { data } = await api.GET('/api/v1/events/paged', { params: { query }, signal });
      if (data === undefined) throw new Error('the events were refused');
      const { content, totalElements: total } = data;
      show(({ events }) => ({ events: [...events.slice(0, query.page * PAGE), ...content], total }));
    },
    [pages],
  );
  const { failed } = useRetried(load);
  return { ...shown, failed };
}

/** The names of events; of those with one name and one time, each with the end of its id. */
function namesOf(events: readonly RacingEvent[]): readonly string[] {
  const apart = tellApart(events.map(({ id, name, startsAt }) => ({ id, name: `${name} ${startsAt ?? ''}` })));
  return events.map((event) => nameApart(event, apart));
}

function dayOf(event: RacingEvent): string | null {
  return event.startsAt === null ? null : showDay(event.startsAt, zoneAt(event.venue));
}

const PHASES: { readonly [P in Phase]: Text } = {
  running: say.running,
  coming: say.coming,
  undated: say.undated,
  past: say.past,
};

function Home() {
  const [pages, setPages] = useState(1);
  const { events, total, failed } = useEvents(pages);
  const now = useNow();
  const names = new Map(namesOf(events).map((name, n) => [events[n]?.id, name]));
  const groups = groupedEvents(events, now, dayOf);
  const isLoading = total === undefined && !failed;
  return (
    <main>
      <header>
        <h1>{t(say.events)}</h1>
        <nav aria-label={t(common.service)}>
          <a href={linkTo('/admin')}>{t(say.administration)}</a>
          <a href={`${base}/swagger-ui`}>{t(say.documentation)}</a>
          <ThemeSwitch />
        </nav>
      </header>
      <p role="status" class={isLoading ? 'hidden-but-read' : ''}>
        {failed ? t(common.unreachable) : isLoading ? t(common.loading) : ''}
      </p>
      {isLoading && <Frame />}
      {total === 0 && <p class="quiet">{t(say.noEvents)}</p>}
      {groups.map(({ phase, day, events: ofDay }, n) => (
        <section key={`${phase} ${day ?? ''}`} class={phase}>
          {groups[n - 1]?.phase !== phase && <h2>{t(PHASES[phase])}</h2>}
          {day !== null && <h3>{day}</h3>}
          <ul class="events">
            {ofDay.map((event) => (
              <li key={event.id}>
                <EventLink event={event} name={names.get(event.id) ?? event.name} isDayShown={day !== null} now={now} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {events.length < (total ?? 0) && <Button label={t(say.more)} onClick={() => setPages(pages + 1)} />}
    </main>
  );
}

interface EventLinkProps {
  readonly event: RacingEvent;
  readonly name: string;
  /** Whether the day is in a heading above. */
  readonly isDayShown: boolean;
  /** ms */
  readonly now: number;
}

function EventLink({ event, name, isDayShown, now }: EventLinkProps) {
  const { id, description, startsAt } = event;
  const show = isDayShown ? showTime : showInstant;
  const state = eventStateAt(event, now);
  return (
    <a href={linkTo(`/events/${id}`)}>
      <strong>{name}</strong>
      <span class="when">
        <span class={`state ${state}`}>{t(live[state])}</span>
        {startsAt !== null && <time dateTime={startsAt}>{show(startsAt, zoneAt(event.venue))}</time>}
      </span>
      {description !== '' && <p>{description}</p>}
    </a>
  );
}

/** What the page will be like, until the events have been read. */
function Frame() {
  return (
    <ul class="events frame" aria-hidden="true">
      {[1, 2, 3].map((n) => (
        <li key={n} />
      ))}
    </ul>
  );
}

document.title = t(common.service);
const root = document.getElementById('app');
if (root !== null) render(<Home />, root);
