import { useId, useState } from 'preact/hooks';
import { Button } from '../../shared/controls.tsx';
import { objectOf, textOf, type JsonObject } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { ifMatch, Refused, type Client } from '../api/client.ts';
import { lapName } from '../api/laps.ts';
import { useSession } from '../session.ts';
import { Problem, useAction } from './answers.tsx';
import { Cancel, Confirmed, Dialog } from './dialog.tsx';

/** Reasons for which laps are struck most often. */
const REASONS = [say.reasonCut, say.reasonOff, say.reasonContact, say.reasonDriver, say.reasonFault];

/** The path of a lap in the API. */
function pathOf(lap: JsonObject): string {
  return `/api/v1/laps/${textOf(lap['id'])}`;
}

/**
 * Strikes a lap, or lets it count again. The change applies only to a lap that counts as it is shown.
 * @returns the lap after the change
 * @throws {Error} when somebody else has judged it meanwhile
 */
export async function judge(client: Client, lap: JsonObject, valid: boolean, reason: string): Promise<JsonObject> {
  const path = pathOf(lap);
  const { json, etag } = await client.get(path);
  if (objectOf(json)['valid'] !== lap['valid']) throw new Error(t(say.changedMeanwhile));
  const body = reason === '' ? { valid } : { valid, reason };
  try {
    const answer = await client.send('PATCH', path, { body, headers: ifMatch(etag) });
    const shown = await client.written(answer, etag);
    return shown === null ? { ...objectOf(json), valid } : objectOf(shown.json);
  } catch (error) {
    throw error instanceof Refused && error.status === 412 ? new Error(t(say.changedMeanwhile)) : error;
  }
}

interface ReasonsProps {
  /** Strikes for a reason. */
  readonly onReason: (reason: string) => Promise<void>;
  readonly onCancel: () => void;
}

/** Asks why: by one tap for the usual reasons, or in own words. */
export function Reasons({ onReason, onCancel }: ReasonsProps) {
  const id = useId();
  const [words, setWords] = useState('');
  const { busy, failure, run } = useAction();
  const strike = (reason: string): void => {
    run(async () => {
      if (reason === '') throw new Error(t(say.reasonNeeded));
      await onReason(reason);
    });
  };
  return (
    <form
      class="reasons"
      onSubmit={(event) => {
        event.preventDefault();
        strike(words.trim());
      }}
    >
      <Problem error={failure} />
      <ul>
        {REASONS.map((reason) => (
          <li key={reason.en}>
            <Button label={t(reason)} disabled={busy} onClick={() => strike(t(reason))} />
          </li>
        ))}
      </ul>
      <label for={id}>{t(say.ownReason)}</label>
      <input
        id={id}
        name="reason"
        class="field"
        maxLength={255}
        autocomplete="off"
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
      />
      <div class="actions">
        <Cancel onCancel={onCancel} />
        <Button label={t(say.invalidate)} type="submit" kind="danger" disabled={busy} />
      </div>
    </form>
  );
}

interface StrikeProps {
  readonly lap: JsonObject;
  readonly onStruck: (lap: JsonObject, reason: string) => void;
}

/** A button that strikes a lap, after a reason is given. The question keeps the lap as it was when it was asked. */
export function Strike({ lap, onStruck }: StrikeProps) {
  const { client } = useSession();
  const [asked, ask] = useState<JsonObject | null>(null);
  const strike = async (reason: string): Promise<void> => {
    if (asked === null) return;
    const struck = await judge(client, asked, false, reason);
    ask(null);
    onStruck(struck, reason);
  };
  return (
    <>
      <Button label={t(say.invalidate)} kind="danger" onClick={() => ask(lap)} />
      {asked !== null && (
        <Dialog title={t(say.invalidate)} onClose={() => ask(null)}>
          <p>
            <bdi>{lapName(asked)}</bdi>
          </p>
          <Reasons onReason={strike} onCancel={() => ask(null)} />
        </Dialog>
      )}
    </>
  );
}

interface ValidateProps {
  readonly lap: JsonObject;
  readonly onValidated: (lap: JsonObject) => void;
}

/** A button that lets a struck lap count again, after a question. */
export function Validate({ lap, onValidated }: ValidateProps) {
  const { client } = useSession();
  const id = useId();
  const validate = async (entries: FormData): Promise<void> => {
    const entry = entries.get('reason');
    const reason = typeof entry === 'string' ? entry.trim() : '';
    onValidated(await judge(client, lap, true, reason));
  };
  return (
    <Confirmed label={t(say.validate)} kind="primary" onConfirm={validate}>
      <p>
        <bdi>{lapName(lap)}</bdi>
      </p>
      <label for={id}>{t(say.reasonOptional)}</label>
      <input id={id} name="reason" class="field" maxLength={255} autocomplete="off" />
    </Confirmed>
  );
}

interface UndoProps {
  /** The lap that was struck last, as it is now. */
  readonly lap: JsonObject;
  readonly reason: string;
  readonly onUndone: (lap: JsonObject) => void;
  readonly onClose: () => void;
}

/** Says which lap was struck, and takes that back. */
export function Undo({ lap, reason, onUndone, onClose }: UndoProps) {
  const { client } = useSession();
  const { busy, failure, run } = useAction();
  const undo = (): void => run(async () => onUndone(await judge(client, lap, true, t(say.undone))));
  return (
    <div class="undo">
      <div role="status">
        <p>{t(say.struck, { lap: lapName(lap), reason })}</p>
        <Problem error={failure} />
      </div>
      <Button label={t(say.undo)} kind="primary" disabled={busy} onClick={undo} />
      <button type="button" class="button" aria-label={t(say.close)} onClick={onClose}>
        ×
      </button>
    </div>
  );
}
