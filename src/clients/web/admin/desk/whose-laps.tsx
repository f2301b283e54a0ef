import { useCallback } from 'preact/hooks';
import { Button } from '../../shared/controls.tsx';
import { at, listOf, numberOf, objectOf, objectsOf, textOf, type Json, type JsonObject } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import desk from '../../texts/desk.json' with { type: 'json' };
import type { Client } from '../api/client.ts';
import { Problem, useAction, useLoaded } from '../parts/answers.tsx';
import { useSession } from '../session.ts';
import { rigName } from '../tonight/rigs.tsx';
import { takeSeat } from './seat-changes.ts';

/** How often, in ms, it is asked which laps of free rigs have not come in. */
const EVERY_MS = 5_000;

/** Somebody who is chosen. */
interface Person {
  readonly id: string;
  readonly name: string;
}

interface WhoseLapsProps {
  readonly event: JsonObject;
  /** The rigs on which nobody sits. */
  readonly rigs: readonly JsonObject[];
  readonly chosen: Person | null;
  /** Called when laps were given to somebody, or nobody is chosen. */
  readonly onSaid: (message: string, isDone: boolean) => void;
}

/** Laps of rigs on which nobody sits, which wait until it is said whose they are; nothing where there are none. */
export function WhoseLaps({ event, rigs, chosen, onSaid }: WhoseLapsProps) {
  const { client } = useSession();
  const { busy, failure, run } = useAction();
  const rigIds = rigs.map(({ id }) => textOf(id)).join(' ');
  const read = useCallback(
    async (signal: AbortSignal): Promise<ReadonlyMap<string, number>> => {
      const ids = rigIds.split(' ').filter(Boolean);
      const counts = await Promise.all(
        ids.map(async (id): Promise<[string, number]> => {
          const { json } = await client.get(`/api/v1/rigs/${id}/completeness`, signal);
          return [id, waitingLaps(json)];
        }),
      );
      return new Map(counts);
    },
    [client, rigIds],
  );
  const counts = useLoaded(read, EVERY_MS).data;
  const waiting = rigs.filter(({ id }) => (counts?.get(textOf(id)) ?? 0) > 0);
  if (waiting.length === 0) return null;
  const give = (rig: JsonObject): void => {
    if (chosen === null) {
      onSaid(t(desk.chooseFirst), false);
      return;
    }
    run(async () => {
      const from = await beginningFor(client, event, textOf(rig['id']), chosen.id);
      await takeSeat(client, textOf(rig['id']), { participantId: chosen.id, eventId: textOf(event['id']), from });
      onSaid(t(desk.lapsGiven, { name: chosen.name, rig: rigName(rig) }), true);
    });
  };
  return (
    <section class="whose-laps" aria-labelledby="whose-laps">
      <h2 id="whose-laps">{t(desk.whoseLaps)}</h2>
      <Problem error={failure} />
      <ul aria-live="polite">
        {waiting.map((rig) => (
          <li key={textOf(rig['id'])}>
            <span>{t(desk.lapsWait, { rig: rigName(rig), count: counts?.get(textOf(rig['id'])) ?? 0 })}</span>
            <Button
              label={chosen === null ? t(desk.giveLaps) : t(desk.giveLapsTo, { name: chosen.name })}
              kind={chosen === null ? undefined : 'primary'}
              disabled={busy}
              onClick={() => give(rig)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * How many laps a rig has sent last, since the newest start of its software, that were not recorded. A gap between recorded
 * laps is not among them: the seat had a driver before and after it.
 */
export function waitingLaps(completeness: Json | undefined): number {
  const boots = listOf(objectOf(listOf(at(completeness, 'rigs'))[0])['boots']);
  const { expected, missing } = objectOf(boots.at(-1));
  const [first, last] = listOf(listOf(missing).at(-1));
  const from = numberOf(first);
  const to = numberOf(last);
  if (from === undefined || to === undefined || to !== numberOf(expected)) return 0;
  return to - from + 1;
}

/**
 * Since when somebody has sat on a rig whose newest laps are theirs, ISO 8601: after the last recorded lap of that rig,
 * which was somebody's, and after their own last one, which may have been on another rig; otherwise since the event began.
 */
async function beginningFor(
  client: Pick<Client, 'get'>,
  event: JsonObject,
  rigId: string,
  participantId: string,
): Promise<string> {
  const asked = [`rigId=${rigId}`, `participantId=${participantId}`];
  const ends = await Promise.all(
    asked.map(async (filter) => {
      const { json } = await client.get(`/api/v1/laps/paged?${filter}&size=1&sort=drivenAt,desc`);
      const [newest] = objectsOf(objectOf(json)['content']);
      return newest === undefined ? '' : justAfter(textOf(newest['drivenAt']));
    }),
  );
  const created = textOf(event['createdAt']);
  const starts = textOf(event['startsAt']);
  // People drive before the event begins, too.
  const begins = starts !== '' && starts < created ? starts : created;
  return [begins, ...ends].sort().at(-1) ?? begins;
}

/** The next ms after an instant, ISO 8601. */
function justAfter(instant: string): string {
  return new Date(Date.parse(instant) + 1).toISOString();
}
