import { useCallback, useState } from 'preact/hooks';
import { Button } from '../../shared/controls.tsx';
import { useRetried } from '../../shared/hooks.ts';
import type { Json } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import common from '../../texts/common.json' with { type: 'json' };
import { Refused, Unanswered } from '../api/client.ts';
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

export function messageOf(error: unknown): string {
  if (error instanceof Refused) {
    if (error.status === 403) return t(say.notAllowed, { detail: error.message });
    if (error.status === 404) return t(say.notFound);
    return error.message;
  }
  if (error instanceof Unanswered) return t(say.noAnswer);
  return error instanceof Error ? error.message : String(error);
}

/** An error, if there is one; screen readers announce it immediately. */
export function Problem({ error }: { readonly error: unknown }) {
  if (error === null || error === '') return null;
  return (
    <p role="alert" class="problem">
      {typeof error === 'string' ? error : messageOf(error)}
    </p>
  );
}

export function Loading({ of }: { readonly of: Pick<Loaded<unknown>, 'data' | 'refused' | 'failed'> }) {
  if (of.refused !== undefined) return <Problem error={of.refused} />;
  if (of.failed) return <p role="status">{t(common.unreachable)}</p>;
  return of.data === undefined ? <Frame /> : null;
}

/** Lines in the place of what is loading. */
export function Frame() {
  return (
    <div class="frame" aria-busy="true">
      <p class="hidden-but-read" role="status">
        {t(common.loading)}
      </p>
      <div class="frame-lines" aria-hidden="true" />
    </div>
  );
}

/** Runs actions on clicks, one at a time, and keeps the last error (null: none) to be shown. */
export function useAction() {
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
  return { busy, failure, run };
}

interface ActionButtonProps {
  readonly label: string;
  readonly onAction: () => Promise<void>;
}

export function ActionButton({ label, onAction }: ActionButtonProps) {
  const { busy, failure, run } = useAction();
  return (
    <>
      <Button label={label} disabled={busy} onClick={() => run(onAction)} />
      <Problem error={failure} />
    </>
  );
}
