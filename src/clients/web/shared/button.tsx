import type { ComponentChildren } from 'preact';

interface ButtonProps {
  readonly kind?: 'primary' | 'danger';
  readonly disabled?: boolean;
  readonly 'aria-expanded'?: boolean;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

/** A button that does something on this page. */
export function Button({ kind, ...rest }: ButtonProps) {
  return <button {...rest} type="button" class={kind === undefined ? 'button' : `button ${kind}`} />;
}
