import { numberOf, objectOf, objectsOf, textOf } from '../../shared/json.ts';
import { showClock, t } from '../../shared/page.ts';
import { lapTime } from '../../shared/times.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import tonight from '../../texts/tonight.json' with { type: 'json' };
import { Loading, useJson } from '../parts/answers.tsx';
import { addressOf, Link } from '../router.tsx';

/** How many of the newest laps are shown, and how often, in ms, they are requested. */
const NEWEST = { laps: 8, everyMs: 2_000 };

/** The newest laps of an event, or, without one, of all. */
export function NewestLaps({ eventId }: { readonly eventId: string }) {
  const asked = new URLSearchParams({ size: String(NEWEST.laps), sort: 'createdAt,desc' });
  if (eventId !== '') asked.set('eventId', eventId);
  const loaded = useJson(`/api/v1/laps/paged?${asked.toString()}`, NEWEST.everyMs);
  const laps = objectsOf(objectOf(loaded.data)['content']);
  return (
    <section class="newest-laps">
      <header class="page-head">
        <h2>{t(tonight.newestLaps)}</h2>
        <Link to={addressOf('/review', { eventId })}>{t(say.review)}</Link>
      </header>
      <Loading of={loaded} />
      {loaded.data !== undefined && laps.length === 0 && <p class="empty">{t(say.noLaps)}</p>}
      <ul class="rows">
        {laps.map((lap) => (
          <li key={textOf(lap['id'])} class={lap['valid'] === true ? '' : 'invalid'}>
            <time class="quiet numbers" dateTime={textOf(lap['createdAt'])}>
              {showClock(textOf(lap['createdAt']))}
            </time>
            <bdi>{textOf(lap['participantName'])}</bdi>
            <span class="quiet">{textOf(lap['rigName'])}</span>
            <Link class="numbers" to={addressOf(`/laps/${textOf(lap['id'])}`)}>
              {lapTime(numberOf(lap['totalTime']) ?? null)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
