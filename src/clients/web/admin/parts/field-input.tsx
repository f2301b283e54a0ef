import type { ComponentChildren } from 'preact';
import { t } from '../../shared/page.ts';
import { lapTime } from '../../shared/times.ts';
import * as say from '../../texts/admin.ts';
import { useSession } from '../session.ts';
import { Choice } from './choice.tsx';
import { FileInput, FileUploader } from './file-input.tsx';
import type { FieldProps, InputProps } from './input-props.ts';
import { Picker } from './picker.tsx';

/** A field of a form: its name, what it means, its input, and what is wrong with it. */
export function FieldInput(props: FieldProps & { readonly prefix: string }) {
  const { field, fault, prefix } = props;
  const id = `${prefix}-${field.name}`;
  const [hint, problem] = [`${id}-hint`, `${id}-fault`];
  const describedBy = [field.description === '' ? '' : hint, fault === '' ? '' : problem].filter(Boolean).join(' ');
  return (
    <div class="form-field" data-kind={field.kind}>
      <label for={id}>
        {field.label}
        {field.unit !== '' && <span class="quiet"> ({field.unit})</span>}
        {field.required && !field.nullable && <span aria-hidden="true"> *</span>}
      </label>
      <Input {...props} id={id} describedBy={describedBy === '' ? undefined : describedBy} />
      {fault !== '' && (
        <p id={problem} class="fault">
          {fault}
        </p>
      )}
      {field.description !== '' && (
        <p id={hint} class="hint">
          {field.description}
          <TimeHint {...props} />
        </p>
      )}
    </div>
  );
}

/** A time in ms as people say it. */
function TimeHint({ field, draft }: FieldProps) {
  const ms = Number(draft);
  return field.kind === 'number' && field.unit === 'ms' && ms > 0 ? <strong> = {lapTime(ms)}</strong> : null;
}

function Input(props: InputProps) {
  const { field } = props;
  switch (field.kind) {
    case 'reference':
    case 'references':
      return <ReferenceInput {...props} />;
    case 'file':
      return <FileInput {...props} />;
    case 'choice':
    case 'boolean':
      return <ChoiceInput {...props} />;
    case 'json':
    case 'texts':
      return (
        <LongInput {...props}>
          {field.isFile && (
            <FileUploader
              field={field}
              onDone={(key) => props.onChange([...String(props.draft).split('\n').filter(Boolean), key].join('\n'))}
            />
          )}
        </LongInput>
      );
    default:
      return <ShortInput {...props} />;
  }
}

function ShortInput({ field, draft, onChange, id, describedBy, fault }: InputProps) {
  const attributes = {
    id,
    class: 'field',
    required: field.required && !field.nullable,
    'aria-invalid': fault !== '',
    'aria-describedby': describedBy,
    value: String(draft),
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => onChange(currentTarget.value),
  };
  if (field.kind === 'instant') return <input {...attributes} type="datetime-local" step="any" />;
  return <input {...attributes} inputMode={field.kind === 'number' ? 'decimal' : undefined} autocomplete="off" />;
}

function ReferenceInput({ field, draft, onChange, id, describedBy, fault }: InputProps) {
  const many = field.kind === 'references';
  const { resource, may } = useSession();
  const target = resource(field.refersTo);
  if (target === null || !(may(target.list) || may(target.current))) {
    return (
      <input
        id={id}
        class="field"
        value={typeof draft === 'string' ? draft : draft.join(' ')}
        aria-describedby={describedBy}
        onInput={({ currentTarget: { value } }) => onChange(many ? value.split(/\s+/).filter(Boolean) : value.trim())}
      />
    );
  }
  return (
    <Picker
      id={id}
      refersTo={field.refersTo}
      chosen={typeof draft === 'string' ? [draft].filter(Boolean) : draft}
      many={many}
      describedBy={describedBy}
      invalid={fault !== ''}
      onChange={(chosen) => onChange(many ? chosen : (chosen[0] ?? ''))}
    />
  );
}

function ChoiceInput({ field, draft, onChange, id, describedBy, fault }: InputProps) {
  const mayBeEmpty = field.nullable || draft === '' || !field.required;
  const empty = mayBeEmpty ? t(field.nullable ? say.none : say.notSaid) : null;
  return <Choice {...{ id, field, empty, describedBy, onChange }} value={String(draft)} invalid={fault !== ''} />;
}

function LongInput({
  field,
  draft,
  onChange,
  id,
  describedBy,
  fault,
  children,
}: InputProps & { readonly children: ComponentChildren }) {
  return (
    <>
      <textarea
        id={id}
        class={field.kind === 'json' ? 'field code' : 'field'}
        rows={3}
        spellcheck={false}
        aria-invalid={fault !== ''}
        aria-describedby={describedBy}
        value={String(draft)}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {field.kind === 'texts' && <p class="hint">{t(say.onePerLine)}</p>}
      {children}
    </>
  );
}
