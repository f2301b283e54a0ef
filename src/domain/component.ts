/** Extension with the name and description of a type, which the API document replaces with a reference to the type. */
export const COMPONENT = 'x-component';

/**
 * Metadata (`.meta`) of a type that the API document lists once, under this name, and refers to. Unlike an `id`, it is
 * inherited when further metadata is added, or null is allowed. Generators of clients need that for enums, for objects
 * that may be null, and for JSON of any shape.
 */
export function component(name: string, description: string) {
  return { [COMPONENT]: { name, description } };
}
