import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { currentTheme, chooseTheme, t } from './page.ts';
import { themeDark, themeLight, themeSwitch } from '../texts/common.ts';

/** Changes between dark and light. */
export function ThemeSwitch() {
  const [theme, show] = useState(currentTheme);
  const other = theme === 'dark' ? 'light' : 'dark';
  const change = (): void => {
    chooseTheme(other);
    show(other);
  };
  const name = t(other === 'dark' ? themeDark : themeLight);
  return <Button onClick={change}>{t(themeSwitch, { theme: name })}</Button>;
}
