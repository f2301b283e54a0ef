import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { themeDark, themeLight, themeSwitch } from '../texts/common.ts';
import { currentTheme, chooseTheme, t } from './page.ts';

interface ButtonProps {
  readonly kind?: 'primary' | 'danger' | undefined;
  readonly disabled?: boolean;
  readonly 'aria-expanded'?: boolean;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

/** A button that does something on this page. */
export function Button({ kind, ...rest }: ButtonProps) {
  return <button {...rest} type="button" class={kind === undefined ? 'button' : `button ${kind}`} />;
}

/** Changes between dark and light. */
export function ThemeSwitch() {
  const [theme, show] = useState(currentTheme);
  const other = theme === 'dark' ? 'light' : 'dark';
  const change = (): void => {
    chooseTheme(other);
    show(other);
  };
  return <Button onClick={change}>{t(themeSwitch, { theme: t(other === 'dark' ? themeDark : themeLight) })}</Button>;
}
