import type { Marks } from '../../shared/controls.tsx';
import { zoneOptions, zoneText } from '../api/time-zones.ts';
import { OptionBox } from './picker.tsx';

interface ZoneInputProps extends Marks {
  readonly id: string;
  /** IANA name; empty: none. */
  readonly zone: string;
  readonly onChange: (zone: string) => void;
}

const OPTIONS = zoneOptions();

const NONE: readonly string[] = [];

/** Chooses a time zone by its name. */
export function ZoneInput({ zone, onChange, ...marks }: ZoneInputProps) {
  return (
    <div class="picker">
      <OptionBox
        {...marks}
        shown={zoneText(zone)}
        options={OPTIONS}
        leftOut={NONE}
        onChoose={onChange}
        onClear={() => onChange('')}
        onAdd={null}
      />
    </div>
  );
}
