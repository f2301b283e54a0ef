import { useId, useState } from 'preact/hooks';
import { objectOf } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import * as say from '../../texts/admin.ts';
import { Refused } from '../api/client.ts';
import { useSession } from '../session.ts';
import { Dialog } from './dialog.tsx';
import { Problem } from './notice.tsx';
import { useAction } from './use-action.ts';
import { Cancel } from './cancel.tsx';

interface VerdictProps {
  /** Path of the lap in the API. */
  readonly path: string;
  readonly valid: boolean;
  readonly onDone: () => void;
}

/** Invalidates a lap, with a reason, or validates it again. */
export function Verdict({ path, valid, onDone }: VerdictProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class={valid ? 'button danger' : 'button'} onClick={() => setAsking(true)}>
        {t(valid ? say.invalidate : say.validate)}
      </button>
      {asking && <VerdictDialog {...{ path, valid, onDone }} onClose={() => setAsking(false)} />}
    </>
  );
}

function VerdictDialog({ path, valid, onDone, onClose }: VerdictProps & { readonly onClose: () => void }) {
  const { client } = useSession();
  const id = useId();
  // The lap may change while the dialog is open; the question stays the same.
  const [wasValid] = useState(valid);
  const [reason, setReason] = useState('');
  const { busy, failure, run } = useAction();
  const send = async (): Promise<void> => {
    if (wasValid && reason.trim() === '') throw new Error(t(say.reasonNeeded));
    const { json, etag } = await client.get(path);
    if (objectOf(json)['valid'] !== wasValid) throw new Error(t(say.changedMeanwhile));
    const body = { valid: !wasValid, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) };
    await client.send('PATCH', path, { body, headers: etag === null ? {} : { 'If-Match': etag } }).catch(meanwhile);
    onClose();
    onDone();
  };
  const title = t(wasValid ? say.invalidate : say.validate);
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run(send);
        }}
      >
        <Problem error={failure} />
        <label for={id}>{t(wasValid ? say.reason : say.reasonOptional)}</label>
        <input
          id={id}
          class="field"
          maxLength={255}
          autocomplete="off"
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <div class="actions">
          <Cancel onCancel={onClose} />
          <button type="submit" disabled={busy} class={wasValid ? 'button danger' : 'button primary'}>
            {title}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Explains a refusal caused by another change to the lap in the meantime. */
function meanwhile(error: unknown): never {
  throw error instanceof Refused && error.status === 412 ? new Error(t(say.changedMeanwhile)) : error;
}
