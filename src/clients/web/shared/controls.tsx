import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import common from '../texts/common.json' with { type: 'json' };
import { currentTheme, chooseTheme, t } from './page.ts';

interface ButtonProps extends ComponentProps<'button'> {
  readonly label: string;
  readonly kind?: 'primary' | 'danger' | undefined;
}

export function Button({ label, kind, type = 'button', ...rest }: ButtonProps) {
  return (
    <button {...rest} type={type} class={kind === undefined ? 'button' : `button ${kind}`}>
      {label}
    </button>
  );
}

/** Attributes by which an input belongs to its label, its hint and what is wrong with it. */
export interface Marks {
  readonly id?: string;
  readonly 'aria-invalid'?: boolean;
  readonly 'aria-describedby'?: string | undefined;
}

interface SelectProps<T extends string | number> extends Marks {
  readonly value: T;
  readonly options: readonly (readonly [value: T, name: string])[];
  readonly onChange: (value: T) => void;
}

export function Select<T extends string | number>({ options, onChange, ...rest }: SelectProps<T>) {
  const choose = (index: number): void => options.slice(index, index + 1).forEach(([value]) => onChange(value));
  return (
    <select {...rest} class="field" onChange={({ currentTarget }) => choose(currentTarget.selectedIndex)}>
      {options.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}

export function TextInput({ onText, ...rest }: ComponentProps<'input'> & { readonly onText: (text: string) => void }) {
  return (
    <input class="field" autocomplete="off" {...rest} onInput={({ currentTarget }) => onText(currentTarget.value)} />
  );
}

export function ThemeSwitch() {
  const [theme, show] = useState(currentTheme);
  const other = theme === 'dark' ? 'light' : 'dark';
  const change = (): void => {
    chooseTheme(other);
    show(other);
  };
  return (
    <Button
      label={t(common.themeSwitch, { theme: t(other === 'dark' ? common.themeDark : common.themeLight) })}
      onClick={change}
    />
  );
}
