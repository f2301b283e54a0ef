import { useNow } from '../../shared/hooks.ts';
import { objectOf, objectsOf, textOf, textsOf, type Json, type JsonObject } from '../../shared/json.ts';
import { locale, showInstant, t } from '../../shared/page.ts';
import tonight from '../../texts/tonight.json' with { type: 'json' };
import { Loading, useJson, type Loaded } from '../parts/answers.tsx';
import { addressOf, Link } from '../router.tsx';

/** How many rigs are shown, and how often, in ms, they and their seats are requested. */
const SHOWN = { rigs: 100, everyMs: 5_000 };

/** How long ago, in ms, a rig may have been seen last: the service notes uses of keys once a minute. */
const SEEN_WITHIN_MS = 150_000;

/** The order of names of rigs: `Rig 2` comes before `Rig 10`. */
const inOrder = new Intl.Collator(undefined, { numeric: true });

/** The rigs of a licence, or those of an event: all that the key sees are read, as an event may have rigs of others. By name. */
export function useRigs(licenseId: string, event: JsonObject | null) {
  const asked = new URLSearchParams({ size: String(SHOWN.rigs) });
  if (event === null && licenseId !== '') asked.set('licenseId', licenseId);
  const loaded = useJson(`/api/v1/rigs/paged?${asked.toString()}`, SHOWN.everyMs);
  const all = objectsOf(objectOf(loaded.data)['content']);
  const used = event === null ? null : textsOf(event['rigIds']);
  const rigs = used === null ? all : all.filter(({ id }) => used.includes(textOf(id)));
  return { loaded, rigs: [...rigs].sort((a, b) => inOrder.compare(rigName(a), rigName(b))) };
}

/** Whether a rig was seen within the last minutes. */
export function isSeen(rig: JsonObject, now: number): boolean {
  const seenAt = Date.parse(textOf(rig['lastSeenAt']));
  return !Number.isNaN(seenAt) && now - seenAt < SEEN_WITHIN_MS;
}

/** The name of a rig; where it has none, the id of its device. */
export function rigName(rig: JsonObject): string {
  return textOf(rig['name']) || textOf(rig['hardwareId']);
}

interface RigsProps {
  readonly loaded: Loaded<Json>;
  readonly rigs: readonly JsonObject[];
  /** Id of the event whose seats are shown; empty: none. */
  readonly eventId: string;
}

/** Rigs, with who sits there and when each was last seen. */
export function Rigs({ loaded, rigs, eventId }: RigsProps) {
  return (
    <section class="rig-states">
      <header class="page-head">
        <h2>{t(tonight.rigs)}</h2>
        <Link to={addressOf('/rigs')}>{t(tonight.allRigs)}</Link>
      </header>
      <Loading of={loaded} />
      {loaded.data !== undefined && rigs.length === 0 && <p class="empty">{t(tonight.noRigs)}</p>}
      {eventId === '' ? <RigList rigs={rigs} seats={[]} /> : <SeatedRigs rigs={rigs} eventId={eventId} />}
    </section>
  );
}

function SeatedRigs({ rigs, eventId }: Pick<RigsProps, 'rigs' | 'eventId'>) {
  const loaded = useJson(`/api/v1/events/${eventId}/seats`, SHOWN.everyMs);
  return <RigList rigs={rigs} seats={objectsOf(loaded.data)} />;
}

function RigList({ rigs, seats }: { readonly rigs: readonly JsonObject[]; readonly seats: readonly JsonObject[] }) {
  const now = useNow(SHOWN.everyMs);
  return (
    <ul class="rows">
      {rigs.map((rig) => {
        const id = textOf(rig['id']);
        const seat = seats.find(({ rigId }) => rigId === id);
        return (
          <li key={id}>
            <Link to={addressOf(`/rigs/${id}`)}>{rigName(rig)}</Link>
            {seat === undefined ? (
              <span class="quiet">{t(tonight.free)}</span>
            ) : (
              <bdi>{textOf(seat['participantName'])}</bdi>
            )}
            <Seen rig={rig} now={now} />
          </li>
        );
      })}
    </ul>
  );
}

/** When a rig was last seen. */
export function Seen({ rig, now }: { readonly rig: JsonObject; readonly now: number }) {
  const seenAt = textOf(rig['lastSeenAt']);
  if (seenAt === '') return <span class="quiet">{t(tonight.neverSeen)}</span>;
  return (
    <time class={isSeen(rig, now) ? 'good' : 'quiet'} dateTime={seenAt} title={showInstant(seenAt)}>
      {isSeen(rig, now) ? t(tonight.seenNow) : t(tonight.seen, { when: timeAgo(now - Date.parse(seenAt)) })}
    </time>
  );
}

const MS_PER_MINUTE = 60_000;
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

/** How long ago something was: `5 minutes ago`. */
function timeAgo(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MS_PER_MINUTE));
  if (minutes < 60) return relative.format(-minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? relative.format(-hours, 'hour') : relative.format(-Math.round(hours / 24), 'day');
}
