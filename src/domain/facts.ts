import { z } from 'zod';
import type { Json, JsonObject } from '../kernel/json.ts';

/*
 * The types of the fields of events. Events are stored for ever, and each one that any release has stored satisfies its
 * schema, so these types have no bounds. The bounds of today's requests are in the body that narrows the event (`bodyOf`).
 */

export const Text = z.string();
export const Flag = z.boolean();
export const Integer = z.int();
export const Numeral = z.number();
export const Id = z.string();
/** A moment in UTC, ISO 8601. */
export const Moment = z.string();
export const AnyJson = z.custom<Json>((value) => value !== undefined);
export const AnyObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be a JSON object',
);
export const listOf = <T extends z.ZodType>(item: T) => z.array(item);

/**
 * Who may see a field of an event. `secret`: no command shows it. `personal`: it identifies a person; exports and the
 * command `events` leave it out by default. `contact`: personal, and the API shows it only to owners of the resource.
 */
export const EVERY_PRIVACY = ['secret', 'personal', 'contact'] as const;
export type Privacy = (typeof EVERY_PRIVACY)[number];

/** The marks of types, which are not in the API document. Copies of a type inherit its mark. */
const MARKS = z.registry<{ readonly privacy: Privacy }>();

/** A type whose values are not for everybody. The mark is set on the field of the event; bodies and views inherit it. */
export function marked<T extends z.ZodType>(privacy: Privacy, type: T): T {
  const copy = type.clone();
  MARKS.add(copy, { privacy });
  return copy;
}

export function inheritPrivacy(from: z.core.$ZodType, to: z.core.$ZodType): void {
  const mark = MARKS.get(from);
  if (mark !== undefined) MARKS.add(to, mark);
}

/** Who may see a field; null: everybody. */
export function privacyOf(type: z.core.$ZodType | undefined): Privacy | null {
  return (type && MARKS.get(type)?.privacy) ?? null;
}

export function fieldsMarked(schema: object, ...marks: readonly Privacy[]): readonly string[] {
  const shape: z.core.$ZodShape = schema instanceof z.ZodObject ? schema.shape : {};
  return Object.entries(shape).flatMap(([field, type]) => {
    const privacy = privacyOf(type);
    return privacy !== null && marks.includes(privacy) ? [field] : [];
  });
}

/** A type for each field of an event, and for no other, whose values the event can hold. */
type Narrowed<F, B> = { readonly [K in keyof F]: z.ZodType<z.output<F[K]>> } & {
  readonly [K in Exclude<keyof B, keyof F>]: never;
};

/**
 * The fields of an event as requests send them and views describe them: with bounds, references, prose and examples. Each
 * narrows the field of the event, or it does not compile.
 */
export function bodyOf<F extends z.core.$ZodLooseShape, B extends z.core.$ZodLooseShape & Narrowed<NoInfer<F>, B>>(
  event: z.ZodObject<F>,
  fields: B,
): z.ZodObject<B> {
  const shape: z.core.$ZodShape = event.shape;
  const types: Readonly<Record<string, z.ZodType>> = fields;
  const inherited = Object.entries(types).flatMap(([field, type]) => {
    const privacy = privacyOf(shape[field]);
    return privacy === null ? [] : [[field, marked(privacy, type)] as const];
  });
  return z.object({ ...fields, ...Object.fromEntries(inherited) });
}
