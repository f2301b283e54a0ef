import type { ComponentChildren, RefObject, TargetedSubmitEvent } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../shared/controls.tsx';
import { objectOf, textOf, type Json } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { Problem, useAction } from './answers.tsx';

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
  return <Button label={t(say.cancel)} onClick={onCancel} />;
}

interface ConfirmedProps {
  readonly label: string;
  readonly kind?: 'primary' | 'danger';
  /** What is question. */
  readonly children: ComponentChildren;
  /** Runs after the confirmation, with the entries; if it throws, the dialog stays open and shows the error. */
  readonly onConfirm: (entries: FormData) => Promise<void>;
}

/** A button that asks first. The question stays as it was asked: the record may change meanwhile. */
export function Confirmed(props: ConfirmedProps) {
  const { label, kind = 'danger' } = props;
  const [question, ask] = useState<ConfirmedProps | null>(null);
  return (
    <>
      <Button label={label} kind={kind === 'danger' ? kind : undefined} onClick={() => ask(props)} />
      {question !== null && <Question {...question} onClose={() => ask(null)} />}
    </>
  );
}

function Question({
  label,
  kind = 'danger',
  children,
  onConfirm,
  onClose,
}: ConfirmedProps & Pick<DialogProps, 'onClose'>) {
  const { busy, failure, run } = useAction();
  const confirm = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const entries = new FormData(event.currentTarget);
    run(async () => {
      await onConfirm(entries);
      onClose();
    });
  };
  return (
    <Dialog title={label} onClose={onClose}>
      <form onSubmit={confirm}>
        <Problem error={failure} />
        {children}
        <div class="actions">
          <Cancel onCancel={onClose} />
          <Button label={label} type="submit" kind={kind} disabled={busy} />
        </div>
      </form>
    </Dialog>
  );
}

/** A text with a copy button; where the page may not write to the clipboard, the text is selected. */
export function Copied({ text, label }: { readonly text: string; readonly label: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [message, setMessage] = useState('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setMessage(t(say.copied));
    } catch {
      // No clipboard here, or no permission to use it.
      input.current?.select();
      setMessage(t(say.copyYourself));
    }
  };
  return (
    <div class="copied">
      <label>
        {label}
        <input ref={input} class="field code" readOnly value={text} autocomplete="off" />
      </label>
      <Button label={t(say.copy)} onClick={() => void copy()} />
      <span role="status">{message}</span>
    </div>
  );
}

/** The id of a record, for programs and for support; a button copies it. */
export function CopyId({ id }: { readonly id: string }) {
  const text = useRef<HTMLElement>(null);
  return (
    <p class="copy-id">
      <code ref={text}>{id}</code>
      <CopyButton text={id} label={t(say.copyId)} of={text} />
    </p>
  );
}

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  /** The element that shows the text: where the page may not write to the clipboard, it is selected. */
  readonly of: RefObject<HTMLElement | null>;
}

/** A button that copies a text that is shown beside it. */
export function CopyButton({ text, label, of }: CopyButtonProps) {
  const [message, setMessage] = useState('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setMessage(t(say.copied));
    } catch {
      // No clipboard here, or no permission to use it.
      if (of.current !== null) getSelection()?.selectAllChildren(of.current);
      setMessage(t(say.copyYourself));
    }
  };
  return (
    <>
      <Button label={label} onClick={() => void copy()} />
      <span role="status">{message}</span>
    </>
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
        <Button label={t(say.done)} kind="primary" onClick={onClose} />
      </div>
    </Dialog>
  );
}
