import { Console } from 'node:console';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordedEvent } from '../../kernel/ports/event-store.ts';

/** Those that end a command (`src/main.ts`), on any system. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGBREAK', 'SIGHUP'] as const;

/** An analyst's code, which runs in this process with all its rights. */
export class AnalystCode {
  /** The last event that the code was given. */
  event: RecordedEvent | null = null;
  #isInterruptible = false;

  /** Runs the code; its output goes to standard error. `onExit`: it called `process.exit`, or waits for ever. */
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

  /** Loads the code; meanwhile a signal ends the process at once. */
  async load<T>(work: () => Promise<T>): Promise<T> {
    const restore = await endAtSignals();
    try {
      return await work();
    } finally {
      restore();
    }
  }

  /** Called before the code is given an event; until the event loop turns, a signal ends the process at once. */
  readonly enter = async (event: RecordedEvent): Promise<void> => {
    if (!this.#isInterruptible) {
      this.#isInterruptible = true;
      const restore = await endAtSignals();
      setImmediate(() => {
        this.#isInterruptible = false;
        restore();
      });
    }
    this.event = event;
  };
}

/** Lets signals end the process until the returned function is called: no listener stops code that never returns. */
async function endAtSignals(): Promise<() => void> {
  // A signal that has come is heard first: it would be lost with its listeners.
  await nextTurn();
  const listeners = SIGNALS.map((signal) => [signal, process.listeners(signal)] as const);
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  return () => {
    for (const [signal, all] of listeners) for (const listener of all) process.on(signal, listener);
  };
}
