import { useId, useState } from 'preact/hooks';
import { Button, TextInput } from '../../shared/controls.tsx';
import { objectOf } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import * as say from '../../texts/admin.ts';
import { ifMatch, Refused } from '../api/client.ts';
import { useSession } from '../session.ts';
import { Question } from './dialog.tsx';

interface VerdictProps {
  /** Path of the lap in the API. */
  readonly path: string;
  readonly valid: boolean;
  readonly onDone: () => void;
}

/** Invalidates a lap, with a reason, or validates it again. */
export function Verdict(props: VerdictProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button kind={props.valid ? 'danger' : undefined} onClick={() => setAsking(true)}>
        {t(props.valid ? say.invalidate : say.validate)}
      </Button>
      {asking && <VerdictDialog {...props} onClose={() => setAsking(false)} />}
    </>
  );
}

function VerdictDialog({ path, valid, onDone, onClose }: VerdictProps & { readonly onClose: () => void }) {
  const { client } = useSession();
  const id = useId();
  // The lap may change while the dialog is open; the question stays the same.
  const [wasValid] = useState(valid);
  const [entry, setEntry] = useState('');
  const reason = entry.trim();
  const send = async (): Promise<void> => {
    if (wasValid && reason === '') throw new Error(t(say.reasonNeeded));
    const { json, etag } = await client.get(path);
    if (objectOf(json)['valid'] !== wasValid) throw new Error(t(say.changedMeanwhile));
    const body = { valid: !wasValid, ...(reason !== '' && { reason }) };
    await client.send('PATCH', path, { body, headers: ifMatch(etag) }).catch((error: unknown) => {
      throw error instanceof Refused && error.status === 412 ? new Error(t(say.changedMeanwhile)) : error;
    });
    onDone();
  };
  return (
    <Question
      title={t(wasValid ? say.invalidate : say.validate)}
      kind={wasValid ? 'danger' : 'primary'}
      onConfirm={send}
      onClose={onClose}
    >
      <label for={id}>{t(wasValid ? say.reason : say.reasonOptional)}</label>
      <TextInput id={id} maxLength={255} value={entry} onText={setEntry} />
    </Question>
  );
}
