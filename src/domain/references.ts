import { z } from 'zod';
import { CATEGORIES, type Category } from './categories.ts';
import { EXAMPLES } from './examples.ts';
import { marked } from './facts.ts';
import { described, list, NAME_OF, REFERS_TO, uuid } from './fields.ts';

/** The categories whose names identify a person; a licence may be one person's. */
const PERSONAL: readonly Category[] = ['participant', 'license'];

/** The id of another resource. */
export function reference(to: Category, description: string) {
  return described(uuid, description, EXAMPLES[to].id).meta({ [REFERS_TO]: schemaName(to) });
}

/** The ids of other resources; bounds are those of `list`. */
export function references(to: Category, description: string, bounds: Parameters<typeof list>[1] = {}) {
  return described(list(uuid, bounds), description, [EXAMPLES[to].id]).meta({ [REFERS_TO]: schemaName(to) });
}

/** The category that a field refers to; null: it refers to none. */
export function referredCategory(field: z.core.$ZodType): Category | null {
  const name = z.globalRegistry.get(field)?.[REFERS_TO];
  if (name !== undefined) return CATEGORIES.find((category) => schemaName(category) === name) ?? null;
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) return referredCategory(field.unwrap());
  return null;
}

/** The name of the resource that a field refers to; that of a person is personal. */
export function referredName(field: string, type: z.core.$ZodType) {
  const category = referredCategory(type);
  const example = category === null ? undefined : EXAMPLES[category].name;
  const name = nameOf(field, described(z.string(), `Current name of what \`${field}\` refers to.`, example));
  return category !== null && PERSONAL.includes(category) ? marked('personal', name) : name;
}

/** A type whose values are the names of the resources that another field refers to. */
export function nameOf<T extends z.ZodType>(field: string, type: T): T {
  return type.meta({ [NAME_OF]: field });
}

/** The id of a resource itself. Its example is that of the category of this name: `Lap` has that of `lap`. */
export function ownId(resource: string) {
  return described(uuid, 'Id of the resource, assigned by the service.', exampleId(resource));
}

/** The example of an id, by the name of the resource, which may begin with a capital letter. */
export function exampleId(resource: string): string | undefined {
  const category = CATEGORIES.find((one) => one === resource || schemaName(one) === resource);
  return category === undefined ? undefined : EXAMPLES[category].id;
}

/** The name of a category's schema in the API document: `TrackLayout`. */
function schemaName(category: Category): string {
  return category.charAt(0).toUpperCase() + category.slice(1);
}
