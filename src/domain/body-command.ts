import { z } from 'zod';
import type { Category } from './categories.ts';
import { referredCategory } from './references.ts';
import type { Message } from '../kernel/event-types.ts';

/** Fields of a body that name another aggregate (or a list of them), with its category. */
export type References = { readonly [field: string]: Category };

export type PathParams = { readonly [name: string]: string };

/** Fields that are those of whoever sat on a rig at a moment, where a body leaves them out. */
export interface SeatFields<B> {
  readonly fields: readonly (keyof B & string)[];
  readonly rigOf: (body: B) => string;
  /** ISO 8601 in UTC; undefined: now. */
  readonly momentOf: (body: B) => string | undefined;
  /** The body with the fields that it leaves out. */
  readonly fillIn: (body: B, sitting: { readonly participantId: string; readonly eventId: string }) => B;
}

interface BodyCommandSpec<B, C extends Message> {
  readonly body: z.ZodType<B>;
  /** Fields that say when something happened: after `EARLIEST_MS`, and not later than `MAX_AHEAD_MS` from now. */
  readonly pastMoments?: readonly (keyof B & string)[];
  /** Fields that are filled in before there are commands; where nobody sat there, the decider judges what is left out. */
  readonly seat?: SeatFields<B>;
  readonly commands: (body: B, params: PathParams) => readonly C[];
  /** Whether the commands are intents: the fields that they set are those of the body. */
  readonly intents?: true;
  /** The reason that a body gives, which is kept in the metadata of its events. */
  readonly reason?: (body: B) => string | undefined;
}

/** The commands that a request's body makes, with the path where needed: the row of a write endpoint names one. */
export interface BodyCommand<B, C extends Message> extends BodyCommandSpec<B, C> {
  /** The references in the body, which must exist before the decider is asked; null: there are none. */
  readonly references: References | null;
}

/** Declares the commands that a request's body leads to. `name` is the name of the body in the API document. */
export function commandsFrom<B, C extends Message>(
  name: string,
  { body, ...spec }: BodyCommandSpec<B, C>,
): BodyCommand<B, C> {
  return { ...spec, body: body.meta({ id: name }), references: referencesOf(body) };
}

/** A partial update: a field that is absent stays as it is. */
export type PartialUpdate<S> = { readonly [K in keyof S]?: S[K] | undefined };

/** The commands that these decisions are about: each has the name of its decision, and the data that this takes. */
export type CommandsOf<D> = {
  readonly [T in keyof D & string]: D[T] extends (state: never, data: infer A) => unknown
    ? { readonly type: T; readonly data: A }
    : never;
}[keyof D & string];

function referencesOf(body: z.ZodType): References | null {
  const shape: z.core.$ZodShape = body instanceof z.ZodObject ? body.shape : {};
  const references = Object.entries(shape).flatMap(([field, type]) => {
    const category = referredCategory(type);
    return category === null ? [] : [[field, category] as const];
  });
  return references.length === 0 ? null : Object.fromEntries(references);
}
