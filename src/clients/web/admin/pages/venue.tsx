import { useMemo } from 'preact/hooks';
import { objectOf, type JsonObject } from '../../shared/json.ts';
import { browserZone, shownZone, t } from '../../shared/page.ts';
import tonight from '../../texts/tonight.json' with { type: 'json' };
import say from '../../texts/admin.json' with { type: 'json' };
import { ifMatch } from '../api/client.ts';
import { draftsOf } from '../api/drafts.ts';
import type { Resource } from '../api/model.ts';
import { Loading } from '../parts/answers.tsx';
import { Form } from '../parts/form.tsx';
import { addressOf, follow, go } from '../router.tsx';
import { useSession } from '../session.ts';
import { nameOfVenue, useOwnLicense } from '../tonight/own-license.ts';

/** What the form asks for, in this order. */
const ASKED: readonly string[] = ['displayName', 'timeZone', 'logo', 'accentColor'];

/** What the pages show of the venue: settings of the licence of the key. */
export function VenuePage() {
  const { resource } = useSession();
  const loaded = useOwnLicense();
  const licenses = resource('License');
  return (
    <section>
      <h1>{t(tonight.venue)}</h1>
      <p class="quiet">{t(tonight.venueMeaning)}</p>
      <Loading of={loaded} />
      {loaded.data !== undefined && licenses !== null && <VenueForm licenses={licenses} license={loaded.data} />}
    </section>
  );
}

interface VenueFormProps {
  readonly licenses: Resource;
  readonly license: { readonly record: JsonObject; readonly etag: string | null };
}

function VenueForm({ licenses, license: { record, etag } }: VenueFormProps) {
  const { client, licenseId, names, role, zone } = useSession();
  const fields = useMemo(() => {
    const all = licenses.change?.body ?? [];
    // The name of a licence is changed by ADMIN only.
    const asked = role === 'ADMIN' ? ASKED : ASKED.filter((name) => name !== 'displayName');
    return asked.flatMap((name) => all.filter((field) => field.name === name));
  }, [licenses, role]);
  const drafts = useMemo(() => {
    const stored = draftsOf(fields, shownZone(), record);
    return { ...stored, displayName: nameOfVenue(record), timeZone: stored['timeZone'] || browserZone() };
  }, [fields, record]);
  const save = async (body: JsonObject): Promise<void> => {
    const answer = await client.send('PATCH', `/api/v1/licenses/${licenseId}`, { body, headers: ifMatch(etag) });
    const shown = await client.written(answer, etag);
    zone.follow(objectOf(shown?.json ?? answer.json));
    names.forget();
    go(addressOf(''));
  };
  return (
    <>
      {role !== 'ADMIN' && <p>{nameOfVenue(record)}</p>}
      <Form
        fields={fields}
        drafts={drafts}
        submitLabel={t(say.save)}
        onSubmit={save}
        onCancel={() => follow(addressOf(''))}
      />
    </>
  );
}
