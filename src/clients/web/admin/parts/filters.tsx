import { useEffect, useId, useState } from 'preact/hooks';
import { Button } from '../../shared/controls.tsx';
import { t, shownZone } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { draftOf, entered } from '../api/drafts.ts';
import type { Field } from '../api/fields.ts';
import { Choice, type ChoiceProps } from './field-input.tsx';
import { InstantInput } from './instant-input.tsx';
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
    return <Choice id={id} field={field} value={value} onChange={onChange} empty={t(say.all)} />;
  }
  return <TypedFilter id={id} field={field} value={value} onChange={onChange} />;
}

/** A filter into which a number, a time, a moment or a text is typed; it applies when the entry is complete and valid. */
function TypedFilter({ id, field, value, onChange }: Omit<ChoiceProps, 'empty'> & { readonly id: string }) {
  const [draft, setDraft] = useState(() => filterDraft(field, value));
  const [fault, setFault] = useState('');
  const problem = `${id}-fault`;
  // The address has changed: by this filter, another one, or the way back.
  useEffect(() => {
    setDraft(filterDraft(field, value));
    setFault('');
  }, [field, value]);
  const commit = (text: string): void => {
    setDraft(text);
    const read = filterValue(field, text);
    setFault(read.fault);
    if (read.fault === '') onChange(read.value);
  };
  const marks = { id, 'aria-invalid': fault !== '', 'aria-describedby': fault === '' ? undefined : problem };
  return (
    <>
      {field.kind === 'instant' ? (
        <InstantInput {...marks} draft={draft} onInput={setDraft} onCommit={commit} />
      ) : (
        <input
          {...marks}
          class="field"
          autocomplete="off"
          value={draft}
          onInput={({ currentTarget }) => setDraft(currentTarget.value)}
          onChange={({ currentTarget }) => commit(currentTarget.value)}
        />
      )}
      {fault !== '' && (
        <p id={problem} class="fault" role="alert">
          {fault}
        </p>
      )}
    </>
  );
}

/** What a filter shows for its value in the address, which is as the API has it: ms, or an instant in UTC. */
function filterDraft(field: Field, value: string): string {
  const isNumber = (field.kind === 'number' || field.kind === 'numbers') && /^\d+$/.test(value);
  const isInstant = field.kind === 'instant' && !Number.isNaN(Date.parse(value));
  if (field.kind === 'instant' && !isInstant) return '';
  return String(draftOf(field, isNumber ? Number(value) : value, shownZone()));
}

/** The value in the address for an entry; empty: no filter. */
function filterValue(field: Field, text: string): { readonly value: string; readonly fault: string } {
  if (text.trim() === '') return { value: '', fault: '' };
  // Texts are judged by the service.
  if (field.kind !== 'number' && field.kind !== 'numbers' && field.kind !== 'instant')
    return { value: text, fault: '' };
  const read = entered(field, text, shownZone());
  if ('fault' in read) return { value: '', fault: t(read.fault.text, read.fault.values) };
  return { value: typeof read.value === 'string' ? read.value : JSON.stringify(read.value), fault: '' };
}
