import '../shared/theme.css';
import './home.css';
import { render } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import { Button, ThemeSwitch } from '../shared/controls.tsx';
import { api, type Schemas } from '../shared/api.ts';
import { linkTo, showInstant, t } from '../shared/page.ts';
import { useRetried } from '../shared/hooks.ts';
import common from '../texts/common.json' with { type: 'json' };
import say from '../texts/home.json' with { type: 'json' };

type RacingEvent = Schemas['Event'];

const PAGE = 50;

function useEvents(pages: number) {
  const [listed, setListed] = useState<{ readonly events: readonly RacingEvent[]; readonly total: number } | null>(
    null,
  );
  const load = useCallback(
    async (signal: AbortSignal): Promise<void> => {
      const query = { page: pages - 1, size: PAGE, sort: 'startsAt,desc' };
      const { data } = await api.GET('/api/v1/events/paged', { params: { query }, signal });
      if (data === undefined) throw new Error('the events were refused');
      setListed((before) => ({
        events: [...(before?.events.slice(0, query.page * PAGE) ?? []), ...data.content],
        total: data.totalElements,
      }));
    },
    [pages],
  );
  return { listed, failed: useRetried(load).failed };
}

function Home() {
  const [pages, setPages] = useState(1);
  const { listed, failed } = useEvents(pages);
  return (
    <main>
      <header>
        <h1>{t(say.events)}</h1>
        <nav aria-label={t(common.service)}>
          <a href={linkTo('/admin')}>{t(say.administration)}</a>
          <a href="/swagger-ui">{t(say.documentation)}</a>
          <ThemeSwitch />
        </nav>
      </header>
      <p role="status">{failed ? t(common.unreachable) : listed === null ? t(common.loading) : ''}</p>
      {listed?.events.length === 0 && <p class="quiet">{t(say.noEvents)}</p>}
      <ul class="events">
        {listed?.events.map(({ id, name, description, startsAt }) => (
          <li key={id}>
            <a href={linkTo(`/events/${id}`)}>
              <strong>{name}</strong>
              {startsAt !== null && <time dateTime={startsAt}>{showInstant(startsAt)}</time>}
              {description !== '' && <p>{description}</p>}
            </a>
          </li>
        ))}
      </ul>
      {listed !== null && listed.events.length < listed.total && (
        <Button onClick={() => setPages(pages + 1)}>{t(say.more)}</Button>
      )}
    </main>
  );
}

document.title = t(common.service);
const root = document.getElementById('app');
if (root !== null) render(<Home />, root);
