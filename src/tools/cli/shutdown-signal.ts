/** Signals that end the process in order; on Windows, Ctrl-C, Ctrl-Break and the closing of its window. */
const SIGNALS =
  process.platform === 'win32' ? (['SIGINT', 'SIGBREAK', 'SIGHUP'] as const) : (['SIGTERM', 'SIGINT'] as const);

/**
 * A signal that aborts at the first of these; a second one, of any kind, ends the process at once. So does the first
 * after `release`: nobody listens to the signal any more.
 */
export function shutdownSignal(): { readonly signal: AbortSignal; readonly release: () => void } {
  const stop = new AbortController();
  const release = (): void => {
    for (const signal of SIGNALS) process.off(signal, shutDown);
  };
  const shutDown = (): void => {
    release();
    stop.abort();
  };
  for (const signal of SIGNALS) process.on(signal, shutDown);
  return { signal: stop.signal, release };
}
