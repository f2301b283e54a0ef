import { Component, type ComponentClass, type ComponentChild } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A component that renders again only when one of its properties is a different value, or a list of different ones. */
export function memo<P extends object>(draw: (props: P) => ComponentChild): ComponentClass<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return differs(this.props, next);
    }

    override render(): ComponentChild {
      return draw(this.props);
    }
  };
}

function differs<P extends object>(before: P, after: P): boolean {
  const values = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after).some(([name, value]) => !isSame(values.get(name), value));
}

function isSame(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((item, n) => item === b[n]);
}

/** The time, in ms of the page's clock; a component that uses it renders again every second. */
export function useNow(): number {
  const [now, show] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => show(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** How long, in ms, until a failed request is made again. */
const RETRY_MS = 3_000;

/**
 * Runs a request when the page appears and whenever `request` is a different function, and repeats it until it
 * succeeds.
 * @param request keep its identity with `useCallback`; aborted when its result is no longer wanted; throws what failed
 * @returns what the newest request has given (undefined: none has), and whether the last try failed, and another one
 *   will follow
 */
export function useRetried<T>(request: (signal: AbortSignal) => Promise<T>) {
  const [data, show] = useState<T>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const over = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = async (): Promise<void> => {
      try {
        const found = await request(over.signal);
        if (over.signal.aborted) return;
        show(() => found);
        setFailed(false);
      } catch {
        // Whatever failed, the page says that the service cannot be reached, and tries again.
        if (over.signal.aborted) return;
        setFailed(true);
        timer = setTimeout(() => void run(), RETRY_MS);
      }
    };
    void run();
    return () => {
      over.abort();
      clearTimeout(timer);
    };
  }, [request]);
  return { data, failed };
}
