import { type Answer, type Connection, Refused } from '../connection.ts';
import type { ItemResult, RunPhase } from './phases.ts';

/** How the demo reaches the service: a client for each key, and the phase runner. */
export interface Demo {
  readonly connect: (token: string) => Connection;
  readonly phase: RunPhase;
}

export interface Venue extends Demo {
  readonly licenseId: string;
  readonly token: string;
  readonly client: Connection;
}

/** A resource to create; its `name` is the same in each run. */
export interface NewResource<Body> {
  readonly name: string;
  readonly body: Body;
}

export interface CreatedResource extends ItemResult {
  readonly name: string;
  readonly id: string;
}

interface Kind<Body> {
  readonly kind: string;
  readonly post: (request: ReturnType<typeof keyed<Body>>) => Promise<Answer<{ readonly id: string }>>;
}

/** A request with the `Idempotency-Key` by which a repeated run finds what an earlier one created. */
export function keyed<Body>(kind: string, { name, body }: NewResource<Body>) {
  return { body, params: { header: { 'Idempotency-Key': `demo-${kind}-${name}` } } };
}

/** Whether a request created something: a replayed response has a header, a known participant status 200. */
export function outcomeOf({ status, headers }: Response): 'new' | 'existing' {
  return status === 200 || headers.get('Idempotency-Replayed') === 'true' ? 'existing' : 'new';
}

/** Handles a refusal with one of these statuses; rethrows any other error. */
export function onRefusal<T>(statuses: readonly number[], handle: () => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Refused && statuses.includes(error.status)) return handle();
    throw error;
  };
}

/** Creates a resource, or finds it again. @throws {Failure} */
export async function create<Body>(
  { client }: Venue,
  { kind, post }: Kind<Body>,
  resource: NewResource<Body>,
): Promise<CreatedResource> {
  const { data, response } = await client.answered(() => post(keyed(kind, resource)));
  return { name: resource.name, id: data.id, outcome: outcomeOf(response) };
}

/** Creates resources of one kind in a phase of their own. Returns a look-up of their ids. @throws {Failure} */
export async function createAll<Body>(
  venue: Venue,
  { label, ...kind }: Kind<Body> & { readonly label: string },
  resources: readonly NewResource<Body>[],
): Promise<IdLookup> {
  return idsOf(await venue.phase(label, resources, (resource) => create(venue, kind, resource)));
}

/** Finds the id of a resource by its stable name in the demo's data. */
export type IdLookup = (name: string) => string;

/** A look-up of ids by stable name. An unknown name is an error in the demo's own data. */
export function idsOf(created: readonly CreatedResource[]): IdLookup {
  const ids = new Map(created.map(({ name, id }) => [name, id]));
  return (name) => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`the demo's data refer to ${name}, which is not among them`);
    return id;
  };
}
