import { useId, useState } from 'preact/hooks';
import { Button, Select, TextInput, type Marks } from '../../shared/controls.tsx';
import { isList, textOf } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { entered, timeMeant, type Draft } from '../api/drafts.ts';
import { isCountry } from '../api/countries.ts';
import { isTime, type Field } from '../api/fields.ts';
import { isTimeZone } from '../api/time-zones.ts';
import { choiceText } from '../api/words.ts';
import { useSession } from '../session.ts';
import { CountryInput } from './country-input.tsx';
import { Dialog } from './dialog.tsx';
import { InstantInput } from './instant-input.tsx';
import { Picker } from './picker.tsx';
import { Upload } from './upload.tsx';
import { Picture } from './value.tsx';
import { ZoneInput } from './zone-input.tsx';

interface FieldProps {
  readonly field: Field;
  readonly draft: Draft;
  /** What is wrong with the entry; empty: nothing. */
  readonly fault: string;
  /** What is odd about the entry, though it can be saved; empty: nothing. */
  readonly oddity: string;
  readonly onChange: (draft: Draft) => void;
}

/** A field of a form: its name, what it means, its input, and what is wrong with it. */
export function FieldInput(props: FieldProps) {
  const { field, draft, fault, oddity } = props;
  const id = useId();
  const hint = `${id}-hint`;
  const problem = `${id}-fault`;
  const notes = `${id}-notes`;
  const meant = timeMeant(field, draft);
  const describedBy = [field.description === '' ? '' : hint, notes, fault === '' ? '' : problem]
    .filter(Boolean)
    .join(' ');
  const marks = { id, 'aria-invalid': fault !== '', 'aria-describedby': describedBy || undefined };
  return (
    <div class="form-field" data-kind={kindOf(field)}>
      <label for={id}>
        {field.label}
        {field.unit !== '' && <span class="quiet"> ({isTime(field) ? t(say.timeUnit) : field.unit})</span>}
        {isMandatory(field) && <span aria-hidden="true"> *</span>}
      </label>
      <Input {...props} marks={marks} />
      {fault !== '' && (
        <p id={problem} class="fault">
          {fault}
        </p>
      )}
      <div id={notes} role="status">
        {meant !== '' && <p class="hint meant">= {meant}</p>}
        {oddity !== '' && <p class="hint oddity">{oddity}</p>}
      </div>
      {field.description !== '' && (
        <p id={hint} class="hint">
          {field.description}
        </p>
      )}
    </div>
  );
}

/** What the input of a field is for. */
function kindOf(field: Field): string {
  if (isCountry(field)) return 'country';
  return isTimeZone(field) ? 'time-zone' : field.kind;
}

/** Whether a form is refused without an entry in the field. */
function isMandatory(field: Field): boolean {
  return 'fault' in entered(field, field.kind === 'references' ? [] : '', undefined);
}

interface InputProps extends Omit<FieldProps, 'fault' | 'oddity'> {
  readonly marks: Marks & { readonly id: string };
}

function Input(props: InputProps) {
  const { field, draft, onChange } = props;
  const { kind, isFile } = field;
  if (kind === 'reference' || kind === 'references') return <ReferenceInput {...props} />;
  if (isCountry(field)) return <CountryInput {...props.marks} code={String(draft)} onChange={onChange} />;
  if (isTimeZone(field)) return <ZoneInput {...props.marks} zone={String(draft)} onChange={onChange} />;
  if (kind === 'choice' || kind === 'boolean') return <ChoiceInput {...props} />;
  if (kind === 'json' || kind === 'texts') {
    const add = (key: string): void => onChange([...String(draft).split('\n').filter(Boolean), key].join('\n'));
    return (
      <>
        <LongInput {...props} />
        {isFile && <FileUploader field={field} onDone={add} />}
      </>
    );
  }
  if (kind !== 'file') return <ShortInput {...props} />;
  return (
    <div class="file-input">
      <ShortInput {...props} />
      <FileUploader field={field} onDone={onChange} />
      <Picture of={String(draft)} />
    </div>
  );
}

function ShortInput({ field, draft, onChange, marks }: InputProps) {
  const attributes = { ...marks, required: isMandatory(field) };
  if (field.kind === 'instant') return <InstantInput {...attributes} draft={String(draft)} onInput={onChange} />;
  // A keypad of digits has no colon.
  const inputMode = field.kind === 'number' && !isTime(field) ? 'decimal' : undefined;
  return <TextInput {...attributes} inputMode={inputMode} value={String(draft)} onText={onChange} />;
}

function ReferenceInput({ field, draft, onChange, marks }: InputProps) {
  const many = field.kind === 'references';
  const chosen = typeof draft === 'string' ? [draft].filter(Boolean) : draft;
  const { resource, may } = useSession();
  const target = resource(field.refersTo);
  if (target !== null && (may(target.list) || may(target.current))) {
    const change = (ids: readonly string[]): void => onChange(many ? ids : (ids[0] ?? ''));
    return <Picker {...marks} refersTo={field.refersTo} chosen={chosen} many={many} adds onChange={change} />;
  }
  const type = (text: string): void => onChange(many ? text.split(/\s+/).filter(Boolean) : text.trim());
  return <TextInput {...marks} value={chosen.join(' ')} onText={type} />;
}

function ChoiceInput({ field, draft, onChange, marks }: InputProps) {
  const mayBeEmpty = field.nullable || draft === '' || !field.required;
  const empty = mayBeEmpty ? t(field.nullable ? say.none : say.notSaid) : null;
  return <Choice {...marks} field={field} empty={empty} value={String(draft)} onChange={onChange} />;
}

export interface ChoiceProps extends Marks {
  readonly field: Field;
  readonly value: string;
  /** Text of the entry that chooses nothing; null: something has to be chosen. */
  readonly empty: string | null;
  readonly onChange: (value: string) => void;
}

export function Choice({ field: { kind, choices }, empty, ...rest }: ChoiceProps) {
  const none = empty === null ? [] : [['', empty] as const];
  const yesAndNo = [['true', t(say.yes)] as const, ['false', t(say.no)] as const];
  const options = kind === 'boolean' ? yesAndNo : choices.map((one) => [one, choiceText(one)] as const);
  return <Select {...rest} options={[...none, ...options]} />;
}

function LongInput({ field, draft, onChange, marks }: InputProps) {
  return (
    <>
      <textarea
        {...marks}
        class="field"
        rows={3}
        spellcheck={false}
        value={String(draft)}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <p class="hint">{t(field.kind === 'texts' ? say.onePerLine : say.outlineHint)}</p>
    </>
  );
}

/** A button that uploads a file for a field, in the folder that the field's example is in. */
function FileUploader({ field, onDone }: { readonly field: Field; readonly onDone: (key: string) => void }) {
  const [uploading, setUploading] = useState(false);
  const { mayCall } = useSession();
  if (!mayCall('POST', '/api/v1/cdn')) return null;
  const example = isList(field.example) ? field.example[0] : field.example;
  const title = t(say.uploadFor, { field: field.label });
  const close = (): void => setUploading(false);
  const done = (key: string): void => {
    onDone(key);
    close();
  };
  return (
    <>
      <Button label={title} onClick={() => setUploading(true)} />
      {uploading && (
        <Dialog title={title} onClose={close}>
          <Upload folder={textOf(example).split('/')[0] ?? ''} onDone={done} onCancel={close} />
        </Dialog>
      )}
    </>
  );
}
