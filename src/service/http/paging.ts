import { z } from 'zod';
import { described } from '../../domain/fields.ts';
import { wholeNumber } from '../../domain/filters.ts';
import type { Sort } from '../../kernel/ports/read-store.ts';

/** Largest page that a client may ask for, and the size when it asks for none (docs/interface.md#lists-and-pages). */
export const MAX_PAGE_SIZE = 1000;
export const DEFAULT_PAGE_SIZE = 20;

/** Largest page index: with the largest size, the offset is still a safe integer. */
const MAX_PAGE = Math.floor(Number.MAX_SAFE_INTEGER / MAX_PAGE_SIZE) - 1;

export const includeDisabled = flag(false, 'Also disabled records; needs a key of role CRUD or higher.');

export const pageAndSize = {
  page: integer(0, MAX_PAGE, 'Index of the page, from 0.', 0),
  size: integer(1, MAX_PAGE_SIZE, 'Records per page.', DEFAULT_PAGE_SIZE),
};

/** A query parameter that is a whole number from `minimum` to `maximum`, both included. */
export function integer(
  minimum: number,
  maximum: number,
  description: string,
  byDefault: number,
  example: number = byDefault,
) {
  return wholeNumber(minimum, maximum)
    .default(byDefault)
    .meta({ type: 'integer', minimum, maximum, default: byDefault, description, examples: [example] });
}

/** `defaultSort`: the field to sort by, ascending, when the client names none. */
export function pageParameters<F extends string>(fields: readonly F[], defaultSort: F) {
  return { ...pageAndSize, sort: sortBy(fields, defaultSort) };
}

export type PageRequest = z.output<z.ZodObject<ReturnType<typeof pageParameters>>>;

export function flag(byDefault: boolean, description: string) {
  return z
    .enum(['true', 'false'])
    .default(byDefault ? 'true' : 'false')
    .transform((value) => value === 'true')
    .meta({ type: 'boolean', default: byDefault, description, examples: [byDefault] });
}

function sortBy<F extends string>(fields: readonly F[], defaultSort: F) {
  const byName = new Map<string, F>(fields.map((field) => [field, field]));
  return z
    .string()
    .transform((text, context): Sort => {
      const [name = '', direction = 'asc', ...rest] = text.split(',');
      const field = byName.get(name);
      const order = direction.toLowerCase();
      const known = field !== undefined && rest.length === 0;
      if (known && (order === 'asc' || order === 'desc')) return { field, direction: order };
      const message = `must be one of ${fields.join(', ')}, optionally followed by ,asc or ,desc`;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    })
    .default({ field: defaultSort, direction: 'asc' })
    .meta({
      type: 'string',
      'x-sortable': fields,
      pattern: `^(${fields.join('|')})(,([aA][sS][cC]|[dD][eE][sS][cC]))?$`,
      default: defaultSort,
      description: 'Field to sort by, ascending unless `,desc` follows; ties are in the order of creation.',
      examples: [`${defaultSort},desc`],
    });
}

export function pageSchema<S extends z.ZodType>(view: S, id: string) {
  const count = (description: string, example: number) => described(z.int().nonnegative(), description, example);
  const flag = (description: string, example: boolean) => described(z.boolean(), description, example);
  return z
    .object({
      content: described(z.array(view), 'The records of the page.'),
      page: count('Index of the page, from 0.', 0),
      number: count('The same as `page`.', 0),
      size: count('Records per page, as requested.', 20),
      totalElements: count('Records of all pages.', 312),
      totalPages: count('Number of pages.', 16),
      first: flag('Whether it is the first page.', true),
      last: flag('Whether no page comes after it.', false),
      empty: flag('Whether it has no records.', false),
    })
    .meta({ id, description: 'A page of a list.' });
}
