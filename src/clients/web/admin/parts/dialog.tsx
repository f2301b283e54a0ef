import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
  /** Whether Escape leaves it open, because its content cannot be shown again. */
  readonly keepsOpen?: boolean;
}

/** A dialog above the page, open for as long as it is rendered. */
export function Dialog({ title, children, onClose, keepsOpen = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const name = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
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
