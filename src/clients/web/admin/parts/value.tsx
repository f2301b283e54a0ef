import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { isList, isObject, textOf, textsOf, type Json, type JsonObject } from '../../shared/json.ts';
import { fileAddress } from '../../shared/api.ts';
import { shownForm } from '../../shared/fold.ts';
import { language, showInstant, t } from '../../shared/page.ts';
import { duration, lapTime, NO_TIME } from '../../shared/times.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import { NO_CHOICES } from '../api/choices.ts';
import { countryName, isCountry } from '../api/countries.ts';
import { inWords, isTime, type Field } from '../api/fields.ts';
import type { Resource } from '../api/model.ts';
import { choiceText, words } from '../api/words.ts';
import { useNames } from './picker.tsx';

/** A field to show to people. */
export interface ShownField extends Field {
  /** The field that holds the id of the record whose name this one shows; undefined if it shows no name. */
  readonly named: Field | undefined;
}

/** The fields of a view to show to people: names take the place of the ids that they belong to. */
export function shownFields(fields: readonly Field[]): readonly ShownField[] {
  const nameFields = new Set(fields.map(({ nameOf }) => nameOf));
  return fields
    .filter(({ name }) => name !== 'id' && !nameFields.has(name))
    .map((field) => {
      const named = field.nameOf === '' ? undefined : fields.find(({ name }) => name === field.nameOf);
      return { ...field, label: named?.label ?? field.label, named };
    });
}

/** Names in a table that more than one record has, each behind the name of its column. */
export type Namesakes = ReadonlySet<string>;

export function namesakesIn(fields: readonly ShownField[], records: readonly JsonObject[]): Namesakes {
  const idOfName = new Map<string, Json | undefined>();
  const namesakes = new Set<string>();
  for (const field of fields) {
    if (field.named === undefined) continue;
    for (const record of records) {
      const name = nameIn(field, record);
      const id = record[field.named.name];
      if (idOfName.has(name) && idOfName.get(name) !== id) namesakes.add(name);
      idOfName.set(name, id);
    }
  }
  return namesakes;
}

function nameIn(field: Field, record: JsonObject): string {
  return `${field.name} ${shownForm(textOf(record[field.name]))}`;
}

/** The columns of laps, in the order in which people read them. */
const LAP_COLUMNS = ['car', 'totalTime', 'trackDisplayName', 'rigName', 'eventName', 'valid', 'createdAt'];

/** The columns of a table of records. */
export function columnsOf({ name: resource, view }: Pick<Resource, 'name' | 'view'>): readonly ShownField[] {
  const fields = shownFields(view);
  if (resource === 'Lap') return LAP_COLUMNS.flatMap((column) => fields.filter(({ name }) => name === column));
  return fields.filter(({ kind, name, isFile }) => {
    return kind !== 'json' && kind !== 'texts' && !isFile && name !== 'createdAt';
  });
}

interface ValueProps {
  /** Undefined: one that the API document does not describe. */
  readonly field: Field | undefined;
  readonly value: Json | undefined;
  /** Whether there is room for pictures and lists. */
  readonly whole?: boolean;
}

export function Value({ field, value, whole = false }: ValueProps) {
  if (value === null || value === undefined) return <span class="quiet">{NO_TIME}</span>;
  if (typeof value === 'boolean') return <span class={value ? 'yes' : 'no'}>{t(value ? say.yes : say.no)}</span>;
  if (field === undefined) return <>{plainText(value)}</>;
  if (isCountry(field)) return <>{countryName(textOf(value), language)}</>;
  if (field.kind === 'instant') return <Instant at={textOf(value)} />;
  if (field.kind === 'choice') return <>{choiceText(textOf(value))}</>;
  if (field.refersTo !== '' || field.isFile) return <Named field={field} value={value} whole={whole} />;
  return <>{plainText(value, field)}</>;
}

interface TableProps {
  readonly label: string;
  /** The text or the cell of each heading; left out: there are none. */
  readonly headings?: readonly (string | VNode)[];
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A table in a container in which it scrolls if it is wide, also with the keyboard. */
export function Table({ label, headings = [], children, ...rest }: TableProps) {
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={label}>
      <table {...rest}>
        {headings.length > 0 && (
          <thead>
            <tr>
              {headings.map((heading) =>
                typeof heading === 'string' ? (
                  <th key={heading} scope="col">
                    {heading}
                  </th>
                ) : (
                  heading
                ),
              )}
            </tr>
          </thead>
        )}
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** Classes of cells by the kind of their field. */
const CELL_CLASSES: { readonly [kind: string]: string } = { number: 'numbers', numbers: 'numbers many' };

interface NameInProps {
  readonly field: ShownField | undefined;
  readonly record: JsonObject;
  readonly namesakes: Namesakes;
}

/** A value of a record; a name that another record beside it has too is shown as choices show it. */
export function NameIn({ field, record, namesakes }: NameInProps) {
  if (field === undefined) return null;
  const { named } = field;
  // A layout is named with its track.
  if (named?.refersTo === 'TrackLayout') return <Value field={named} value={record[named.name]} />;
  if (named === undefined || !namesakes.has(nameIn(field, record))) {
    return <Value field={field} value={record[field.name]} />;
  }
  return <Value field={named} value={record[named.name]} />;
}

interface CellsProps {
  readonly fields: readonly ShownField[];
  readonly record: JsonObject;
  readonly namesakes: Namesakes;
}

/** The cells of a record; a name that another record of the table has too is shown as choices show it. */
export function Cells({ fields, record, namesakes }: CellsProps) {
  return (
    <>
      {fields.map((field) => (
        <td key={field.name} class={CELL_CLASSES[field.kind] ?? ''}>
          <NameIn field={field} record={record} namesakes={namesakes} />
        </td>
      ))}
    </>
  );
}

function Named({ field, value, whole }: { readonly field: Field; readonly value: Json; readonly whole: boolean }) {
  const texts = isList(value) ? textsOf(value) : [textOf(value)];
  if (isList(value) && !whole) return <>{texts.length}</>;
  if (field.refersTo !== '') return <Names refersTo={field.refersTo} ids={texts} />;
  if (!whole) return <>{texts.join(', ')}</>;
  return (
    <>
      {texts.map((key) => (
        <span key={key} class="kept-file">
          {key} <Picture of={key} />
        </span>
      ))}
    </>
  );
}

/** A value as text; of a number that belongs to a field, with its unit. */
export function plainText(
  value: Json | undefined,
  field: Pick<Field, 'unit' | 'name'> = { unit: '', name: '' },
): string {
  if (typeof value === 'number') return numberText(field, value);
  if (typeof value === 'boolean') return t(value ? say.yes : say.no);
  if (isList(value)) return value.map((item) => plainText(item, field)).join(', ');
  if (isObject(value)) return objectText(value);
  return value ?? NO_TIME;
}

/** A number with its unit: a lap time in the usual form, a duration (named `…Ms`) in whole units. */
function numberText({ unit, name }: Pick<Field, 'unit' | 'name'>, value: number): string {
  if (unit === 'ms') return isTime({ unit, name }) ? lapTime(value) : duration(value);
  return unit === '' ? String(value) : `${value} ${unit}`;
}

function objectText(value: JsonObject): string {
  return Object.entries(value)
    .map(([name, item]) => `${words.label('', name) ?? inWords(name)}: ${plainText(item)}`)
    .join(', ');
}

/** An instant, in the zone of the page; its tooltip has the exact time in UTC. */
export function Instant({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      {showInstant(at)}
    </time>
  );
}

export function Names({ refersTo, ids }: { readonly refersTo: string; readonly ids: readonly string[] }) {
  const { byId } = useNames(refersTo, ids);
  if (byId === NO_CHOICES.byId) return <>…</>;
  return <>{ids.map((id) => byId.get(id)?.name ?? id).join(', ') || NO_TIME}</>;
}

const IMAGE = /^[A-Z]+\/.+\.(avif|bmp|gif|ico|jpe?g|png|svg|webp)$/i;

interface PictureProps {
  /** CDN key. */
  readonly of: string;
  /** Another text when a file was replaced under its key: the picture is read again. */
  readonly version?: string;
}

/** The picture with a CDN key, or a note if there is no such file yet; nothing for other files. */
export function Picture({ of, version = '' }: PictureProps) {
  const [missing, setMissing] = useState('');
  if (!IMAGE.test(of)) return null;
  const address = `${fileAddress(of)}${version === '' ? '' : `?${version}`}`;
  if (missing === address) return <p class="hint">{t(say.noFileYet)}</p>;
  return <img class="preview" src={address} alt={t(say.fileAs, { key: of })} onError={() => setMissing(address)} />;
}

interface FactsProps {
  readonly fields: readonly Field[];
  readonly record: JsonObject;
}

export function Facts({ fields, record }: FactsProps) {
  return (
    <dl class="facts">
      {fields.map((field) => (
        <div key={field.name}>
          <dt>{field.label}</dt>
          <dd>
            <Value field={field} value={record[field.name]} whole />
          </dd>
        </div>
      ))}
    </dl>
  );
}
