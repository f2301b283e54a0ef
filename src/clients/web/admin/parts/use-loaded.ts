import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Json } from '../../shared/json.ts';
import { useRetried } from '../../shared/hooks.ts';
import { Refused } from '../api/client.ts';
import { useSession } from '../session.ts';

export interface Loaded<T> {
  /** The newest that was read; null before the first. */
  readonly data: T | null;
  /** The refusal of the service, or null. */
  readonly refused: Refused | null;
  /** Whether the service does not answer and the request is repeated. */
  readonly waiting: boolean;
  readonly reload: () => void;
  /** Shows data that are newer than those that were read. */
  readonly show: (data: T) => void;
}

/**
 * Reads data when the page appears, whenever `read` is a different function, and after `reload`; retries until there is
 * an answer. Data that an earlier function has read are dropped.
 * @param read keep its identity with `useCallback`
 * @param everyMs time after which it is read again; undefined: only by `reload`
 */
export function useLoaded<T>(read: (signal: AbortSignal) => Promise<T>, everyMs?: number): Loaded<T> {
  const [state, setState] = useState<Reading<T>>(() => nothing(read));
  const [round, setRound] = useState(0);
  // The next request does not abort the one in flight: on a slow service, no request would ever finish.
  const under = useRef({ way: false, again: false });
  const request = useCallback(
    async (signal: AbortSignal): Promise<void> => {
      under.current = { way: true, again: false };
      try {
        const data = await read(signal);
        if (!signal.aborted) setState({ read, data, refused: null });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (!signal.aborted) setState({ read, data: null, refused: error });
      } finally {
        if (!signal.aborted) {
          const { again } = under.current;
          under.current = { way: false, again: false };
          if (again) setRound((before) => before + 1);
        }
      }
    },
    [read, round],
  );
  const { failed: waiting } = useRetried(request);
  const reload = useCallback(() => {
    if (under.current.way) under.current.again = true;
    else setRound((before) => before + 1);
  }, []);
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => {
      if (!document.hidden && !under.current.way) reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, reload]);
  const show = useCallback((data: T) => setState({ read, data, refused: null }), [read]);
  const { data, refused } = state.read === read ? state : nothing(read);
  return { data, refused, waiting, reload, show };
}

export function useJson(path: string, everyMs?: number): Loaded<Json> {
  const { client } = useSession();
  return useLoaded<Json>(
    useCallback(async (signal: AbortSignal) => (await client.get(path, signal)).json ?? {}, [client, path]),
    everyMs,
  );
}

interface Reading<T> extends Pick<Loaded<T>, 'data' | 'refused'> {
  readonly read: unknown;
}

function nothing(read: unknown): Reading<never> {
  return { read, data: null, refused: null };
}
