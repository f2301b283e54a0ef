import { useState } from 'preact/hooks';

/** An action that runs on a click, and its state. */
export interface Action {
  readonly busy: boolean;
  /** The last error, or null. */
  readonly failure: unknown;
  readonly run: (action: () => Promise<void>) => void;
  /** Forgets the failure. */
  readonly clear: () => void;
}

/** Runs actions on clicks, one at a time, and keeps the last error to be shown. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const run = (action: () => Promise<void>): void => {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    action()
      .catch(setFailure)
      .finally(() => setBusy(false));
  };
  return { busy, failure, run, clear: () => setFailure(null) };
}
