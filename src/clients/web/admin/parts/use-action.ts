import { useState } from 'preact/hooks';

/** Something that is done on a click, and how that goes. */
export interface Action {
  readonly busy: boolean;
  /** What it threw the last time, or null. */
  readonly failure: unknown;
  readonly run: (action: () => Promise<void>) => void;
  /** Forgets the failure. */
  readonly clear: () => void;
}

/** Does things on clicks, one at a time, and keeps what they throw to be shown. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const run = (action: () => Promise<void>): void => {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    action()
      .catch(setFailure)
      .finally(() => {
        setBusy(false);
      });
  };
  return {
    busy,
    failure,
    run,
    clear: () => {
      setFailure(null);
    },
  };
}
