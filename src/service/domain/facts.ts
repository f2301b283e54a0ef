import { z } from 'zod';
import type { Json, JsonObject } from '../kernel/json.ts';

/*
 * What events are made of. Events are stored for ever, and each one that any release has stored satisfies its schema. So
 * these types know no bounds. What a request is held to today is said by the body that is made for the event (`bodyOf`).
 */

export const Text = z.string();
export const Flag = z.boolean();
export const Integer = z.int();
export const Numeral = z.number();
/** The id of another resource. */
export const Id = z.string();
/** A moment in UTC, ISO 8601. */
export const Moment = z.string();
/** Any JSON value. */
export const AnyJson = z.custom<Json>((value) => value !== undefined);
export const AnyObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be a JSON object',
);
export const listOf = <T extends z.ZodType>(item: T) => z.array(item);

/** For each field of an event a type whose values the event can hold, and no others. */
type Narrowed<F, B> = { readonly [K in keyof F]: z.ZodType<z.output<F[K]>> } & {
  readonly [K in Exclude<keyof B, keyof F>]: never;
};

/**
 * The fields of an event as requests send them and views describe them: with bounds, references, prose and examples. Each
 * narrows the field of the event, or it does not compile.
 */
export function bodyOf<F extends z.core.$ZodLooseShape, B extends z.core.$ZodLooseShape & Narrowed<NoInfer<F>, B>>(
  _event: z.ZodObject<F>,
  fields: B,
): z.ZodObject<B> {
  return z.object(fields);
}
