import { useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { Problem } from './notice.tsx';
import { useAction } from './use-action.ts';
import { Cancel } from './cancel.tsx';

interface ConfirmedProps {
  readonly label: string;
  readonly question: string;
  /** What is done once it is confirmed; the dialog stays, and shows what it throws. */
  readonly onConfirm: () => Promise<void>;
}

/** A button for what cannot be undone: it asks first. */
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
      <button
        type="button"
        class="button danger"
        onClick={() => {
          setAsking(true);
        }}
      >
        {label}
      </button>
      {asking && (
        <Dialog title={label} onClose={close}>
          <p>{question}</p>
          <Problem error={failure} />
          <div class="actions">
            <Cancel onCancel={close} />
            <button type="button" class="button danger" disabled={busy} onClick={confirm}>
              {label}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
