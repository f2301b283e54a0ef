import { z } from 'zod';
import { described, extensionsOf } from './fields.ts';
import type { Condition, Scalar, Where } from '../kernel/ports/read-store.ts';
import { isRange } from '../kernel/where.ts';
import { IN_OUR_WORDS } from './validation.ts';
import { wordsOf } from './words.ts';

/** A filter of lists: a query parameter that leaves out what does not match. */
export interface Filter<F extends string = string> {
  readonly fields: readonly F[];
  /** What it does, for the API document. */
  readonly description: string;
  /** The type of its values; null: that of the first of the fields in the view. */
  readonly type: z.ZodType | null;
  /** Whether it finds, for each caller, only documents whose contact data the caller may see. */
  readonly isOfContacts: boolean;
  readonly where: (value: Scalar) => Where;
}

/** Filter by the value of a field. The type of its values may be stricter than that of the view. */
export function equal<F extends string>(field: F, type: z.ZodType | null = null): Filter<F> {
  return { ...by(field, `Only with this \`${field}\`.`, (value) => ({ [field]: value })), type };
}

/** Filter by a value that a list must contain. */
export function among<F extends string>(list: F): Filter<F> {
  return by(list, `Only with this among the \`${list}\`.`, (value) => ({ [`${list}[]`]: value }));
}

/** Filter by the earliest moment. */
export function from<F extends string>(field: F): Filter<F> {
  const description = `Only with a \`${field}\` at this moment or later.`;
  return by(field, description, (moment) => ({ [field]: { from: String(moment) } }));
}

/** Filter by the moment before which records must lie. */
export function before<F extends string>(field: F): Filter<F> {
  return by(field, `Only with a \`${field}\` before this moment.`, (moment) => ({ [field]: { to: String(moment) } }));
}

/** Filter by the least value. */
export function atLeast<F extends string>(field: F): Filter<F> {
  return by(field, `Only with at least this \`${field}\`.`, (least) => ({ [field]: { from: Number(least) } }));
}

/** Filter by the greatest value. */
export function atMost<F extends string>(field: F): Filter<F> {
  return by(field, `Only with at most this \`${field}\`.`, (most) => ({ [field]: { to: Number(most) + 1 } }));
}

function by<F extends string>(field: F, description: string, where: Filter['where']): Filter<F> {
  return { fields: [field], description, type: null, isOfContacts: false, where };
}

/** Most words that a filter by words takes, and most characters of each: as many as a name may have. */
const MAX_WORDS = 10;
const MAX_WORD_LENGTH = 120;

/** Filter by the words of a name: each word of the value begins one of the words (`wordsOf`) that a list holds. */
export function byWords<F extends string>(list: F, { example }: { readonly example: string }): Filter<F> {
  const description =
    'Only with a name in which each of these words begins a word, in any order, without regard to case and accents. ' +
    `Blanks, hyphens and apostrophes part words; at most ${MAX_WORDS} words.`;
  const words = z.string().superRefine((text, context) => {
    const wanted = wordsOf(text);
    if (wanted.length === 0) context.addIssue('must have a word');
    if (wanted.length > MAX_WORDS) context.addIssue(`must have at most ${MAX_WORDS} words`);
    if (wanted.some((word) => Array.from(word).length > MAX_WORD_LENGTH))
      context.addIssue(`must have no word of more than ${MAX_WORD_LENGTH} characters`);
  });
  return {
    fields: [list],
    description,
    type: described(words, description, example),
    isOfContacts: true,
    where: (text) => ({ [`${list}[]`]: { prefixes: neededOf(wordsOf(String(text))) } }),
  };
}

/** The words without those that begin another one of them: whoever has that has these, too. */
function neededOf(words: readonly string[]): readonly string[] {
  return words.filter((word) => !words.some((other) => other !== word && other.startsWith(word)));
}

/**
 * Filter by a moment that lies between that of a field and the first of other fields. These hold `OPEN_END`, a text that
 * comes after all moments, where there is no end.
 */
export function during<F extends string>(start: F, ...ends: readonly F[]): Filter<F> {
  return {
    fields: [start, ...ends],
    description: 'Only what has begun by this moment and not ended.',
    type: null,
    isOfContacts: false,
    where: (moment) => {
      const after = `${String(moment)} `;
      const goesOn = ends.map((end) => [end, { from: after }] as const);
      return { [start]: { to: after }, ...Object.fromEntries(goesOn) };
    },
  };
}

/** A text that comes after all moments. */
export const OPEN_END = 'open';

/** The parsed value of a filter's query parameter: the conditions that it sets. */
export interface ParsedFilter {
  readonly where: Where;
}

/** The query parameters of the filters of a list, by their names. */
export type FilterParameters = { readonly [parameter: string]: ReturnType<typeof filterParameter> };

/** The query parameter of a filter for a view; a parameter that is left out sets no condition. */
export function filterParameter({ type, fields, description, where }: Filter, view: z.ZodObject) {
  const shape: z.core.$ZodShape = view.shape;
  const field = type ?? shape[fields[0] ?? ''];
  const values = textType(field);
  return z
    .string()
    .transform((text, context): ParsedFilter => {
      const { data, error } = z.safeParse(values, text, IN_OUR_WORDS);
      if (typeof data === 'string' || typeof data === 'boolean' || typeof data === 'number')
        return { where: where(data) };
      context.addIssue(error?.issues[0]?.message ?? 'is not a valid value');
      return z.NEVER;
    })
    .optional()
    .meta({ ...schemaOf(values), ...exampleOf(field), ...extensionsOf(field), description });
}

/** The conditions that a request sets by the filters of a list. `query` has its query parameters, parsed. */
export function requestedConditions(filters: FilterParameters, query: object): Where {
  // Each of these parameters was parsed by its `filterParameter`.
  const parsed = query as { readonly [parameter: string]: ParsedFilter | undefined };
  const conditions: Record<string, Condition> = {};
  for (const name of Object.keys(filters)) {
    for (const [field, condition] of Object.entries(parsed[name]?.where ?? {})) {
      conditions[field] = combined(conditions[field], condition);
    }
  }
  return conditions;
}

/** The conditions that two filters set on one field: the two ends of a range. */
function combined(before: Condition | undefined, condition: Condition): Condition {
  return isRange(before) && isRange(condition) ? { ...before, ...condition } : condition;
}

function textType(type: z.core.$ZodType | undefined): z.core.$ZodType {
  if (type === undefined) throw new TypeError('a filter needs a field of the view, or a type');
  if (type instanceof z.ZodNullable) return textType(type.unwrap());
  if (type instanceof z.ZodArray) return textType(type.element);
  if (type instanceof z.ZodNumberFormat) return wholeNumber(0, Number.MAX_SAFE_INTEGER).meta(INTEGER);
  if (!(type instanceof z.ZodBoolean)) return type;
  return z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .meta({ type: 'boolean' });
}

const INTEGER = { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

/** A query parameter that is a whole number; unlike `z.coerce`, it takes no blanks, signs, exponents or hex. */
export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .refine((text) => /^\d{1,16}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number);
}

function exampleOf(field: z.core.$ZodType | undefined) {
  const { examples } = (field && z.globalRegistry.get(field)) ?? {};
  const [example]: unknown[] = [examples].flat(2);
  return example === undefined || example === null ? {} : { examples: [example] };
}

function schemaOf(values: z.core.$ZodType): z.core.JSONSchema.BaseSchema {
  const { $schema: _, pattern, examples: __, ...schema } = z.toJSONSchema(values, { io: 'input' });
  if (schema.type === 'boolean') return { type: 'boolean' };
  return schema.format === undefined && pattern !== undefined ? { ...schema, pattern } : schema;
}
