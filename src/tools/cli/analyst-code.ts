import { Console } from 'node:console';
import type { RecordedEvent } from '../../service/kernel/ports/event-store.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Code of an analyst that runs in this process, and may do there what it likes. */
export class AnalystCode {
  #event: RecordedEvent | null = null;
  #isInterruptible = false;

  /** The event that it was given last. */
  get event(): RecordedEvent | null {
    return this.#event;
  }

  /**
   * Runs the code: what it prints goes to standard error. `onExit` is called when the process ends before the work does,
   * since the code has ended it, or waits for something while nothing is left that could happen.
   */
  async run<T>(work: () => Promise<T>, onExit: () => void): Promise<T> {
    const { console } = globalThis;
    globalThis.console = new Console(process.stderr, process.stderr);
    process.on('exit', onExit);
    try {
      return await work();
    } finally {
      process.off('exit', onExit);
      globalThis.console = console;
    }
  }

  /** Loads the code; a signal ends the process meanwhile. */
  async load<T>(work: () => Promise<T>): Promise<T> {
    const restore = endAtSignals();
    try {
      return await work();
    } finally {
      restore();
    }
  }

  /** Is called before the code is given an event; until the event loop turns, a signal ends the process. */
  readonly enter = (event: RecordedEvent): void => {
    this.#event = event;
    if (this.#isInterruptible) return;
    this.#isInterruptible = true;
    const restore = endAtSignals();
    setImmediate(() => {
      this.#isInterruptible = false;
      restore();
    });
  };
}

/**
 * Lets signals end the process at once until the returned function is called: the event loop calls their listeners, so
 * these cannot stop code that never returns.
 */
function endAtSignals(): () => void {
  const listeners = SIGNALS.map((signal) => [signal, process.listeners(signal)] as const);
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  return () => {
    for (const [signal, all] of listeners) for (const listener of all) process.on(signal, listener);
  };
}
