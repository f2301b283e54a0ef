import { useState } from 'preact/hooks';
import { Button } from '../../shared/controls.tsx';
import { listOf, textOf, textsOf, type Json, type JsonObject } from '../../shared/json.ts';
import { linkTo, showInstant, showTime, t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import live from '../../texts/live.json' with { type: 'json' };
import tonight from '../../texts/tonight.json' with { type: 'json' };
import { serviceTime } from '../api/client.ts';
import { Problem, useAction } from '../parts/answers.tsx';
import { Names } from '../parts/value.tsx';
import { addressOf, Link } from '../router.tsx';
import { useSession } from '../session.ts';
import { zoneOfEvent } from '../zone.ts';
import { changeEvent } from './sending.ts';

interface EventProps {
  readonly event: JsonObject;
  /** Called after a change of the event shows. */
  readonly onChanged: () => void;
}

/** An event that goes on, or that comes next: what it is, and what can be done with it. */
export function EventCard({ event, onChanged }: EventProps) {
  const { client, resource, may } = useSession();
  const { busy, failure, run } = useAction();
  const id = textOf(event['id']);
  const mayChange = may(resource('Event')?.change ?? null);
  const isLive = event['state'] === 'live';
  const send = (body: JsonObject): void =>
    run(async () => {
      await changeEvent(client, id, body);
      onChanged();
    });
  const finish = (): void =>
    run(async () => {
      const finishedAt = await serviceTime(client, `/api/v1/events/${id}`);
      await changeEvent(client, id, { finishedAt });
      onChanged();
    });
  return (
    <article class="event-card">
      <header>
        <h2>
          <Link to={addressOf(`/events/${id}`)}>{textOf(event['name'])}</Link>
        </h2>
        <State of={event} />
        <span class="quiet">{timesOf(event)}</span>
      </header>
      <p class="quiet">
        <Names refersTo="TrackLayout" ids={textsOf(event['trackLayoutIds'])} />
        {' · '}
        {t(tonight.carsAndRigs, { cars: countOf(event['carIds']), rigs: countOf(event['rigIds']) })}
      </p>
      <Problem error={failure} />
      {event['enabled'] === false && (
        <div class="notice actions">
          <span>{t(say.notPublic)}</span>
          {mayChange && <Button label={t(say.publish)} disabled={busy} onClick={() => send({ enabled: true })} />}
        </div>
      )}
      <div class="actions">
        <WallLink id={id} />
        <a class="button" href={linkTo(`/events/${id}/results`)}>
          {t(say.printedResults)}
        </a>
        <Link class="button" to={addressOf('/review', { eventId: id })}>
          {t(say.review)}
        </Link>
        {mayChange && isLive && <Button label={t(say.finish)} disabled={busy} onClick={finish} />}
      </div>
    </article>
  );
}

/** The event that was last, with a way back from *Finish*. */
export function LastEvent({ event, onChanged }: EventProps) {
  const { client, resource, may } = useSession();
  const { busy, failure, run } = useAction();
  const id = textOf(event['id']);
  const finishedAt = textOf(event['finishedAt']);
  const reopen = (): void =>
    run(async () => {
      await changeEvent(client, id, { finishedAt: null });
      onChanged();
    });
  return (
    <article class="event-card past">
      <header>
        <h2>
          <Link to={addressOf(`/events/${id}`)}>{textOf(event['name'])}</Link>
        </h2>
        <State of={event} />
        <span class="quiet">
          {finishedAt === ''
            ? timesOf(event)
            : t(tonight.finishedAt, { time: showInstant(finishedAt, zoneOfEvent(event)) })}
        </span>
      </header>
      <Problem error={failure} />
      <div class="actions">
        <a class="button" href={linkTo(`/events/${id}/results`)}>
          {t(say.printedResults)}
        </a>
        {finishedAt !== '' && may(resource('Event')?.change ?? null) && (
          <Button label={t(tonight.undoFinish)} disabled={busy} onClick={reopen} />
        )}
      </div>
    </article>
  );
}

/** Opens the board of an event in a tab of its own, for the screen of the room. */
export function WallLink({ id }: { readonly id: string }) {
  return (
    <a class="button primary" href={linkTo(`/events/${id}`)} target="_blank" rel="noopener">
      {t(tonight.openWall)}
    </a>
  );
}

function State({ of }: { readonly of: JsonObject }) {
  const state = of['state'] === 'live' || of['state'] === 'upcoming' ? of['state'] : 'finished';
  return (
    <span class={`state ${state}`} data-state={state}>
      {t(live[state])}
    </span>
  );
}

function timesOf(event: JsonObject): string {
  const startsAt = textOf(event['startsAt']);
  const endsAt = textOf(event['endsAt']);
  if (startsAt === '') return '';
  const zone = zoneOfEvent(event);
  const beginning = showInstant(startsAt, zone);
  return endsAt === '' ? beginning : `${beginning} – ${showTime(endsAt, zone)}`;
}

function countOf(list: Json | undefined): number {
  return listOf(list).length;
}

interface RepeatProps {
  readonly event: JsonObject;
  /** Schedules the event again; throws what failed. */
  readonly onRepeat: () => Promise<void>;
}

/** *Repeat last night*, with the name of what is repeated. */
export function Repeat({ event, onRepeat }: RepeatProps) {
  const { busy, failure, run } = useAction();
  const [isDone, setDone] = useState(false);
  const repeat = (): void =>
    run(async () => {
      await onRepeat();
      setDone(true);
    });
  return (
    <div class="repeat">
      <Button label={t(tonight.repeat)} disabled={busy || isDone} onClick={repeat} />
      <span class="hint">{textOf(event['name'])}</span>
      <Problem error={failure} />
    </div>
  );
}
