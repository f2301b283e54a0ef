import { finder, searchable, shownForm, type Searchable } from '../../shared/fold.ts';
import { textOf, type JsonObject } from '../../shared/json.ts';
import { NO_TIME } from '../../shared/times.ts';
import { nameOf, type Named, type Resource } from './model.ts';

/** A record to choose. */
export interface Option {
  readonly id: string;
  /** Its name; behind it, in parentheses, what tells it from others of the same name. */
  readonly name: string;
  /** Its name alone. */
  readonly ownName: string;
  readonly found: Searchable;
}

/** The records of a resource to choose from. */
export interface Choices {
  /** Those that are offered, sorted by name. */
  readonly options: readonly Option[];
  /** All of them. */
  readonly byId: ReadonlyMap<string, Option>;
}

/** Options that a search has found. */
export interface FoundOptions {
  /** Sorted by name. */
  readonly options: readonly Option[];
  /** How many more there are. */
  readonly others: number;
}

export const NO_CHOICES: Choices = { options: [], byId: new Map() };

/** What is needed of a resource to name its records, all of them different. */
type Distinguished = Named & Pick<Resource, 'tellsApart'>;

type ShowInstant = (instant: string) => string;

const { compare } = new Intl.Collator(undefined, { numeric: true });

/** @param showInstant shows an instant (ISO 8601) as the page does */
export function choicesOf(resource: Distinguished, records: readonly JsonObject[], showInstant: ShowInstant): Choices {
  const names = distinctNames(resource, records, showInstant);
  const options = records
    .map((record): Option => {
      const name = names.get(record) ?? '';
      return { id: textOf(record[resource.key]), name, ownName: nameOf(resource, record), found: searchable(name) };
    })
    .sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id));
  const byId = new Map(options.map((option) => [option.id, option]));
  const offered = new Set(
    records.filter((record) => !isOfCheckIn(resource, record)).map((record) => textOf(record[resource.key])),
  );
  return { options: options.filter(({ id }) => offered.has(id)), byId };
}

/**
 * Whether a record is the licence that a check-in has made for one person (docs/decisions/0030-check-ins.md): the service
 * names it after its id. Nobody chooses among those, but tables name them.
 */
function isOfCheckIn({ name: resource, key }: Distinguished, record: JsonObject): boolean {
  return resource === 'License' && record['name'] === `check-in-${textOf(record[key])}`;
}

/** The options that somebody may be typing, or whose id they have put in. */
export function optionsFor(options: readonly Option[], typed: string): readonly Option[] {
  const finds = finder(typed);
  const id = typed.trim().toLowerCase();
  const named = options.filter((option) => option.id.toLowerCase() === id);
  return [...named, ...options.filter((option) => !named.includes(option) && finds(option.found))];
}

/** The names of records, all of them different: those of the same name are distinguished by other fields, or by their ids. */
function distinctNames(
  resource: Distinguished,
  records: readonly JsonObject[],
  showInstant: ShowInstant,
): ReadonlyMap<JsonObject, string> {
  const names = new Map<JsonObject, string>();
  const groups = new Map<string, JsonObject[]>();
  for (const record of records) {
    const name = nameOf(resource, record);
    names.set(record, name);
    const group = groups.get(shownForm(name)) ?? [];
    group.push(record);
    groups.set(shownForm(name), group);
  }
  for (const group of groups.values()) {
    if (group.length === 1) continue;
    const details = detailsOf(resource, group, showInstant);
    for (const record of group) {
      const detail = (details.get(record) ?? []).join(', ');
      names.set(record, `${names.get(record) ?? ''} (${detail || NO_TIME})`);
    }
  }
  return names;
}

/** Characters of an id by which people tell records apart: its end, as ids of the same time begin alike. */
const SHORT_ID = 6;

/** What tells records of one name apart: values of the fewest fields that do; if none do, their ids. */
function detailsOf(
  { tellsApart, key }: Distinguished,
  group: readonly JsonObject[],
  showInstant: ShowInstant,
): ReadonlyMap<JsonObject, readonly string[]> {
  let details = new Map(group.map((record): [JsonObject, readonly string[]] => [record, []]));
  let distinct = 1;
  const add = (valueOf: (record: JsonObject) => string): void => {
    const longer = new Map(
      [...details].map(([record, values]): [JsonObject, readonly string[]] => {
        const value = valueOf(record);
        return [record, value === '' ? values : [...values, value]];
      }),
    );
    const count = new Set([...longer.values()].map((values) => shownForm(values.join(', ')))).size;
    if (count <= distinct) return;
    details = longer;
    distinct = count;
  };
  for (const { name, kind, nameOf: referring } of tellsApart) {
    add((record) => {
      // The licence that a check-in has made has the id of the driver, and a name that says nothing to people.
      const isOwn = referring !== '' && record[referring] === record[key];
      const value = isOwn ? '' : textOf(record[name]);
      return kind === 'instant' && value !== '' ? showInstant(value) : value;
    });
  }
  if (distinct < group.length) add((record) => `…${textOf(record[key]).slice(-SHORT_ID)}`);
  if (distinct < group.length) add((record) => textOf(record[key]));
  return details;
}
