import type { Marks } from '../../shared/controls.tsx';
import { language } from '../../shared/page.ts';
import { countryName, countryOptions } from '../api/countries.ts';
import { OptionBox } from './picker.tsx';

interface CountryInputProps extends Marks {
  readonly id: string;
  /** Of three letters (ISO 3166-1); empty: none. */
  readonly code: string;
  readonly onChange: (code: string) => void;
}

const OPTIONS = countryOptions(language);

const NONE: readonly string[] = [];

/** Chooses a country by its name. */
export function CountryInput({ code, onChange, ...marks }: CountryInputProps) {
  return (
    <div class="picker">
      <OptionBox
        {...marks}
        shown={code === '' ? '' : countryName(code, language)}
        options={OPTIONS}
        leftOut={NONE}
        onChoose={onChange}
        onClear={() => onChange('')}
        onAdd={null}
      />
    </div>
  );
}
