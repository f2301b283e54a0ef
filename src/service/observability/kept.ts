/** Time, in ms, for which health and metrics stay as they were said: nobody needs a key to ask for them. */
const KEPT_MS = 500;

/** Makes something at most twice a second, and once for all who ask meanwhile. */
export function keptForAMoment<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  let until = 0;
  return () => {
    if (made !== null && performance.now() < until) return made;
    until = Infinity;
    made = make().finally(() => {
      until = performance.now() + KEPT_MS;
    });
    return made;
  };
}
