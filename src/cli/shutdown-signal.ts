/**
 * Resolves at SIGTERM or SIGINT, from the call on: one that comes during the start is heeded after it. A second one
 * ends the process at once.
 */
export function shutdownSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.once(signal, () => {
        resolve();
      });
  });
}
