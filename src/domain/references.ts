/** The aggregates that others refer to, by the category of their streams. */
export type Category =
  | 'apiKey' | 'license' | 'rig' | 'simulator' | 'track' | 'trackLayout' | 'car' | 'carBrand' | 'carClass'
  | 'signupField' | 'brand' | 'event' | 'participant' | 'lap';

/** Fields of a body that name another aggregate (or a list of them), with its category. */
export type References = ReadonlyMap<string, Category>;

/** Declares what a body refers to. */
export function references(fields: { readonly [field: string]: Category }): References {
  return new Map(Object.entries(fields));
}
