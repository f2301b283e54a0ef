import { useCallback } from 'preact/hooks';
import { useRetried } from '../../shared/hooks.ts';
import type { Json } from '../../shared/json.ts';
import { Refused } from '../api/client.ts';
import { useSession } from '../session.ts';

export type Loaded<T> = ReturnType<typeof useLoaded<T>>;

/** Reads data as `useRetried` does, until the service answers; its refusal is an answer, too. */
export function useLoaded<T>(read: (signal: AbortSignal) => Promise<T>, everyMs?: number) {
  const readOrRefused = useCallback(
    (signal: AbortSignal) =>
      read(signal).catch((error: unknown) => {
        if (error instanceof Refused) return error;
        throw error;
      }),
    [read],
  );
  const { data: answer, ...rest } = useRetried<T | Refused>(readOrRefused, everyMs);
  const [data, refused] = answer instanceof Refused ? [undefined, answer] : [answer, undefined];
  return { ...rest, data, refused };
}

export function useJson(path: string, everyMs?: number): Loaded<Json> {
  const { client } = useSession();
  return useLoaded<Json>(
    useCallback(async (signal: AbortSignal) => (await client.get(path, signal)).json ?? {}, [client, path]),
    everyMs,
  );
}
