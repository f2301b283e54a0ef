const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Resolves at SIGTERM or SIGINT, from the call on: one that comes during the start is heeded after it. A second one, of
 * either kind, ends the process at once.
 */
export function shutdownSignal(): Promise<void> {
  return new Promise((resolve) => {
    const shutDown = (): void => {
      for (const signal of SIGNALS) process.off(signal, shutDown);
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, shutDown);
  });
}
