import { useId } from 'preact/hooks';
import { Button } from '../../shared/controls.tsx';
import { t, timeZone } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { draftOf, entered, fromLocal, isTime } from '../api/drafts.ts';
import type { Field } from '../api/fields.ts';
import { Choice, type ChoiceProps } from './field-input.tsx';
import { Picker } from './picker.tsx';

interface FiltersProps {
  readonly filters: readonly Field[];
  readonly query: URLSearchParams;
  readonly onChange: (changes: Readonly<Record<string, string>>) => void;
}

/** The filters of a list, as the API document declares them; they apply at once. */
export function Filters({ filters, query, onChange }: FiltersProps) {
  const prefix = useId();
  if (filters.length === 0) return null;
  const isUsed = filters.some(({ name }) => query.has(name));
  return (
    <details class="filters" open={isUsed}>
      <summary>{t(say.filters)}</summary>
      <div class="filter-fields">
        {filters.map((field) => (
          <div key={field.name} class="form-field">
            <label for={`${prefix}-${field.name}`}>{field.label}</label>
            <FilterInput
              id={`${prefix}-${field.name}`}
              field={field}
              value={query.get(field.name) ?? ''}
              onChange={(value) => onChange({ [field.name]: value })}
            />
          </div>
        ))}
      </div>
      {isUsed && (
        <Button
          label={t(say.noFilters)}
          onClick={() => onChange(Object.fromEntries(filters.map(({ name }) => [name, ''])))}
        />
      )}
    </details>
  );
}

function FilterInput({ id, field, value, onChange }: Omit<ChoiceProps, 'empty'> & { readonly id: string }) {
  if (field.refersTo !== '') {
    return (
      <Picker
        id={id}
        refersTo={field.refersTo}
        chosen={[value].filter(Boolean)}
        many={false}
        onChange={([one = '']) => onChange(one)}
      />
    );
  }
  if (field.kind === 'boolean' || field.kind === 'choice') {
    return <Choice {...{ id, field, value, onChange }} empty={t(say.all)} />;
  }
  const isInstant = field.kind === 'instant';
  const shown = isInstant ? value || null : isTime(field) && value !== '' ? Number(value) : value;
  // What is not valid is sent as it is, so that the service says why.
  const read = (text: string): string => {
    if (isInstant) return fromLocal(text, timeZone) ?? '';
    const one = entered(field, text, timeZone);
    return 'value' in one && typeof one.value === 'number' ? String(one.value) : text;
  };
  return (
    <input
      id={id}
      class="field"
      {...(isInstant && { type: 'datetime-local' })}
      value={String(draftOf(field, shown, timeZone))}
      onChange={({ currentTarget }) => onChange(read(currentTarget.value))}
    />
  );
}
