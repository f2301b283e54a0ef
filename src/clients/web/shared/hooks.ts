import { createElement, type FunctionComponent } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';

/** A component that is drawn again only when a property is a different value, or a list of other items. */
export function memo<P extends object>(draw: FunctionComponent<P>): FunctionComponent<P> {
  // Preact does not draw the same element again.
  return (props) => useMemo(() => createElement(draw, props), Object.values(props).flatMap(itemsOf));
}

/** A value; of a list, its length and its items. */
function itemsOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) return [value];
  const items: readonly unknown[] = value;
  return [items.length, ...items];
}

/** The time, in ms of the page's clock; a component that uses it renders again after each such time (ms). */
export function useNow(everyMs = 1_000): number {
  const [now, show] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => show(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** How long, in ms, until a failed request is made again. */
const RETRY_MS = 3_000;

/**
 * Reads data when the page appears, whenever `read` is a different function, and after `reload`; tries again until there
 * is an answer.
 * @param read keep its identity with `useCallback`; aborted when its result is no longer wanted; throws what failed
 * @param everyMs time after which it is read again; undefined: only after `reload`
 */
export function useRetried<T>(read: (signal: AbortSignal) => Promise<T>, everyMs?: number) {
  const [shown, setShown] = useState<{ readonly read: unknown; readonly data: T }>();
  const [failed, setFailed] = useState(false);
  /** Shows data that are newer than those that were read. */
  const show = useCallback((data: T) => setShown({ read, data }), [read]);
  const readAgain = useRef(() => {});
  useEffect(() => {
    const over = new AbortController();
    const { signal } = over;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let isReading = false;
    let asked = 0;
    const run = async (): Promise<void> => {
      clearTimeout(retry);
      isReading = true;
      const before = asked;
      try {
        const data = await read(signal);
        if (signal.aborted) return;
        show(data);
        setFailed(false);
      } catch {
        // Whatever failed, the page says that the service cannot be reached, and tries again.
        if (signal.aborted) return;
        setFailed(true);
        retry = setTimeout(() => void run(), RETRY_MS);
      }
      isReading = false;
      if (asked > before) void run();
    };
    readAgain.current = () => {
      // It does not abort the request in flight: on a slow service, none would ever finish.
      asked += 1;
      if (!isReading) void run();
    };
    const poll = (): void => {
      if (!document.hidden && !isReading) void run();
    };
    const polling = everyMs === undefined ? undefined : setInterval(poll, everyMs);
    void run();
    return () => {
      over.abort();
      clearTimeout(retry);
      clearInterval(polling);
    };
  }, [read, everyMs, show]);
  return {
    /** The newest that `read` has given; undefined before the first. */
    data: shown?.read === read ? shown.data : undefined,
    /** Whether there was no answer the last time, and it is read again. */
    failed,
    show,
    reload: useCallback(() => readAgain.current(), []),
  };
}
