import { useMemo, useRef, useState } from 'preact/hooks';
import { objectOf, textOf, type Json, type JsonObject } from '../../shared/json.ts';
import { t, shownZone } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { newRequestKey, Refused } from '../api/client.ts';
import { differs, draftsOf, type Drafts } from '../api/drafts.ts';
import type { Field } from '../api/fields.ts';
import { nameOf, type Resource } from '../api/model.ts';
import { newRecordFields, presetDrafts, withDerived } from '../api/new-record.ts';
import { Form } from '../parts/form.tsx';
import { Loading, useJson } from '../parts/answers.tsx';
import { TokenDialog, tokenIn } from '../parts/dialog.tsx';
import { addressOf, follow, go } from '../router.tsx';
import { useSession, type Session } from '../session.ts';
import type { Collection } from './list.tsx';

/**
 * Sends a request that creates a record, under one `Idempotency-Key` until it has succeeded: when it is sent again
 * after a lost answer, it creates nothing twice.
 * @param fields those of the body
 * @returns throws when there is such a record already, with other values
 */
export function useCreate({ path, resource }: Pick<Collection, 'path' | 'resource'>, fields: readonly Field[]) {
  const { client, names } = useSession();
  const key = useRef(newRequestKey());
  return async (body: JsonObject): Promise<Json | undefined> => {
    const headers = { 'Idempotency-Key': key.current };
    const answer = await client.send('POST', path, { body, headers }).catch((error: unknown) => {
      if (error instanceof Refused && error.code === 'key-reused') throw new Error(t(say.createdBefore));
      throw error;
    });
    key.current = newRequestKey();
    names.forget();
    const kept = (await client.written(answer))?.json;
    // A licence has one participant: a second one is answered with the first, as it is.
    if (answer.status === 200 && fields.some((field) => differs(field, body, objectOf(kept)))) {
      throw new Error(t(say.existsAlready, { name: nameOf(resource, objectOf(kept)) }));
    }
    return kept;
  };
}

interface CreatePageProps {
  readonly collection: Collection;
  readonly query: URLSearchParams;
}

/** The parameter of the address that names the record to begin with. */
export const COPY = 'copy';

/**
 * The form of a new record; with the parameter `copy`, it begins with the values of that one. Other parameters fill in the
 * text fields of these names.
 */
export function CreatePage({ collection, query }: CreatePageProps) {
  const id = query.get(COPY);
  if (id === null) return <NewRecord collection={collection} filledIn={query} />;
  return <CopiedRecord collection={collection} path={`${collection.path}/${encodeURIComponent(id)}`} />;
}

function CopiedRecord({ collection, path }: { readonly collection: Collection; readonly path: string }) {
  const loaded = useJson(path);
  if (loaded.data !== undefined) return <NewRecord collection={collection} copied={objectOf(loaded.data)} />;
  return (
    <section>
      <h1>{t(say.newOf, { of: collection.resource.title })}</h1>
      <Loading of={loaded} />
    </section>
  );
}

interface NewRecordProps {
  readonly collection: Collection;
  /** The record whose values the form begins with. */
  readonly copied?: JsonObject;
  /** Texts that are filled in, by the names of their fields. */
  readonly filledIn?: URLSearchParams;
}

function NewRecord({ collection, copied, filledIn }: NewRecordProps) {
  const { resource, address } = collection;
  const withLicenseFile = useLicenseFiles();
  const [made, setMade] = useState<{ readonly token: string; readonly next: string } | null>(null);
  const form = useNewRecordForm(resource, copied, filledIn);
  const create = useCreate(collection, form.fields);
  const submit = async (body: JsonObject): Promise<void> => {
    const created = await create(await withLicenseFile(body));
    const id = idIn(created, resource);
    const next = addressOf(id === '' ? address : `${address}/${id}`);
    const token = tokenIn(created);
    if (token === null) go(next);
    else setMade({ token, next });
  };
  const cancel = (): void => follow(addressOf(address));
  return (
    <section>
      <h1>{t(say.newOf, { of: resource.title })}</h1>
      <Form
        fields={form.asked}
        more={form.more}
        drafts={form.drafts}
        derive={form.derive}
        submitLabel={t(say.create)}
        onSubmit={submit}
        onCancel={cancel}
      />
      {made !== null && <TokenDialog token={made.token} onClose={() => go(made.next)} />}
    </section>
  );
}

/** Characters of the mark that stands for names without letters, and tells devices of one name apart. */
const MARK_LENGTH = 6;

/**
 * The form of a new record: what it asks for, what it folds away, and what it begins with.
 * @param copied a record whose values it begins with, except those that follow from its name
 * @param filledIn texts that it begins with, by the names of their fields
 */
export function useNewRecordForm(resource: Resource, copied?: JsonObject, filledIn?: URLSearchParams) {
  const session = useSession();
  const mark = useRef(newRequestKey().slice(0, MARK_LENGTH));
  return useMemo(() => {
    const fields = fieldsFor(resource, session);
    const beginning =
      copied === undefined
        ? { ...draftsOf(fields, shownZone()), ...presetDrafts(resource.name, new Date().getFullYear()) }
        : withDerived(resource.name, fields, draftsOf(fields, shownZone(), copied), new Set(), mark.current);
    const drafts = {
      ...beginning,
      ...textsFor(fields, filledIn),
      ...(fields.some(({ name }) => name === LICENSE_FILE) ? { [LICENSE_FILE]: session.licenseId } : {}),
    };
    const derive = (entries: Drafts, made: ReadonlySet<string>): Drafts =>
      withDerived(resource.name, fields, entries, made, mark.current);
    return { fields, drafts, derive, ...newRecordFields(resource.name, fields, drafts) };
  }, [resource, session, copied, filledIn]);
}

/** The texts that an address fills in: those of text fields of this form. */
function textsFor(fields: readonly Field[], filledIn: URLSearchParams | undefined): Drafts {
  const texts = new Map<string, string>();
  for (const { name, kind } of fields) {
    const text = filledIn?.get(name) ?? null;
    if (kind === 'text' && text !== null) texts.set(name, text);
  }
  return Object.fromEntries(texts);
}

/** The id of the created record, which may be nested in the answer: `{ rig, apiKey }`. */
export function idIn(created: Json | undefined, { name, key }: Resource): string {
  const whole = objectOf(created);
  const part = whole[name.charAt(0).toLowerCase() + name.slice(1)];
  return textOf(objectOf(part)[key]) || textOf(whole[key]);
}

const LICENSE_FILE = 'licenseFile';

/** A rig needs a licence file: if the key may make one, the form asks for the licence instead. */
function fieldsFor({ create }: Resource, { model, mayCall }: Session): readonly Field[] {
  const fields = create?.body ?? [];
  const license = model.field('LicenseFile', 'licenseId');
  if (license === null || !mayCall('POST', '/api/v1/licenses/{licenseId}/file')) return fields;
  return fields.map((field) => (field.name === LICENSE_FILE ? { ...license, name: LICENSE_FILE } : field));
}

/** Replaces ids of licences by licence files, one for each: a request that is sent again must be the same. */
export function useLicenseFiles(): (body: JsonObject) => Promise<JsonObject> {
  const { client } = useSession();
  const files = useRef(new Map<string, Json | undefined>());
  return async (body) => {
    const licenseId = body[LICENSE_FILE];
    if (typeof licenseId !== 'string') return body;
    if (!files.current.has(licenseId)) {
      const { json } = await client.send('POST', `/api/v1/licenses/${licenseId}/file`);
      files.current.set(licenseId, json);
    }
    return { ...body, [LICENSE_FILE]: files.current.get(licenseId) };
  };
}
