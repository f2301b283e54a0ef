import { useId, useMemo, useRef, useState } from 'preact/hooks';
import type { JsonObject } from '../../shared/json.ts';
import { t, timeZone } from '../../shared/page.ts';
import * as say from '../../texts/admin.ts';
import { entered, type Draft, type Drafts } from '../api/drafts.ts';
import { Refused, type PlacedFault } from '../api/client.ts';
import type { Field } from '../api/fields.ts';
import { FieldInput } from './field-input.tsx';
import { messageOf } from './notice.tsx';
import { Cancel } from './cancel.tsx';

interface FormProps {
  readonly fields: readonly Field[];
  /** What the form begins with. */
  readonly drafts: Drafts;
  /** Whether unchanged fields are left out and not checked: a form may show less than what is stored. */
  readonly changesOnly?: boolean;
  readonly submitLabel: string;
  /** Sends the entries; errors are shown. */
  readonly onSubmit: (body: JsonObject) => Promise<void>;
  readonly onCancel?: () => void;
}

type Faults = Readonly<Record<string, string>>;

/** The body made of the entries, and their faults by field. */
function bodyOf(fields: readonly Field[], drafts: Drafts): { readonly body: JsonObject; readonly faults: Faults } {
  const read = fields.map((field) => [field.name, entered(field, drafts[field.name] ?? '', timeZone)] as const);
  return {
    body: Object.fromEntries(read.flatMap(([name, one]) => ('value' in one ? [[name, one.value]] : []))),
    faults: Object.fromEntries(
      read.flatMap(([name, one]) => ('fault' in one ? [[name, t(one.fault.text, one.fault.values)]] : [])),
    ),
  };
}

/** What the service found wrong, beside the fields that it names; all else on top. */
function placed(faults: readonly PlacedFault[], fields: readonly Field[]): { faults: Faults; others: string[] } {
  const byField: Record<string, string> = {};
  const others: string[] = [];
  for (const { pointer, detail } of faults) {
    const [name = '', ...rest] = pointer.replace(/^#\//, '').split('/').map(unescaped);
    if (fields.some((field) => field.name === name)) {
      const where = rest.length === 0 ? '' : `${rest.join('/')}: `;
      byField[name] = [byField[name] ?? '', `${where}${detail}`].filter(Boolean).join('; ');
    } else others.push(`${pointer}: ${detail}`);
  }
  return { faults: byField, others };
}

/** A part of a JSON pointer (RFC 6901) as it was before it was escaped. */
function unescaped(part: string): string {
  return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** A form for the fields of a body: checked by the document's own constraints, then by the service. */
export function Form({ fields, drafts: first, changesOnly = false, submitLabel, onSubmit, onCancel }: FormProps) {
  const prefix = useId();
  const form = useRef<HTMLFormElement>(null);
  const [drafts, setDrafts] = useState(first);
  const [faults, setFaults] = useState<Faults>({});
  const [general, setGeneral] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const change = (name: string, draft: Draft): void => setDrafts((before) => ({ ...before, [name]: draft }));
  const complain = (found: Faults, others: readonly string[]): void => {
    setFaults(found);
    setGeneral(others);
    // When they are shown: readers hear the fault with the field that gets the focus.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const submit = async (): Promise<void> => {
    const sent = fields.filter(({ name, required }) => !changesOnly || required || drafts[name] !== first[name]);
    const { body, faults: found } = bodyOf(sent, drafts);
    if (Object.keys(found).length > 0) {
      complain(found, [t(say.checkFields)]);
      return;
    }
    setBusy(true);
    complain({}, []);
    try {
      await onSubmit(body);
    } catch (error) {
      const told = placed(error instanceof Refused ? error.faults : [], fields);
      complain(told.faults, [messageOf(error), ...told.others]);
    } finally {
      setBusy(false);
    }
  };
  const onFormSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    void submit();
  };
  return (
    <form ref={form} class="record-form" noValidate onSubmit={onFormSubmit}>
      <Faulty of={general} />
      <Fields {...{ fields, drafts, faults, prefix, change }} />
      <Buttons {...{ submitLabel, busy, onCancel }} />
    </form>
  );
}

interface ButtonsProps {
  readonly submitLabel: string;
  readonly busy: boolean;
  readonly onCancel: (() => void) | undefined;
}

function Buttons({ submitLabel, busy, onCancel }: ButtonsProps) {
  return (
    <div class="actions">
      <button type="submit" class="button primary" disabled={busy}>
        {submitLabel}
      </button>
      {onCancel !== undefined && <Cancel onCancel={onCancel} />}
    </div>
  );
}

function Faulty({ of }: { readonly of: readonly string[] }) {
  return (
    <div role="alert">
      {of.map((text) => (
        <p key={text} class="problem">
          {text}
        </p>
      ))}
    </div>
  );
}

interface FieldsProps {
  readonly fields: readonly Field[];
  readonly drafts: Drafts;
  readonly faults: Faults;
  readonly prefix: string;
  readonly change: (name: string, draft: Draft) => void;
}

function Fields({ fields, drafts, faults, prefix, change }: FieldsProps) {
  const inputs = useMemo(
    () => fields.map((field) => ({ field, set: (draft: Draft) => change(field.name, draft) })),
    [fields],
  );
  return (
    <div class="form-fields">
      {inputs.map(({ field, set }) => (
        <FieldInput
          key={field.name}
          field={field}
          prefix={prefix}
          draft={drafts[field.name] ?? ''}
          fault={faults[field.name] ?? ''}
          onChange={set}
        />
      ))}
    </div>
  );
}
