import { useState } from 'preact/hooks';
import { Button } from '../../shared/button.tsx';
import { Dialog } from './dialog.tsx';
import { Problem } from './notice.tsx';
import { useAction } from './use-action.ts';
import { Cancel } from './cancel.tsx';

interface ConfirmedProps {
  readonly label: string;
  readonly question: string;
  /** Runs after the confirmation; if it throws, the dialog stays open and shows the error. */
  readonly onConfirm: () => Promise<void>;
}

/** A button for an action that cannot be undone: it asks first. */
export function Confirmed({ label, question, onConfirm }: ConfirmedProps) {
  const [asking, setAsking] = useState(false);
  const { busy, failure, run, clear } = useAction();
  const close = (): void => {
    setAsking(false);
    clear();
  };
  const confirm = (): void => {
    run(async () => {
      await onConfirm();
      close();
    });
  };
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        {label}
      </Button>
      {asking && (
        <Dialog title={label} onClose={close}>
          <p>{question}</p>
          <Problem error={failure} />
          <div class="actions">
            <Cancel onCancel={close} />
            <Button kind="danger" disabled={busy} onClick={confirm}>
              {label}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
