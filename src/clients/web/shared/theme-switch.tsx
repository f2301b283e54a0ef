import { useState } from 'preact/hooks';
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
  return (
    <button type="button" class="button" onClick={change}>
      {t(themeSwitch, { theme: name })}
    </button>
  );
}
