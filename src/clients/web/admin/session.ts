import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { numberOf, objectOf, objectsOf, textOf, type JsonObject } from '../shared/json.ts';
import { showInstant } from '../shared/page.ts';
import { createClient, Refused, type Client } from './api/client.ts';
import { problemText, sentenceText, words } from './api/words.ts';
import { choicesOf, type Choices, type FoundOptions } from './api/choices.ts';
import { disabledToo, includes, Model, nameOf, ROLES, type Operation, type Resource } from './api/model.ts';
import { createZone, type Zone } from './zone.ts';

/** Where the key is stored: for this tab only, until it closes. */
const STORED = 'key';

export type Session = Readonly<ReturnType<typeof sessionOf>>;

/** The key that this tab has kept since before the page was reloaded, or null. */
export function keptKey(): string | null {
  return sessionStorage.getItem(STORED);
}

export function forgetKey(): void {
  sessionStorage.removeItem(STORED);
}

/**
 * Signs in with a key, and keeps it for the tab.
 * @param onRefusedKey called when the key is no longer accepted
 * @throws {Refused} with status 401 if the key is not valid
 */
export async function signIn(token: string, onRefusedKey: () => void): Promise<Session> {
  let model: Model | null = null;
  const client = createClient(token, onRefusedKey, {
    labelOf: (name) => model?.labelOf(name),
    sentence: sentenceText,
    problem: problemText,
  });
  const [key, document, license] = await Promise.all([
    client.get('/api/v1/api-keys/current'),
    client.get('/api-docs'),
    client.get('/api/v1/licenses/current'),
  ]);
  const zone = createZone(objectOf(license.json));
  // Before a form reads a time: in which zone it is meant stays the same while somebody types.
  zone.showOwn();
  sessionStorage.setItem(STORED, token);
  model = new Model(document.json, words);
  return sessionOf(client, objectOf(key.json), model, zone);
}

function sessionOf(client: Client, key: JsonObject, model: Model, zone: Zone) {
  const role = ROLES.find((one) => one === key['role']) ?? '';
  /** Whether the role is enough for an operation; false if the operation does not exist. */
  const may = (operation: Operation | null): boolean => operation !== null && includes(role, operation.role);
  return {
    client,
    model,
    names: createNames(client, may),
    zone,
    role,
    keyName: textOf(key['name']),
    /** Id of the licence that the key belongs to. */
    licenseId: textOf(key['licenseId']),
    may,
    mayCall: (method: string, path: string) => may(model.operation(method, path)),
    resource: (name: string) => model.resources.find((one) => one.name === name) ?? null,
  };
}

/** Most records that a search shows; more words find fewer. */
const FOUND = 50;

/** Whether a text has a word to search for: more than blanks, hyphens and apostrophes. */
const HAS_WORD = /[^\s\p{Pd}'’‘`]/u;

/**
 * Names of records; read once for each resource, and again after something was written. Of a resource whose records the
 * service finds by their names, only those are read that are searched for or shown.
 */
function createNames(client: Client, may: (operation: Operation | null) => boolean) {
  const known = new Map<string, Promise<Choices>>();
  const recordsOf = async (resource: Resource): Promise<readonly JsonObject[]> => {
    const all = disabledToo(resource, may) ? '?includeDisabled=true' : '';
    if (may(resource.list)) return objectsOf((await client.get(`${resource.path}${all}`)).json);
    return may(resource.current) ? [objectOf((await client.get(`${resource.path}/current`)).json)] : [];
  };
  const read = async (resource: Resource): Promise<Choices> =>
    choicesOf(resource, await recordsOf(resource), showInstant);
  const named = new Map<string, NamedRecords>();
  const namedOf = (resource: Resource): NamedRecords => {
    const records = named.get(resource.name) ?? new NamedRecords(client, resource);
    named.set(resource.name, records);
    return records;
  };
  return {
    /** Forgets everything read so far, after something was written. */
    forget(): void {
      known.clear();
      named.clear();
    },
    /** The records that the service finds by what somebody is typing; for nothing, the newest ones. */
    async find(resource: Resource, typed: string, signal: AbortSignal): Promise<FoundOptions> {
      const id = typed.trim().toLowerCase();
      if (IS_ID.test(id)) {
        const { options } = await namedOf(resource).choices([id]);
        return { options: options.filter((option) => option.id === id), others: 0 };
      }
      const asked = new URLSearchParams({ size: String(FOUND) });
      if (HAS_WORD.test(typed)) asked.set('name', typed);
      else asked.set('sort', 'createdAt,desc');
      const page = objectOf((await client.get(`${resource.path}/paged?${asked.toString()}`, signal)).json);
      const records = objectsOf(page['content']);
      const { options } = choicesOf(resource, records, showInstant);
      namedOf(resource).remember(records);
      return { options, others: (numberOf(page['totalElements']) ?? records.length) - records.length };
    },
    /** Some records of a resource by their ids; those of one name are told apart. */
    named: (resource: Resource, ids: readonly string[]): Promise<Choices> => namedOf(resource).choices(ids),
    /** All records of a resource that the key may see; disabled ones too, if the key may see them. */
    choices(resource: Resource): Promise<Choices> {
      const found = known.get(resource.name) ?? read(resource);
      known.set(resource.name, found);
      found.catch(() => known.delete(resource.name));
      return found;
    },
  };
}

const IS_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Most records that are read at once and looked for others of their names: those of a chooser, not those of a table. */
const FEW = 5;

/** Records of one resource that were read by their ids, or found. */
class NamedRecords {
  readonly #client: Client;
  readonly #resource: Resource;
  readonly #records = new Map<string, JsonObject>();
  /** Ids that are asked for next. */
  #asked = new Set<string>();
  #reading: Promise<void> | null = null;

  constructor(client: Client, resource: Resource) {
    this.#client = client;
    this.#resource = resource;
  }

  remember(records: readonly JsonObject[]): void {
    for (const record of records) this.#records.set(textOf(record[this.#resource.key]), record);
  }

  /** The names of these records, and of all that are known. Calls of one moment are one reading. */
  async choices(ids: readonly string[]): Promise<Choices> {
    const missing = ids.filter((id) => !this.#records.has(id));
    for (const id of missing) this.#asked.add(id);
    if (missing.length > 0) {
      this.#reading ??= Promise.resolve().then(() => this.#read());
      await this.#reading;
    }
    return choicesOf(this.#resource, [...this.#records.values()], showInstant);
  }

  async #read(): Promise<void> {
    const ids = [...this.#asked];
    this.#asked = new Set();
    this.#reading = null;
    await Promise.all(
      ids.map(async (id) => {
        const record = await this.#recordOf(id);
        if (record === null) return;
        this.remember([record]);
        if (ids.length <= FEW) await this.#findNamesakes(record);
      }),
    );
  }

  /** Reads those of the same name, to tell them apart. */
  async #findNamesakes(record: JsonObject): Promise<void> {
    const asked = new URLSearchParams({ name: nameOf(this.#resource, record), size: String(FOUND) });
    try {
      const page = objectOf((await this.#client.get(`${this.#resource.path}/paged?${asked.toString()}`)).json);
      this.remember(objectsOf(page['content']));
    } catch (error) {
      // A name may have more words than can be asked for.
      if (!(error instanceof Refused)) throw error;
    }
  }

  /** One record, or null if there is none. */
  async #recordOf(id: string): Promise<JsonObject | null> {
    try {
      return objectOf((await this.#client.get(`${this.#resource.path}/${encodeURIComponent(id)}`)).json);
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return null;
      throw error;
    }
  }
}

/** Whether a sign-in failed because the key is not valid, and for no other reason. */
export function isRefusedKey(error: unknown): boolean {
  return error instanceof Refused && error.status === 401;
}

export const SessionContext = createContext<Session | null>(null);

/** The session of the page; only for components that are shown after signing in. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('nobody is signed in');
  return session;
}
