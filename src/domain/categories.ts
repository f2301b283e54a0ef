/**
 * The categories of streams whose resources others may refer to. Where one is missing, a field that refers to it does not
 * compile; each one needs an example of its id for the API document (`EXAMPLES`).
 */
export const CATEGORIES = [
  'license',
  'apiKey',
  'rig',
  'simulator',
  'track',
  'trackLayout',
  'carBrand',
  'carClass',
  'car',
  'brand',
  'event',
  'signupField',
  'participant',
  'lap',
  'file',
] as const;

/** A category of streams whose resources others may refer to. */
export type Category = (typeof CATEGORIES)[number];
