import { useId, useRef, useState } from 'preact/hooks';
import type { JsonObject } from '../../shared/json.ts';
import { t, timeZone } from '../../shared/page.ts';
import * as say from '../../texts/admin.ts';
import { partsOf, placeIn, Refused } from '../api/client.ts';
import { entered, type Drafts } from '../api/drafts.ts';
import type { Field } from '../api/fields.ts';
import { Cancel } from './dialog.tsx';
import { FieldInput } from './field-input.tsx';
import { messageOf } from './problem.tsx';
import { useUnsaved } from '../router.tsx';

interface FormProps {
  readonly fields: readonly Field[];
  readonly drafts: Drafts;
  /** Whether unchanged fields are left out and not checked: a form may show less than what is stored. */
  readonly changesOnly?: boolean;
  readonly submitLabel: string;
  /** Sends the entries; errors are shown. */
  readonly onSubmit: (body: JsonObject) => Promise<void>;
  readonly onCancel?: () => void;
}

interface Complaints {
  readonly faults: Readonly<Record<string, string>>;
  readonly general: readonly string[];
}

const NO_COMPLAINTS: Complaints = { faults: {}, general: [] };

function bodyOf(fields: readonly Field[], drafts: Drafts) {
  const read = fields.map((field) => [field.name, entered(field, drafts[field.name] ?? '', timeZone)] as const);
  const body: JsonObject = Object.fromEntries(
    read.flatMap(([name, one]) => ('value' in one ? [[name, one.value]] : [])),
  );
  const faults: Complaints['faults'] = Object.fromEntries(
    read.flatMap(([name, one]) => ('fault' in one ? [[name, t(one.fault.text, one.fault.values)]] : [])),
  );
  return { body, faults };
}

/** Why a request failed: beside the fields that the service names; all else on top. */
function complaintsOf(error: unknown, fields: readonly Field[]): Complaints {
  const faults: Record<string, string> = {};
  const refused = error instanceof Refused ? error : null;
  const general: string[] = [];
  for (const { pointer, detail } of refused?.faults ?? []) {
    const [name = '', ...rest] = partsOf(pointer);
    if (fields.some((field) => field.name === name)) {
      const where = rest.length === 0 ? '' : `${placeIn(rest.join('/'))}: `;
      faults[name] = [faults[name] ?? '', `${where}${detail}`].filter(Boolean).join('; ');
    } else general.push(`${placeIn(pointer)}: ${detail}`);
  }
  if (refused?.repeatsFault !== true) general.unshift(messageOf(error));
  else if (Object.keys(faults).length > 0) general.unshift(t(say.checkFields));
  return { faults, general };
}

/** Sends the entries of a form if they are valid; otherwise, or when they are refused, there are complaints. */
function useSubmission({ fields, onSubmit }: Pick<FormProps, 'fields' | 'onSubmit'>) {
  const form = useRef<HTMLFormElement>(null);
  const [complaints, setComplaints] = useState(NO_COMPLAINTS);
  const [busy, setBusy] = useState(false);
  const complain = (found: Complaints): void => {
    setComplaints(found);
    // Once they are shown: screen readers announce a fault when its field gets the focus.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const submit = async (sent: readonly Field[], drafts: Drafts): Promise<void> => {
    const { body, faults } = bodyOf(sent, drafts);
    if (Object.keys(faults).length > 0) {
      complain({ faults, general: [t(say.checkFields)] });
      return;
    }
    setBusy(true);
    complain(NO_COMPLAINTS);
    try {
      await onSubmit(body);
    } catch (error) {
      complain(complaintsOf(error, fields));
    } finally {
      setBusy(false);
    }
  };
  return { form, busy, submit, ...complaints };
}

/** A form for the fields of a body: checked by the constraints of the API document, then by the service. */
export function Form({ fields, drafts: first, changesOnly = false, submitLabel, onSubmit, onCancel }: FormProps) {
  const prefix = useId();
  const [drafts, setDrafts] = useState(first);
  const { form, busy, submit, faults, general } = useSubmission({ fields, onSubmit });
  useUnsaved(fields.some(({ name }) => drafts[name] !== first[name]));
  const onFormSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const sent = fields.filter(({ name, required }) => !changesOnly || required || drafts[name] !== first[name]);
    void submit(sent, drafts);
  };
  return (
    <form ref={form} class="record-form" noValidate onSubmit={onFormSubmit}>
      <div role="alert">
        {general.map((text) => (
          <p key={text} class="problem">
            {text}
          </p>
        ))}
      </div>
      <div class="form-fields">
        {fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            prefix={prefix}
            draft={drafts[field.name] ?? ''}
            fault={faults[field.name] ?? ''}
            onChange={(draft) => setDrafts((before) => ({ ...before, [field.name]: draft }))}
          />
        ))}
      </div>
      <div class="actions">
        <button type="submit" class="button primary" disabled={busy}>
          {submitLabel}
        </button>
        {onCancel !== undefined && <Cancel onCancel={onCancel} />}
      </div>
    </form>
  );
}
