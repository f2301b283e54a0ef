/** Where the API document has the name of a type, and what it is, until it refers to it by that name. */
export const COMPONENT = 'x-component';

/**
 * What to say of a type (`.meta`) so that the API document has it once, under this name, and refers to it. Other than
 * an `id`, it stays with the type when more is said of it, and when it may be null: what generators of clients need for
 * enums, for objects that may be null, and for JSON of any shape.
 */
export function component(name: string, description: string) {
  return { [COMPONENT]: { name, description } };
}
