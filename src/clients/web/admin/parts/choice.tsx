import { t } from '../../shared/page.ts';
import * as say from '../../texts/admin.ts';
import type { Field } from '../api/fields.ts';

interface ChoiceProps {
  readonly id: string;
  readonly field: Field;
  readonly value: string;
  /** Text of the entry that chooses nothing; null: something has to be chosen. */
  readonly empty: string | null;
  readonly invalid?: boolean;
  readonly describedBy?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Chooses one of the values of a field, or yes or no. */
export function Choice({ id, field, value, empty, invalid, describedBy, onChange }: ChoiceProps) {
  const choices = field.kind === 'boolean' ? ['true', 'false'] : field.choices;
  const names: Readonly<Record<string, string>> =
    field.kind === 'boolean' ? { true: t(say.yes), false: t(say.no) } : {};
  return (
    <select
      id={id}
      class="field"
      value={value}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {empty !== null && <option value="">{empty}</option>}
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {names[choice] ?? choice}
        </option>
      ))}
    </select>
  );
}
