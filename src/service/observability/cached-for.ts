/** Computes a value at most once in so many ms, and once for all who ask meanwhile. */
export function cachedFor<T>(ms: number, compute: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | null = null;
  let expiresAt = 0;
  return () => {
    if (cached !== null && performance.now() < expiresAt) return cached;
    expiresAt = Infinity;
    cached = compute().finally(() => {
      expiresAt = performance.now() + ms;
    });
    return cached;
  };
}
