import { z } from 'zod';
import { type DemoResponse, DemoError, type JsonObject, parseJson, type Send } from './http-client.ts';
import type { ItemResult, RunPhase } from './progress.ts';

/** The demo's venue: its licence and API key, the client, and the phase runner. */
export interface Venue {
  readonly send: Send;
  readonly phase: RunPhase;
  readonly licenseId: string;
  readonly token: string;
}

/** A resource to create; `kind` and `name` are the same in each run and form the `Idempotency-Key`. */
export interface NewResource {
  readonly path: string;
  readonly token: string;
  readonly kind: string;
  readonly name: string;
  readonly body: JsonObject;
}

/** A resource that exists in the service, with its stable name. */
export interface CreatedResource extends ItemResult {
  readonly name: string;
  readonly id: string;
}

const WithId = z.object({ id: z.string() });

/** The `Idempotency-Key` by which a repeated run finds what an earlier one created. */
export function idempotencyKey(kind: string, name: string): string {
  return `demo-${kind}-${name}`;
}

/**
 * Whether a request created something (docs/interface.md#idempotency: a replayed response has a header; a known
 * participant is a 200).
 */
export function outcomeOf({ status, headers }: DemoResponse): 'new' | 'existing' {
  return status === 200 || headers.get('Idempotency-Replayed') === 'true' ? 'existing' : 'new';
}

/** Parses the body of a response. Throws `DemoError` when it is not as docs/interface.md says. */
export function decode<T>(schema: z.ZodType<T>, response: DemoResponse, what: string): T {
  const parsed = schema.safeParse(parseJson(response));
  if (!parsed.success) throw new DemoError(`The service answered ${what} with an unexpected body.`);
  return parsed.data;
}

/** The id of the created resource: in the body or, with status 202, at the end of `Location`. */
function idIn(response: DemoResponse, what: string): string {
  if (response.status !== 202) return decode(WithId, response, what).id;
  const id = response.headers.get('Location')?.split('/').at(-1);
  if (id === undefined || id === '') throw new DemoError(`The service accepted ${what} but gave no Location.`);
  return id;
}

/** Creates a resource, or finds it again. Throws `DemoError`. */
export async function create(send: Send, { path, token, kind, name, body }: NewResource): Promise<CreatedResource> {
  const response = await send({
    method: 'POST',
    path,
    token,
    body,
    idempotencyKey: idempotencyKey(kind, name),
    expect: [200, 201, 202],
  });
  return { name, id: idIn(response, `POST ${path}`), outcome: outcomeOf(response) };
}

/** Creates resources of one kind in a phase of their own. Returns a look-up of their ids. Throws `DemoError`. */
export async function createAll(
  { send, token, phase }: Venue,
  { label, path, kind }: { readonly label: string; readonly path: string; readonly kind: string },
  entries: readonly Pick<NewResource, 'name' | 'body'>[],
): Promise<IdLookup> {
  return idsOf(
    await phase(label, entries, (entry) => create(send, { path: `/api/v1/${path}`, token, kind, ...entry })),
  );
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
