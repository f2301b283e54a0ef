import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { id } from '../live/parameters.ts';
import { localName } from '../board/brand.ts';
import { nameApart, tellApart } from '../shared/apart.ts';
import { base } from '../shared/base.ts';
import { Button, Select, ThemeSwitch } from '../shared/controls.tsx';
import { eventStateAt } from '../shared/event-state.ts';
import { useNow } from '../shared/hooks.ts';
import {
  csvDelimiter,
  keepInAddress,
  language,
  linkTo,
  query,
  showDay,
  showInstant,
  showMoment,
  t,
  zoneAt,
} from '../shared/page.ts';
import { gap, lapTime } from '../shared/times.ts';
import common from '../texts/common.json' with { type: 'json' };
import live from '../texts/live.json' with { type: 'json' };
import say from '../texts/results.json' with { type: 'json' };
import { useResults, type LayoutResults, type Results } from './use-results.ts';

/** Drivers on the podium. */
const PODIUM = 3;

/** The page that says why there are no results. */
export function NoResults({ text }: { readonly text: string }) {
  return (
    <main>
      <h1>{text}</h1>
      <a href={linkTo('/')}>{t(common.service)}</a>
    </main>
  );
}

/** The results of an event, of one layout or all, as they are printed. */
export function ResultsPage({ eventId }: { readonly eventId: string }) {
  const { data, failed } = useResults(eventId);
  const [chosen, choose] = useState(() => id(query.get('layout') ?? ''));
  useEffect(() => keepInAddress({ layout: chosen }), [chosen]);
  if (data === null) return <NoResults text={t(live.noEvent)} />;
  if (data === undefined) {
    return (
      <main>
        <h1>{t(say.results)}</h1>
        <p role="status">{t(failed ? common.unreachable : common.loading)}</p>
      </main>
    );
  }
  const shown = data.layouts.filter(({ head }) => chosen === null || head.trackLayoutId === chosen);
  return (
    <main>
      <Heading results={data} failed={failed} />
      <Controls results={data} chosen={chosen} choose={choose} />
      {shown.map((layout) => (
        <Layout key={layout.head.trackLayoutId} layout={layout} title={titleOf(data)} />
      ))}
      <After results={data} chosen={chosen} />
    </main>
  );
}

/** The name of the event in the language of the page, and its day. */
function titleOf({ event }: Results): string {
  const name = localName(event.i18nJson, language) ?? event.name;
  const day = event.startsAt ?? event.finishedAt;
  return day === null ? name : `${name} · ${showDay(day, zoneAt(event.venue))}`;
}

function Heading({ results, failed }: { readonly results: Results; readonly failed: boolean }) {
  const { event } = results;
  const state = eventStateAt(event, useNow());
  const name = localName(event.i18nJson, language) ?? event.name;
  useEffect(() => {
    document.title = `${name} – ${t(say.results)}`;
  }, [name]);
  return (
    <header>
      <p class="kicker">{t(say.results)}</p>
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <p class="facts">
        {event.startsAt !== null && (
          <time dateTime={event.startsAt}>{showInstant(event.startsAt, zoneAt(event.venue))}</time>
        )}
        <span class={`state ${state}`} data-state={state}>
          {t(live[state])}
        </span>
      </p>
      {event.description !== '' && <p class="quiet">{event.description}</p>}
      <p role="status">{failed ? t(common.unreachable) : ''}</p>
    </header>
  );
}

interface ControlsProps {
  readonly results: Results;
  /** Id of a layout; null: all. */
  readonly chosen: string | null;
  readonly choose: (layout: string | null) => void;
}

/** What is not printed. */
function Controls({ results: { event, layouts }, chosen, choose }: ControlsProps) {
  const named = layouts.map(({ head, name }) => ({ id: head.trackLayoutId ?? '', name }));
  const apart = tellApart(named);
  const options = named.map((one) => [one.id, nameApart(one, apart)] as const);
  const csv = `${base}/api/v1/events/${event.id}/results.csv?trackLayoutId=all&bom=true&delimiter=${encodeURIComponent(csvDelimiter)}`;
  return (
    <nav class="controls" aria-label={t(say.results)}>
      {options.length > 1 && (
        <label>
          {t(say.layout)}{' '}
          <Select
            value={chosen ?? ''}
            options={[['', t(say.allLayouts)], ...options]}
            onChange={(layout) => choose(layout === '' ? null : layout)}
          />
        </label>
      )}
      <Button label={t(say.print)} kind="primary" onClick={() => print()} />
      <a class="button" href={linkTo(`/events/${event.id}`)}>
        {t(say.board)}
      </a>
      <a class="button" href={csv} download={`results-${event.slug}.csv`}>
        {t(say.csv)}
      </a>
      <ThemeSwitch />
    </nav>
  );
}

/** The names of drivers with what tells those of one name apart. */
function namesOf(rows: readonly { readonly participantId: string; readonly participantName: string }[]) {
  const named = rows.map(({ participantId, participantName }) => ({ id: participantId, name: participantName }));
  const apart = tellApart(named);
  return new Map(named.map((one) => [one.id, nameApart(one, apart)]));
}

function Layout({ layout, title }: { readonly layout: LayoutResults; readonly title: string }) {
  const { rows, name } = layout;
  const names = namesOf(rows);
  return (
    <section class="layout" aria-label={name}>
      <h2>
        <bdi>{name}</bdi>
      </h2>
      {rows.length === 0 && <p class="quiet">{t(live.noLaps)}</p>}
      {rows.length > 0 && (
        <>
          <ol class="podium" aria-label={t(say.podium)}>
            {rows.slice(0, PODIUM).map(({ participantId, position, bestLap, gapToLeader }) => (
              <li key={participantId}>
                <span class="place">{position}</span>
                <bdi>{names.get(participantId)}</bdi>
                <strong>{lapTime(bestLap.totalTime)}</strong>
                <span class="quiet">{gap(gapToLeader)}</span>
              </li>
            ))}
          </ol>
          <Ranking layout={layout} names={names} title={`${title} · ${name}`} />
          <BestSectors layout={layout} names={names} title={`${title} · ${name}`} />
        </>
      )}
    </section>
  );
}

interface TableProps {
  readonly layout: LayoutResults;
  readonly names: ReadonlyMap<string, string>;
  /** Of the event and the layout: each printed page begins with it. */
  readonly title: string;
}

function Ranking({ layout: { rows, name }, names, title }: TableProps) {
  return (
    <Table
      label={name}
      title={title}
      headings={[t(live.position), t(live.driver), t(say.car), t(live.best), t(live.gap), t(live.laps)]}
    >
      {rows.map(({ participantId, position, bestLap, gapToLeader, laps }) => (
        <tr key={participantId}>
          <td>{position}</td>
          <th scope="row">
            <bdi>{names.get(participantId)}</bdi>
          </th>
          <td>
            <bdi>{`${bestLap.carBrandDisplayName} ${bestLap.carDisplayName}`}</bdi>
          </td>
          <td class="number">{lapTime(bestLap.totalTime)}</td>
          <td class="number">{gap(gapToLeader)}</td>
          <td class="number">{laps}</td>
        </tr>
      ))}
    </Table>
  );
}

function BestSectors({ layout: { head, name }, names, title }: TableProps) {
  const { bestSectors, theoreticalBest } = head;
  if (bestSectors.length === 0) return null;
  return (
    <div class="sectors">
      <h3>{t(say.bestSectors)}</h3>
      <Table
        label={`${t(say.bestSectors)}, ${name}`}
        title={title}
        headings={[t(say.sector), t(live.driver), t(say.time)]}
      >
        {bestSectors.map(({ sector, time, participantId, participantName }) => (
          <tr key={sector}>
            <td>{sector}</td>
            <th scope="row">
              <bdi>{participantId === null ? '' : (names.get(participantId) ?? participantName)}</bdi>
            </th>
            <td class="number">{lapTime(time)}</td>
          </tr>
        ))}
      </Table>
      <p>
        {t(say.theoretical)}: <strong>{lapTime(theoreticalBest)}</strong>
      </p>
    </div>
  );
}

/** The laps that were driven after the finish, apart from the results. */
function After({ results: { event, after }, chosen }: Pick<ControlsProps, 'results' | 'chosen'>) {
  const laps = after.laps.filter(({ trackId }) => chosen === null || trackId === chosen);
  if (event.finishedAt === null || laps.length === 0) return null;
  const names = namesOf(laps);
  return (
    <section class="after" aria-label={t(say.after)}>
      <h2>{t(say.after)}</h2>
      <p class="quiet">{t(say.afterMeaning, { time: showMoment(event.finishedAt, zoneAt(event.venue)) })}</p>
      <Table
        label={t(say.after)}
        title={t(say.after)}
        headings={[t(say.drivenAt), t(live.driver), t(say.layout), t(say.time)]}
      >
        {laps.map(({ id: lapId, participantId, trackDisplayName, totalTime, valid, drivenAt }) => (
          <tr key={lapId}>
            <td>
              <time dateTime={drivenAt}>{showMoment(drivenAt, zoneAt(event.venue))}</time>
            </td>
            <th scope="row">
              <bdi>{names.get(participantId)}</bdi>
            </th>
            <td>
              <bdi>{trackDisplayName}</bdi>
            </td>
            <td class="number">
              {lapTime(totalTime)}
              {!valid && ` (${t(live.invalid)})`}
            </td>
          </tr>
        ))}
      </Table>
      {after.total > after.laps.length && <p>{t(say.more, { number: after.total - after.laps.length })}</p>}
    </section>
  );
}

interface TableShape {
  readonly label: string;
  readonly title: string;
  readonly headings: readonly string[];
  readonly children: ComponentChildren;
}

/** A table whose head is on each printed page, with what it is a table of. */
function Table({ label, title, headings, children }: TableShape) {
  return (
    <table aria-label={label}>
      <thead>
        <tr class="of-page" aria-hidden="true">
          <td colSpan={headings.length}>
            <bdi>{title}</bdi>
          </td>
        </tr>
        <tr>
          {headings.map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
