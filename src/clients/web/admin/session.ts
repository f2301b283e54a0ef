import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { objectOf, objectsOf, textOf, type JsonObject } from '../shared/json.ts';
import { showInstant } from '../shared/page.ts';
import { createClient, Refused, type Client } from './api/client.ts';
import { choicesOf, type Choices } from './api/choices.ts';
import { disabledToo, includes, Model, ROLES, type Operation, type Resource } from './api/model.ts';

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
  const client = createClient(token, onRefusedKey, (name) => model?.labelOf(name));
  const [key, document] = await Promise.all([client.get('/api/v1/api-keys/current'), client.get('/api-docs')]);
  sessionStorage.setItem(STORED, token);
  model = new Model(document.json);
  return sessionOf(client, objectOf(key.json), model);
}

function sessionOf(client: Client, key: JsonObject, model: Model) {
  const role = ROLES.find((one) => one === key['role']) ?? '';
  /** Whether the role is enough for an operation; false if the operation does not exist. */
  const may = (operation: Operation | null): boolean => operation !== null && includes(role, operation.role);
  return {
    client,
    model,
    names: createNames(client, may),
    role,
    keyName: textOf(key['name']),
    may,
    mayCall: (method: string, path: string) => may(model.operation(method, path)),
    resource: (name: string) => model.resources.find((one) => one.name === name) ?? null,
  };
}

/** Names of records; read once for each resource, and again after something was written. */
function createNames(client: Client, may: (operation: Operation | null) => boolean) {
  const known = new Map<string, Promise<Choices>>();
  const recordsOf = async (resource: Resource): Promise<readonly JsonObject[]> => {
    const all = disabledToo(resource, may) ? '?includeDisabled=true' : '';
    if (may(resource.list)) return objectsOf((await client.get(`${resource.path}${all}`)).json);
    return may(resource.current) ? [objectOf((await client.get(`${resource.path}/current`)).json)] : [];
  };
  const read = async (resource: Resource): Promise<Choices> =>
    choicesOf(resource, await recordsOf(resource), showInstant);
  return {
    /** Forgets everything read so far, after something was written. */
    forget: (): void => known.clear(),
    /** All records of a resource that the key may see; disabled ones too, if the key may see them. */
    choices(resource: Resource): Promise<Choices> {
      const found = known.get(resource.name) ?? read(resource);
      known.set(resource.name, found);
      found.catch(() => known.delete(resource.name));
      return found;
    },
  };
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
