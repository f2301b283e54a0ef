const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Resolves at the first SIGTERM or SIGINT after the call, also one that arrives while the process is still starting. A
 * second one, of either kind, ends the process at once.
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
