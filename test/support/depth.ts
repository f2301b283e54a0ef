/** `npm run test:deep` sets it, in the environment. */
const isDeep = process.env['TEST_DEEP'] === 'yes';

/**
 * How often a law is tried, or how large what it is tried with is: `short` in `npm test` and in CI, where each law is to
 * hold in minutes, and `deep` in `npm run test:deep`, for changes to what the law is about and for releases.
 */
export function depth<T>({ short, deep }: { readonly short: T; readonly deep: T }): T {
  return isDeep ? deep : short;
}
