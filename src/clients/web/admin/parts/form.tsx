import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../../shared/controls.tsx';
import type { JsonObject } from '../../shared/json.ts';
import { t, shownZone } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import tonight from '../../texts/tonight.json' with { type: 'json' };
import { partsOf, placeIn, Refused, type LabelOf } from '../api/client.ts';
import { entered, oddities, type Draft, type Drafts } from '../api/drafts.ts';
import type { Field } from '../api/fields.ts';
import { Cancel } from './dialog.tsx';
import { FieldInput } from './field-input.tsx';
import { messageOf, useAction } from './answers.tsx';
import { useUnsaved } from '../router.tsx';
import { useSession } from '../session.ts';

interface FormProps {
  readonly fields: readonly Field[];
  readonly drafts: Drafts;
  /** Further fields, which are folded away until somebody opens them, or one of them is refused. */
  readonly more?: readonly Field[];
  /**
   * The entries after one was made, with those that follow from it.
   * @param made names of the fields in which somebody has made an entry
   */
  readonly derive?: (drafts: Drafts, made: ReadonlySet<string>) => Drafts;
  /** Whether unchanged fields are left out and not checked: a form may show less than what is stored. */
  readonly changesOnly?: boolean;
  readonly submitLabel: string;
  /** Sends the entries; errors are shown. */
  readonly onSubmit: (body: JsonObject) => Promise<void>;
  readonly onCancel?: () => void;
  /** What stands between the fields and those that are folded away. */
  readonly children?: ComponentChildren;
}

/**
 * @param changesOnly whether what is empty was emptied by somebody
 * @throws {Refused} for entries that are not valid, as the service would refuse them
 */
function bodyOf(fields: readonly Field[], drafts: Drafts, changesOnly: boolean): JsonObject {
  const read = fields.map((field) => [field.name, entered(field, drafts[field.name] ?? '', shownZone())] as const);
  const errors = read.flatMap(([name, one]) =>
    'fault' in one ? [{ pointer: `/${name}`, detail: t(one.fault.text, one.fault.values) }] : [],
  );
  // A detail with a pointer says no more than its errors.
  if (errors.length > 0) throw new Refused(400, { detail: '/', errors });
  const body = Object.fromEntries(read.flatMap(([name, one]) => ('value' in one ? [[name, one.value]] : [])));
  for (const { name, kind } of fields) {
    if (changesOnly && kind === 'json' && body[name] === undefined) body[name] = {};
  }
  return body;
}

/** Why a request failed: beside the fields that the service names; all else on top. */
function complaintsOf(error: unknown, fields: readonly Field[], labelOf: LabelOf) {
  const faults: Record<string, string> = {};
  const { faults: placed = [], repeatsFault = error === null }: Partial<Refused> =
    error instanceof Refused ? error : {};
  const general: string[] = [];
  for (const { pointer, detail } of placed) {
    const [name = '', ...rest] = partsOf(pointer);
    if (fields.some((field) => field.name === name)) {
      const where = rest.length === 0 ? '' : `${placeIn(rest.join('/'), labelOf)}: `;
      faults[name] = [faults[name] ?? '', `${where}${detail}`].filter(Boolean).join('; ');
    } else general.push(`${placeIn(pointer, labelOf)}: ${detail}`);
  }
  if (!repeatsFault) general.unshift(messageOf(error));
  else if (Object.keys(faults).length > 0) general.unshift(t(say.checkFields));
  return { faults, general };
}

const NO_FIELDS: readonly Field[] = [];

const asEntered = (drafts: Drafts): Drafts => drafts;

/** A form for the fields of a body: checked by the constraints of the API document, then by the service. */
export function Form(props: FormProps) {
  const { fields: shown, more = NO_FIELDS, derive = asEntered, changesOnly = false, submitLabel, onSubmit } = props;
  const first = useMemo(() => derive(props.drafts, NOTHING_MADE), [props.drafts, derive]);
  const [drafts, setDrafts] = useState(first);
  const [made, setMade] = useState(NOTHING_MADE);
  const [isOpen, open] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { busy, failure, run } = useAction();
  const { model } = useSession();
  const fields = useMemo(() => [...shown, ...more], [shown, more]);
  const { faults, general } = complaintsOf(failure, fields, (name) => model.labelOf(name));
  const odd = oddities(fields, drafts);
  const oddityOf = ({ name }: Field): string => {
    const oddity = odd[name];
    return oddity === undefined ? '' : t(oddity.text, oddity.values);
  };
  // As they appear: screen readers announce a fault when its field gets the focus.
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [failure]);
  useUnsaved(fields.some(({ name }) => drafts[name] !== first[name]));
  const change = (name: string, draft: Draft): void => {
    const withThis = new Set(made).add(name);
    setMade(withThis);
    setDrafts((before) => derive({ ...before, [name]: draft }, withThis));
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const sent = fields.filter(({ name, required }) => !changesOnly || required || drafts[name] !== first[name]);
    run(async () => onSubmit(bodyOf(sent, drafts, changesOnly)));
  };
  const inputOf = (field: Field) => (
    <FieldInput
      key={field.name}
      field={field}
      draft={drafts[field.name] ?? ''}
      fault={faults[field.name] ?? ''}
      oddity={oddityOf(field)}
      onChange={(draft) => change(field.name, draft)}
    />
  );
  return (
    <form ref={form} class="record-form" noValidate onSubmit={submit}>
      <div role="alert">
        {general.map((text) => (
          <p key={text} class="problem">
            {text}
          </p>
        ))}
      </div>
      <div class="form-fields">{shown.map(inputOf)}</div>
      {props.children}
      {more.length > 0 && (
        <details
          class="more"
          open={isOpen || more.some(({ name }) => faults[name] !== undefined)}
          onToggle={({ currentTarget }) => open(currentTarget.open)}
        >
          <summary>{t(tonight.more)}</summary>
          <div class="form-fields">{more.map(inputOf)}</div>
        </details>
      )}
      <div class="actions">
        <Button label={submitLabel} type="submit" kind="primary" disabled={busy} />
        {props.onCancel !== undefined && <Cancel onCancel={props.onCancel} />}
      </div>
    </form>
  );
}

const NOTHING_MADE: ReadonlySet<string> = new Set();
