import { useCallback, useMemo } from 'preact/hooks';
import { objectOf, objectsOf, textOf, textsOf, type Json, type JsonObject } from '../../shared/json.ts';
import { toLocal } from '../../shared/local-times.ts';
import type { Text } from '../../shared/language.ts';
import { locale, t, shownZone } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import tonight from '../../texts/tonight.json' with { type: 'json' };
import type { Drafts } from '../api/drafts.ts';
import type { Field } from '../api/fields.ts';
import type { Resource } from '../api/model.ts';
import { Loading, useLoaded } from '../parts/answers.tsx';
import { Form } from '../parts/form.tsx';
import { addressOf, follow, go } from '../router.tsx';
import { useSession } from '../session.ts';
import { minuteOf } from '../tonight/repeat.ts';
import { useCreate, useNewRecordForm } from './create.tsx';

/** What the form of a new night asks for, in this order. */
const ASKED: readonly { readonly field: string; readonly label: Text }[] = [
  { field: 'name', label: say.name },
  { field: 'startsAt', label: tonight.when },
  { field: 'simulatorId', label: tonight.simulator },
  { field: 'trackLayoutIds', label: tonight.layouts },
  { field: 'carIds', label: tonight.cars },
];

const RIGS = { field: 'rigIds', label: tonight.rigs };

/** What is there to choose from, as far as it decides what the form begins with. */
interface Offer {
  readonly simulatorIds: readonly string[];
  readonly layoutIds: readonly string[];
  /** The rigs of the licence; where it has none, as that of an operator, those of the newest event. */
  readonly rigIds: readonly string[];
  /** The simulator of the newest event; empty: there is none. */
  readonly lastSimulatorId: string;
  /** ISO 8601 */
  readonly now: string;
}

/** *New night*: a short form of an event, which is public at once. */
export function NightPage() {
  const { client, resource, licenseId } = useSession();
  const read = useCallback(
    async (signal: AbortSignal): Promise<Offer> => {
      const get = async (path: string): Promise<Json | undefined> => (await client.get(path, signal)).json;
      const newest = await client.get('/api/v1/events/paged?size=1&sort=startsAt,desc&includeDisabled=true', signal);
      const [last] = objectsOf(objectOf(newest.json)['content']);
      const ownRigIds = idsIn(await get(`/api/v1/rigs?licenseId=${licenseId}`));
      return {
        simulatorIds: idsIn(await get('/api/v1/simulators')),
        layoutIds: idsIn(await get('/api/v1/track-layouts')),
        rigIds: ownRigIds.length > 0 ? ownRigIds : textsOf(last?.['rigIds']),
        lastSimulatorId: textOf(last?.['simulatorId']),
        now: new Date(newest.answeredAt ?? Date.now()).toISOString(),
      };
    },
    [client, licenseId],
  );
  const loaded = useLoaded(read);
  const events = resource('Event');
  return (
    <section>
      <h1>{t(tonight.newNight)}</h1>
      <p class="quiet">{t(tonight.newNightMeaning)}</p>
      <Loading of={loaded} />
      {loaded.data !== undefined && events !== null && <NightForm events={events} offer={loaded.data} />}
    </section>
  );
}

function idsIn(list: Json | undefined): readonly string[] {
  return objectsOf(list).map(({ id }) => textOf(id));
}

function NightForm({ events, offer }: { readonly events: Resource; readonly offer: Offer }) {
  const { fields, drafts, derive } = useNewRecordForm(events);
  const create = useCreate({ resource: events, path: events.path }, fields);
  const { asked, more } = useMemo(() => nightFields(fields, offer), [fields, offer]);
  const begun = useMemo(() => ({ ...drafts, ...draftsFor(offer) }), [drafts, offer]);
  const submit = async (body: JsonObject): Promise<void> => {
    await create(body);
    go(addressOf(''));
  };
  return (
    <Form
      fields={asked}
      more={more}
      drafts={begun}
      derive={derive}
      submitLabel={t(tonight.startNight)}
      onSubmit={submit}
      onCancel={() => follow(addressOf(''))}
    />
  );
}

/** The fields that the form asks for, and the others. The rigs are asked for where there are none. */
function nightFields(fields: readonly Field[], { rigIds }: Offer) {
  const wanted = rigIds.length === 0 ? [...ASKED, RIGS] : ASKED;
  const asked = wanted.flatMap(({ field: name, label }) =>
    fields.filter((field) => field.name === name).map((field) => ({ ...field, label: t(label), description: '' })),
  );
  const more = fields.filter(({ name }) => !asked.some((field) => field.name === name));
  return { asked, more };
}

function draftsFor({ simulatorIds, layoutIds, rigIds, lastSimulatorId, now }: Offer): Drafts {
  const [onlyLayout, ...otherLayouts] = layoutIds;
  const simulatorId = simulatorIds.includes(lastSimulatorId) ? lastSimulatorId : (simulatorIds[0] ?? '');
  const day = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: shownZone() }).format(new Date(now));
  return {
    name: t(tonight.nightName, { day }),
    startsAt: toLocal(minuteOf(now), shownZone()),
    simulatorId,
    trackLayoutIds: onlyLayout !== undefined && otherLayouts.length === 0 ? [onlyLayout] : [],
    rigIds,
    enabled: 'true',
  };
}
