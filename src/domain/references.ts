/** The aggregates that others refer to, by the category of their streams. */
export type Category =
  | 'apiKey'
  | 'license'
  | 'rig'
  | 'simulator'
  | 'track'
  | 'trackLayout'
  | 'car'
  | 'carBrand'
  | 'carClass'
  | 'signupField'
  | 'brand'
  | 'event'
  | 'participant'
  | 'lap';

/** Fields of a body that name another aggregate (or a list of them), with its category. */
export type References = ReadonlyMap<string, Category>;

/** A field of a body that names an aggregate. */
export interface Pointed {
  readonly category: Category;
  readonly id: string;
  /** JSON pointer of the id. */
  readonly pointer: string;
}

/** All that a body names; fields that are absent or null name nothing. */
export function* pointedAt(references: References, body: unknown): Generator<Pointed> {
  const values: Readonly<Record<string, unknown>> = typeof body === 'object' && body !== null ? { ...body } : {};
  for (const [field, category] of references) {
    const value = values[field];
    if (typeof value === 'string') yield { category, id: value, pointer: `/${field}` };
    if (!Array.isArray(value)) continue;
    for (const [index, id] of value.entries()) {
      if (typeof id === 'string') yield { category, id, pointer: `/${field}/${index}` };
    }
  }
}

/** Declares what a body refers to. */
export function references(fields: { readonly [field: string]: Category }): References {
  return new Map(Object.entries(fields));
}
