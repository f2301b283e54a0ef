import { useCallback, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { Button } from '../../shared/controls.tsx';
import { objectOf, sameJson, textOf, type Json, type JsonObject } from '../../shared/json.ts';
import { t, shownZone } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { ifMatch, Refused, type Answer } from '../api/client.ts';
import { differs, draftsOf } from '../api/drafts.ts';
import type { Field } from '../api/fields.ts';
import { nameOf, type Resource } from '../api/model.ts';
import { Confirmed, CopyId } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { History } from '../parts/history.tsx';
import { ActionButton, Loading, useLoaded, type Loaded } from '../parts/answers.tsx';
import { Facts, shownFields, Table, Value } from '../parts/value.tsx';
import { addressOf, go, Link, nameWindow } from '../router.tsx';
import { useSession } from '../session.ts';
import { COPY } from './create.tsx';
import { Extras } from './extras.tsx';
import type { Collection } from './list.tsx';

type Version = ReturnType<typeof versionOf>;

function versionOf({ json, etag }: Answer) {
  return { record: objectOf(json), etag };
}

/** Reads answers as versions of a record. Its times are in the zone of the venue, which a record may say or change. */
function useVersions({ name }: Resource): (answer: Answer) => Version {
  const { zone } = useSession();
  return useCallback(
    (answer) => {
      const version = versionOf(answer);
      if (name === 'Event') zone.showOf(version.record);
      if (name === 'License') zone.follow(version.record);
      return version;
    },
    [name, zone],
  );
}

/** Resources of whose records no two are alike. */
const NOT_COPIED: ReadonlySet<string> = new Set(['ApiKey', 'Lap', 'License', 'Participant']);

/** One record: its form, or its values if the key may not change it, and other actions. */
export function RecordPage({ collection, id }: { readonly collection: Collection; readonly id: string }) {
  const { resource, address } = collection;
  const path = `${collection.path}/${id}`;
  const { client, may, names } = useSession();
  const remove = async (): Promise<void> => {
    await client.send('DELETE', path);
    names.forget();
    go(addressOf(address));
  };
  const toVersion = useVersions(resource);
  const read = useCallback(
    async (signal: AbortSignal) => toVersion(await client.get(path, signal)),
    [client, path, toVersion],
  );
  const loaded = useLoaded(read);
  const { data } = loaded;
  const title = data === undefined ? resource.title : nameOf(resource, data.record);
  useLayoutEffect(() => nameWindow(title), [title]);
  return (
    <section>
      <nav aria-label={t(say.above)}>
        <Link to={addressOf(address)}>← {resource.title}</Link>
      </nav>
      <header class="page-head">
        <h1>{title}</h1>
        {may(resource.create) && !NOT_COPIED.has(resource.name) && (
          <Link class="button" to={addressOf(`${address}/new`, { [COPY]: id })}>
            {t(say.copyRecord)}
          </Link>
        )}
      </header>
      <Loading of={loaded} />
      {data !== undefined && (
        <>
          <Extras
            collection={collection}
            record={data.record}
            id={textOf(data.record[resource.key]) || id}
            reload={loaded.reload}
          />
          {may(resource.change) && <Change collection={collection} path={path} loaded={loaded} version={data} />}
          <CopyId id={textOf(data.record[resource.key]) || id} />
          <Facts fields={factsOf(collection, may(resource.change))} record={data.record} />
          {may(resource.remove) && resource.name !== 'ApiKey' && (
            <Confirmed label={t(say.remove)} onConfirm={remove}>
              <p>{t(say.removeQuestion)}</p>
            </Confirmed>
          )}
          {may(resource.history) && <History key={data.etag} path={path} of={resource} />}
        </>
      )}
    </section>
  );
}

function factsOf({ resource }: Collection, isChangeable: boolean): readonly Field[] {
  const inForm = new Set(isChangeable ? (resource.change?.body ?? []).map(({ shownAs }) => shownAs) : []);
  return shownFields(resource.view).filter(({ name, nameOf: named }) => !inForm.has(name) && !inForm.has(named));
}

interface ChangeProps {
  readonly collection: Collection;
  readonly path: string;
  readonly version: Version;
  readonly loaded: Loaded<Version>;
}

/** The changed fields, and the record after somebody else's change in the meantime. */
interface Clash {
  readonly mine: JsonObject;
  readonly theirs: Version;
}

/** Sends changes of a record; each applies only to the version that it was made from. */
function useChange(resource: Resource, path: string, fields: readonly Field[], loaded: Loaded<Version>) {
  const { client, names } = useSession();
  const toVersion = useVersions(resource);
  const [clash, setClash] = useState<Clash | null>(null);
  const [message, setMessage] = useState('');
  const [saves, setSaves] = useState(0);
  const takeTheirs = (theirs: Version): void => {
    setClash(null);
    loaded.show(theirs);
  };
  const send = async (mine: JsonObject, onto: Version): Promise<void> => {
    setMessage('');
    try {
      const answer = await client.send('PATCH', path, { body: mine, headers: ifMatch(onto.etag) });
      names.forget();
      const shown = await client.written(answer, onto.etag);
      setClash(null);
      setSaves((before) => before + 1);
      if (shown === null) loaded.reload();
      else loaded.show(toVersion(shown));
      setMessage(t(shown === null ? say.savedUnseen : say.saved));
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 412) throw error;
      const theirs = toVersion(await client.get(path));
      // The change was sent again after a lost answer: the record already has its values.
      if (!fields.some((field) => differs(field, mine, theirs.record))) {
        takeTheirs(theirs);
        setMessage(t(say.saved));
      } else setClash({ mine, theirs });
    }
  };
  return { clash, message, saves, setMessage, send, takeTheirs };
}

/** The form of a record. It sends only changed fields, and only for the version that is shown. */
function Change({ collection: { resource }, path, version, loaded }: ChangeProps) {
  const fields = useMemo(() => resource.change?.body ?? [], [resource]);
  const { clash, message, saves, setMessage, send, takeTheirs } = useChange(resource, path, fields, loaded);
  const drafts = useMemo(() => draftsOf(fields, shownZone(), version.record), [fields, version]);
  const submit = async (body: JsonObject): Promise<void> => {
    const changed = fields.filter((field) => differs(field, body, version.record));
    // Some a change always has to include.
    const sent = fields.filter((field) => field.required || changed.includes(field));
    if (changed.length === 0) setMessage(t(say.nothingChanged));
    else await send(Object.fromEntries(sent.map(({ name }) => [name, body[name]])), version);
  };
  return (
    <>
      <p role="status" class="said">
        {message}
      </p>
      {clash !== null && (
        <Conflict fields={fields} clash={clash} send={send} takeTheirs={takeTheirs} base={version.record} />
      )}
      <Form
        key={`${String(version.etag)} ${saves}`}
        changesOnly
        fields={fields}
        drafts={drafts}
        submitLabel={t(say.save)}
        onSubmit={submit}
      />
    </>
  );
}

interface ConflictProps extends Pick<ReturnType<typeof useChange>, 'send' | 'takeTheirs'> {
  readonly fields: readonly Field[];
  /** The record from which the change was made. */
  readonly base: JsonObject;
  readonly clash: Clash;
}

/** Both versions of a record that two people changed at the same time, and the choice between them. */
function Conflict({ fields, base, clash: { mine, theirs }, send, takeTheirs }: ConflictProps) {
  const versions = fields.map((field) => {
    const was = base[field.shownAs];
    return { field, was, mineIs: field.name in mine ? mine[field.name] : was, theirsIs: theirs.record[field.shownAs] };
  });
  const changed = versions.filter(({ was, mineIs, theirsIs }) => !sameJson(mineIs, was) || !sameJson(theirsIs, was));
  return (
    <div class="conflict" role="alert">
      <h2>{t(say.conflict)}</h2>
      <p>{t(say.conflictMeaning)}</p>
      <Table label={t(say.conflict)} headings={[t(say.field), t(say.mine), t(say.theirs)]}>
        {changed.map(({ field, was, mineIs, theirsIs }) => (
          <tr key={field.name}>
            <th scope="row">{field.label}</th>
            <Side field={field} value={mineIs} was={was} />
            <Side field={field} value={theirsIs} was={was} />
          </tr>
        ))}
      </Table>
      <div class="actions">
        <Button label={t(say.takeTheirs)} kind="primary" onClick={() => takeTheirs(theirs)} />
        <ActionButton label={t(say.applyMine)} onAction={() => send(mine, theirs)} />
      </div>
    </div>
  );
}

function Side({ was, ...side }: Parameters<typeof Value>[0] & { readonly was: Json | undefined }) {
  const shown = <Value {...side} whole />;
  return <td>{sameJson(side.value, was) ? shown : <strong>{shown}</strong>}</td>;
}
