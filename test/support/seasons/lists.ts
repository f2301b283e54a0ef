import type { Json, JsonObject } from '../../../src/kernel/json.ts';
import { textOf } from '../api/client.ts';
import { isList } from '../model/fields.ts';
import { kindNamed, type Kind } from '../model/kinds.ts';
import { textIn } from '../resources/entries.ts';
import { envelope } from '../model/oracle.ts';
import { inOrder, rootKey, type Ordered, type Things } from '../model/things.ts';
import type { RandomSource } from '../simulation/random.ts';
import { by, type Expectation, type Past } from './expectations.ts';
import { valuesIn } from './history.ts';
import { cellOf, rowsIn } from './tables.ts';

/** The lists that a season changes. */
export const LISTS = ['Lap', 'Participant', 'Event', 'Rig', 'Car', 'CarClass', 'CarBrand', 'TrackLayout', 'Track'];

/** What a list shows to ADMIN, in the order of creation. */
export function viewsOf(things: Things, kind: string): readonly JsonObject[] {
  return things.all(kind).map((thing) => things.shown(thing, rootKey('')));
}

/** A list with every filter alone, each sort, and some filters together; as JSON, in pages and as CSV. */
export function* listExpectations({ things, chances }: Past): Generator<Expectation> {
  for (const name of [...LISTS, 'SignupField']) {
    const kind = kindNamed(name);
    const all = viewsOf(things, name);
    const filters = Object.keys(kind.filters ?? {});
    const chosen = [
      [],
      ...filters.map((one) => [one]),
      ...kind.sortable.map(() => filters.filter(() => chances.oneIn(4))),
    ];
    for (const [n, names] of chosen.entries()) {
      const includesDisabled = kind.hides && chances.oneIn(2);
      const query = Object.fromEntries(names.flatMap((filter) => filtering(kind, filter, { all, chances })));
      const found = all.filter(
        (view) =>
          (!kind.hides || includesDisabled || view['enabled'] === true) &&
          Object.entries(query).every(([filter, value]) => isFound(kind, filter, { view, value })),
      );
      const disabled = includesDisabled ? { includeDisabled: 'true' } : {};
      const sort = kind.sortable[n % kind.sortable.length] ?? 'id';
      yield* shownIn(kind.path, found, { query: { ...query, ...disabled }, sort, chances });
    }
  }
}

interface Asked {
  readonly query: Readonly<Record<string, string>>;
  readonly sort: string;
  readonly chances: RandomSource;
}

/** What was found, as a page, as JSON and as CSV. */
function* shownIn(path: string, found: readonly JsonObject[], { query, sort, chances }: Asked): Generator<Expectation> {
  const asked = (end: string, others: Asked['query']): string =>
    `${path}${end}?${new URLSearchParams({ ...query, ...others }).toString()}`;
  const direction = chances.pick(['asc', 'desc'] as const);
  const page = chances.below(4);
  const size = 1 + chances.below(30);
  const sorted = found
    .map((view, made): Ordered => ({ made, view }))
    .toSorted((a, b) => inOrder({ field: sort, direction }, a, b))
    .slice(page * size, (page + 1) * size);
  yield {
    path: asked('/paged', { page: `${page}`, size: `${size}`, sort: `${sort},${direction}` }),
    expected: envelope(
      sorted.map(({ view }) => view),
      { page, size, total: found.length },
    ),
    actual: ({ body: whole }) => ({ ...whole, content: (whole['content'] as readonly JsonObject[]).map(withoutUse) }),
  };
  yield { path: asked('', {}), expected: byId(found), actual: ({ list }) => byId(list.map(withoutUse)) };
  const cells = (view: JsonObject) => Object.fromEntries(Object.entries(view).map(([name, it]) => [name, cellOf(it)]));
  yield {
    path: asked('', { format: 'csv' }),
    expected: byId(found.map(cells)),
    actual: ({ text }) => byId(rowsIn(text).map(withoutUse)),
  };
}

export function byId(views: readonly JsonObject[]): readonly JsonObject[] {
  return views.toSorted((a, b) => by(textOf(a, 'id'), textOf(b, 'id')));
}

/** Without when a rig was last seen, which is not predictable. */
export function withoutUse({ lastSeenAt: _, ...view }: JsonObject): JsonObject {
  return view;
}

/** Filters by bounds: the field, and whether a value is found that compares with the bound like this. */
const BOUNDS: Readonly<Record<string, readonly [field: string, finds: (compared: number) => boolean]>> = {
  from: ['createdAt', (compared) => compared >= 0],
  to: ['createdAt', (compared) => compared < 0],
  drivenFrom: ['drivenAt', (compared) => compared >= 0],
  drivenTo: ['drivenAt', (compared) => compared < 0],
  minTotalTime: ['totalTime', (compared) => compared >= 0],
  maxTotalTime: ['totalTime', (compared) => compared <= 0],
};

/** A value that some resources have, as a filter; none where no resource has one. */
function filtering(
  { filters = {} }: Kind,
  filter: string,
  { all, chances }: { readonly all: readonly JsonObject[]; readonly chances: RandomSource },
): readonly (readonly [string, string])[] {
  if (filters[filter] === null && filter === 'name') return byWords(all, chances);
  const field = filters[filter] ?? BOUNDS[filter]?.[0] ?? 'startsAt';
  const values = valuesIn(all, field).filter((value) => value !== null && value !== '');
  return values.length === 0 ? [] : [[filter, textOfValue(chances.pick(values))]];
}

/** The beginnings of one or two words of somebody's names, in any case and order. */
function byWords(all: readonly JsonObject[], chances: RandomSource): readonly (readonly [string, string])[] {
  const words = wordsIn(namesOf(chances.pick(all)));
  if (words.length === 0) return [];
  const beginnings = Array.from({ length: 1 + chances.below(2) }, () => {
    const letters = Array.from(chances.pick(words));
    return letters.slice(0, 1 + chances.below(letters.length)).join('');
  });
  const typed = beginnings.join(chances.pick([' ', '-', '’']));
  return [['name', chances.oneIn(2) ? typed.toUpperCase() : typed]];
}

function namesOf({ firstName, lastName, nickname }: JsonObject): string {
  return [firstName, lastName, nickname].map(textIn).join(' ');
}

/** Letters with a spelling of their own, by docs/interface.md#participants. */
const SPELT: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', ß: 'ss', æ: 'ae' };

/** The words of a text, without case and accents. */
function wordsIn(text: string): readonly string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const spelt = plain.replaceAll(/[øłßæ]/gu, (letter) => SPELT[letter] ?? letter);
  return spelt.split(/[\s'’-]+/u).filter((word) => word !== '');
}

function isNamed(view: JsonObject, typed: string): boolean {
  const own = wordsIn(namesOf(view));
  return wordsIn(typed).every((beginning) => own.some((word) => word.startsWith(beginning)));
}

function isFound(
  { filters = {} }: Kind,
  filter: string,
  { view, value }: { readonly view: JsonObject; readonly value: string },
): boolean {
  const field = filters[filter];
  if (field === null && filter === 'name') return isNamed(view, value);
  const [bounded = '', finds] = BOUNDS[filter] ?? [];
  const its = view[field ?? bounded] ?? null;
  if (finds !== undefined) return finds(typeof its === 'number' ? its - Number(value) : by(textIn(its), value));
  if (typeof field === 'string') return isList(its) ? its.includes(value) : textOfValue(its) === value;
  return isOn(view, value);
}

/** Whether an event has begun by this moment and not ended. */
function isOn({ startsAt, endsAt }: JsonObject, moment: string): boolean {
  return typeof startsAt === 'string' && startsAt <= moment && (typeof endsAt !== 'string' || endsAt > moment);
}

function textOfValue(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
