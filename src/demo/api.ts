import { z } from 'zod';
import { type DemoResponse, DemoError, parseJson, type Send } from './http-client.ts';
import type { ItemResult, RunPhase } from './progress.ts';
import type { JsonValue } from './types.ts';

/** The demo's venue: its licence, the key that it works with, and the means to work. */
export interface Venue {
  readonly send: Send;
  readonly phase: RunPhase;
  readonly licenseId: string;
  readonly token: string;
}

/** A resource to create; `kind` and `name` are stable and make the `Idempotency-Key`. */
export interface NewResource {
  readonly path: string;
  readonly token: string;
  readonly kind: string;
  readonly name: string;
  readonly body: { readonly [key: string]: JsonValue };
}

/** A resource that exists now, by its stable name. */
export interface CreatedResource extends ItemResult {
  readonly name: string;
  readonly id: string;
}

const WithId = z.object({ id: z.string() });

/** The key under which a repeat of the demo finds what an earlier run created. */
export function idempotencyKey(kind: string, name: string): string {
  return `demo-${kind}-${name}`;
}

/** Whether an accepted create made something (DESIGN §3: a replay says so; a known participant is a 200). */
export function outcomeOf({ status, headers }: DemoResponse): 'new' | 'existing' {
  return status === 200 || headers.get('Idempotency-Replayed') === 'true' ? 'existing' : 'new';
}

/** Reads an answer's body. Throws `DemoError` when the service answered something else than SPEC.md says. */
export function decode<T>(schema: z.ZodType<T>, answer: DemoResponse, what: string): T {
  const parsed = schema.safeParse(parseJson(answer));
  if (!parsed.success) throw new DemoError(`The service answered ${what} with an unexpected body.`);
  return parsed.data;
}

/** The id of what was created: in the body, or, when it was only accepted (202), at the end of `Location`. */
function idIn(answer: DemoResponse, what: string): string {
  if (answer.status !== 202) return decode(WithId, answer, what).id;
  const id = answer.headers.get('Location')?.split('/').at(-1);
  if (id === undefined || id === '') throw new DemoError(`The service accepted ${what} but gave no Location.`);
  return id;
}

/** Creates a resource, or finds it again. Throws `DemoError`. */
export async function create(send: Send, { path, token, kind, name, body }: NewResource): Promise<CreatedResource> {
  const answer = await send({
    method: 'POST',
    path,
    token,
    body,
    idempotencyKey: idempotencyKey(kind, name),
    expect: [200, 201, 202],
  });
  return { name, id: idIn(answer, `POST ${path}`), outcome: outcomeOf(answer) };
}

/** Looks ids up by stable name. An unknown name is an error in the demo's own data. */
export function idsOf(made: readonly CreatedResource[]): (name: string) => string {
  const ids = new Map(made.map(({ name, id }) => [name, id]));
  return (name) => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`the demo's data refer to ${name}, which is not among them`);
    return id;
  };
}
