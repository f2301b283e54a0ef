import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../shared/controls.tsx';
import { objectOf, textOf, type Json } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { Problem, useAction } from './problem.tsx';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
  /** Whether Escape leaves it open, because its content cannot be shown again. */
  readonly keepsOpen?: boolean;
}

export function Dialog({ title, children, onClose, keepsOpen = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const name = useId();
  // At once: it has the focus before anybody types on.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={name}
      onKeyDown={(event) => {
        if (keepsOpen && event.key === 'Escape') event.preventDefault();
      }}
      onClose={onClose}
    >
      <h2 id={name}>{title}</h2>
      {children}
    </dialog>
  );
}

export function Cancel({ onCancel }: { readonly onCancel: () => void }) {
  return <Button onClick={onCancel}>{t(say.cancel)}</Button>;
}

interface QuestionProps extends Omit<DialogProps, 'keepsOpen'> {
  readonly kind: 'primary' | 'danger';
  /** Runs after the confirmation; if it throws, the dialog stays open and shows the error. */
  readonly onConfirm: () => Promise<void>;
}

export function Question({ title, kind, children, onConfirm, onClose }: QuestionProps) {
  const { busy, failure, run } = useAction();
  const confirm = (event: SubmitEvent): void => {
    event.preventDefault();
    run(async () => {
      await onConfirm();
      onClose();
    });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={confirm}>
        <Problem error={failure} />
        {children}
        <div class="actions">
          <Cancel onCancel={onClose} />
          <button type="submit" disabled={busy} class={`button ${kind}`}>
            {title}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface ConfirmedProps extends Pick<QuestionProps, 'onConfirm'> {
  readonly label: string;
  readonly question: string;
}

export function Confirmed({ label, question, onConfirm }: ConfirmedProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        {label}
      </Button>
      {asking && (
        <Question kind="danger" title={label} onConfirm={onConfirm} onClose={() => setAsking(false)}>
          <p>{question}</p>
        </Question>
      )}
    </>
  );
}

/** A text with a copy button; where the page may not write to the clipboard, the text is selected. */
export function Copied({ text, label }: { readonly text: string; readonly label: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid(t(say.copied));
    } catch {
      // No clipboard here, or no permission to use it.
      input.current?.select();
      setSaid(t(say.copyYourself));
    }
  };
  return (
    <div class="copied">
      <label>
        {label}
        <input ref={input} class="field code" readOnly value={text} autocomplete="off" />
      </label>
      <Button onClick={() => void copy()}>{t(say.copy)}</Button>
      <span role="status">{said}</span>
    </div>
  );
}

export function tokenIn(answer: Json | undefined): string | null {
  const { token, apiKey } = objectOf(answer);
  return textOf(token) || textOf(objectOf(apiKey)['token']) || null;
}

/** Shows a token, only this once: it is not stored anywhere. */
export function TokenDialog({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  return (
    <Dialog title={t(say.newKey)} onClose={onClose} keepsOpen>
      <p>{t(say.tokenOnce)}</p>
      <Copied text={token} label={t(say.token)} />
      <div class="actions">
        <Button kind="primary" onClick={onClose}>
          {t(say.done)}
        </Button>
      </div>
    </Dialog>
  );
}
