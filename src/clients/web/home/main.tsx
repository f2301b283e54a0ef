import '../shared/theme.css';
import './home.css';
import { render } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import { Button, ThemeSwitch } from '../shared/controls.tsx';
import { api, type Schemas } from '../shared/api.ts';
import { nameApart, tellApart } from '../shared/apart.ts';
import { base } from '../shared/base.ts';
import { linkTo, showInstant, t, timeZone } from '../shared/page.ts';
import { eventStateAt, type EventTimes } from '../shared/event-state.ts';
import { useNow, useRetried } from '../shared/hooks.ts';
import { zoneFor } from '../shared/times.ts';
import common from '../texts/common.json' with { type: 'json' };
import live from '../texts/live.json' with { type: 'json' };
import say from '../texts/home.json' with { type: 'json' };

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

function State({ of, now }: { readonly of: EventTimes; readonly now: number }) {
  const state = eventStateAt(of, now);
  return <span class={`state ${state}`}>{t(live[state])}</span>;
}

function Home() {
  const [pages, setPages] = useState(1);
  const { events, total, failed } = useEvents(pages);
  const names = namesOf(events);
  const now = useNow();
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
      <p role="status">{failed ? t(common.unreachable) : total === undefined ? t(common.loading) : ''}</p>
      {total === 0 && <p class="quiet">{t(say.noEvents)}</p>}
      <ul class="events">
        {events.map(({ id, description, startsAt, venue, ...times }, n) => (
          <li key={id}>
            <a href={linkTo(`/events/${id}`)}>
              <strong>{names[n]}</strong>
              <span class="when">
                <State of={{ startsAt, ...times }} now={now} />
                {startsAt !== null && (
                  <time dateTime={startsAt}>{showInstant(startsAt, timeZone ?? zoneFor(venue?.timeZone ?? null))}</time>
                )}
              </span>
              {description !== '' && <p>{description}</p>}
            </a>
          </li>
        ))}
      </ul>
      {events.length < (total ?? 0) && <Button label={t(say.more)} onClick={() => setPages(pages + 1)} />}
    </main>
  );
}

document.title = t(common.service);
const root = document.getElementById('app');
if (root !== null) render(<Home />, root);
