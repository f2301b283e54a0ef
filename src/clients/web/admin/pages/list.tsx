import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Select, TextInput } from '../../shared/controls.tsx';
import { finder, searchable } from '../../shared/fold.ts';
import { numberOf, objectOf, objectsOf, textOf, type Json, type JsonObject } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import type { Client } from '../api/client.ts';
import { disabledToo, nameOf, type Resource } from '../api/model.ts';
import { Filters } from '../parts/filters.tsx';
import { Loading, useLoaded } from '../parts/answers.tsx';
import { PAGE_SIZES, usePageSize } from '../parts/page-size.ts';
import { Pager } from '../parts/pager.tsx';
import { Picker } from '../parts/picker.tsx';
import { StrikeMany } from '../parts/strike-many.tsx';
import { Cells, columnsOf, NameIn, namesakesIn, shownFields, Table } from '../parts/value.tsx';
import { addressOf, go, Link, replaceAddress } from '../router.tsx';
import { useSession } from '../session.ts';

/** The parameter of the address for a search by name of what the service does not find by names. */
const SEARCH = 'q';

interface Page {
  readonly records: readonly JsonObject[];
  readonly total: number;
  readonly pages: number;
  /** Index of the page, from 0. */
  readonly number: number;
}

/** The records of a resource: their path in the API, and the path of their page. */
export interface Collection {
  readonly resource: Resource;
  readonly path: string;
  readonly address: string;
}

/** Reads all records of a list, once for all that is typed into its search. */
class WholeList {
  readonly #client: Client;
  #asked = '';
  #records: Promise<readonly JsonObject[]> | null = null;

  constructor(client: Client) {
    this.#client = client;
  }

  /** @param asked path and query */
  read(asked: string): Promise<readonly JsonObject[]> {
    if (this.#records !== null && this.#asked === asked) return this.#records;
    const records = this.#client.get(asked).then(({ json }) => objectsOf(json));
    this.#asked = asked;
    this.#records = records;
    records.catch(() => {
      if (this.#records === records) this.#records = null;
    });
    return records;
  }
}

async function readPage(
  client: Client,
  whole: WholeList,
  collection: Collection,
  query: URLSearchParams,
  signal: AbortSignal,
): Promise<Page> {
  const { resource, path } = collection;
  if (query.has(SEARCH)) return pageOf(collection, await whole.read(wholePath(path, query)), query);
  if (resource.paged === null) {
    const { json } = await client.get(wholePath(path, query), signal);
    return pageOf(collection, objectsOf(json), query);
  }
  const { json } = await client.get(`${path}/paged?${query.toString()}`, signal);
  const { content, totalElements, totalPages } = objectOf(json);
  const total = numberOf(totalElements) ?? 0;
  const pages = numberOf(totalPages) ?? 1;
  const number = Number(query.get('page') ?? 0);
  if (number < pages || pages === 0) return { records: objectsOf(content), total, pages, number };
  // There are fewer records than there were: the last page is shown.
  query.set('page', String(pages - 1));
  return readPage(client, whole, collection, query, signal);
}

/** The path of a list that is not paged, with the filters of a page of it. */
function wholePath(path: string, query: URLSearchParams): string {
  const filters = new URLSearchParams([...query].filter(([name]) => !['page', 'size', 'sort', SEARCH].includes(name)));
  return `${path}?${filters.toString()}`;
}

const { compare } = new Intl.Collator(undefined, { numeric: true });

/** A page of the records whose names have words that begin as was typed, by the chosen column, otherwise by their names. */
function pageOf({ resource }: Collection, all: readonly JsonObject[], query: URLSearchParams): Page {
  const isFound = finder(query.get(SEARCH) ?? '');
  const size = Number(query.get('size') ?? PAGE_SIZES[0]);
  const asked = Number(query.get('page') ?? 0);
  const named = all.map((record) => ({ record, name: nameOf(resource, record) }));
  const found = named.filter(({ name }) => isFound(searchable(name)));
  const [column = '', direction] = (query.get('sort') ?? '').split(',');
  const isByName = column === '' || resource.names.includes(column);
  const sign = direction?.toLowerCase() === 'desc' ? -1 : 1;
  found.sort((a, b) => {
    const order = isByName ? 0 : compareValues(a.record[column], b.record[column]);
    return sign * (order === 0 ? compare(a.name, b.name) : order);
  });
  const pages = Math.ceil(found.length / size);
  const number = Math.min(asked, Math.max(pages - 1, 0));
  const records = found.slice(number * size, (number + 1) * size).map(({ record }) => record);
  return { records, total: found.length, pages, number };
}

/** Orders values as the service does: nothing first, then false and true, numbers, and texts. */
function compareValues(a: Json | undefined, b: Json | undefined): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compare(a, b);
  return rankOf(a) - rankOf(b);
}

function rankOf(value: Json | undefined): number {
  if (typeof value === 'boolean') return value ? 2 : 1;
  if (typeof value === 'number') return 3;
  return typeof value === 'string' ? 4 : 0;
}

/** The table of a resource; its address holds filters, sort order and page. */
export function ListPage({ collection, query }: { readonly collection: Collection; readonly query: URLSearchParams }) {
  const { resource, address } = collection;
  const { client, may } = useSession();
  const [size, setSize] = usePageSize();
  const isParameter = (name: string): boolean =>
    ['page', 'sort', SEARCH].includes(name) || resource.filters.some((filter) => filter.name === name);
  const kept = Object.fromEntries([...query].filter(([name]) => isParameter(name)));
  const parameters = new URLSearchParams(kept);
  parameters.set('size', String(size));
  if (resource.paged !== null && !parameters.has('sort') && resource.defaultSort !== '') {
    parameters.set('sort', resource.defaultSort);
  }
  if (disabledToo(resource, may)) parameters.set('includeDisabled', 'true');
  const asked = parameters.toString();
  const whole = useMemo(() => new WholeList(client), [client, collection.path]);
  const read = useCallback(
    (signal: AbortSignal) => readPage(client, whole, collection, new URLSearchParams(asked), signal),
    [client, whole, collection.path, asked],
  );
  const loaded = useLoaded(read);
  const change = (changes: Readonly<Record<string, string>>): void =>
    go(addressOf(address, { ...kept, page: '0', ...changes }));
  return (
    <section>
      <header class="page-head">
        <div>
          <h1>{resource.title}</h1>
          <p class="quiet">{resource.description}</p>
        </div>
        {may(resource.create) && (
          <Link class="button primary" to={addressOf(`${address}/new`)}>
            {t(say.add)}
          </Link>
        )}
      </header>
      <NameSearch
        resource={resource}
        query={query}
        onSearch={(name, text) => replaceAddress(addressOf(address, { ...kept, page: '0', [name]: text }))}
      />
      <Filters filters={resource.filters.filter(({ name }) => name !== 'name')} query={query} onChange={change} />
      <Loading of={loaded} />
      {loaded.data !== undefined && (
        <Records collection={collection} page={loaded.data} query={query} change={change} reload={loaded.reload} />
      )}
      <label class="page-size">
        {t(say.perPage)}
        <Select value={size} options={PAGE_SIZES.map((one) => [one, String(one)])} onChange={setSize} />
      </label>
    </section>
  );
}

interface NameSearchProps {
  readonly resource: Resource;
  readonly query: URLSearchParams;
  readonly onSearch: (parameter: string, text: string) => void;
}

/** How long, in ms, nothing has been typed before the list follows. */
const TYPED_MS = 250;

/** Finds records by the beginnings of words of their names. Laps, which have none, are found by their drivers. */
function NameSearch({ resource, query, onSearch }: NameSearchProps) {
  const parameter = resource.isSearched ? 'name' : SEARCH;
  const searched = query.get(parameter) ?? '';
  const [typed, setTyped] = useState(searched);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => setTyped(searched), [searched]);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (resource.name === 'Lap') {
    return (
      <div class="form-field name-search">
        <label for="search-driver">{t(say.searchDriver)}</label>
        <Picker
          id="search-driver"
          refersTo="Participant"
          chosen={[query.get('participantId') ?? ''].filter(Boolean)}
          many={false}
          onChange={([one = '']) => onSearch('participantId', one)}
        />
      </div>
    );
  }
  const type = (text: string): void => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onSearch(parameter, text.trim()), TYPED_MS);
  };
  return (
    <label class="form-field name-search">
      {t(say.searchName)}
      <TextInput type="search" value={typed} onText={type} />
    </label>
  );
}

interface RecordsProps {
  readonly collection: Collection;
  readonly page: Page;
  readonly query: URLSearchParams;
  readonly change: (changes: Readonly<Record<string, string>>) => void;
  readonly reload: () => void;
}

function Records({ collection: { resource, address }, page, query, change, reload }: RecordsProps) {
  const { records, total, pages, number } = page;
  const { may } = useSession();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  if (total === 0) return <p class="empty">{t(say.empty)}</p>;
  const columns = columnsOf(resource).filter(({ name }) => !resource.names.includes(name));
  const driver = shownFields(resource.view).find(({ name }) => resource.name === 'Lap' && name === 'participantName');
  const namesakes = namesakesIn(driver === undefined ? columns : [driver, ...columns], records);
  const isChoosing = resource.name === 'Lap' && may(resource.change);
  const choosable = isChoosing ? records.filter((record) => record['valid'] === true) : [];
  const sort = query.get('sort') ?? resource.defaultSort;
  const choose = (ids: readonly string[], isChosen: boolean): void => {
    setChosen((before) => {
      const after = new Set(before);
      for (const id of ids) {
        if (isChosen) after.add(id);
        else after.delete(id);
      }
      return after;
    });
  };
  const idsOf = (some: readonly JsonObject[]): readonly string[] => some.map((record) => textOf(record['id']));
  const heading = (field: string, label: string) =>
    resource.sortable.includes(field) ? (
      <Sorter key={field} field={field} label={label} sort={sort} change={change} />
    ) : (
      label
    );
  const headings = [
    heading(resource.names[0] ?? 'id', driver?.label ?? t(say.name)),
    ...columns.map(({ name, label }) => heading(name, label)),
  ];
  const areAllChosen = choosable.length > 0 && choosable.every((record) => chosen.has(textOf(record['id'])));
  const chooser = (
    <th key="chooser" scope="col">
      <input
        type="checkbox"
        aria-label={t(say.chooseAll)}
        checked={areAllChosen}
        onChange={({ currentTarget }) => choose(idsOf(choosable), currentTarget.checked)}
      />
    </th>
  );
  return (
    <>
      {isChoosing && (
        <StrikeMany
          laps={choosable.filter((record) => chosen.has(textOf(record['id'])))}
          onStruck={(id) => choose([id], false)}
          onDone={reload}
        />
      )}
      <Table class="dense" label={resource.title} headings={isChoosing ? [chooser, ...headings] : headings}>
        {records.map((record) => (
          <tr key={textOf(record[resource.key])} class={record['valid'] === false ? 'invalid' : ''}>
            {isChoosing && (
              <td class="chooser">
                {record['valid'] === true && (
                  <input
                    type="checkbox"
                    aria-label={t(say.choose, { name: nameOf(resource, record) })}
                    checked={chosen.has(textOf(record['id']))}
                    onChange={({ currentTarget }) => choose([textOf(record['id'])], currentTarget.checked)}
                  />
                )}
              </td>
            )}
            <th scope="row">
              <Link to={addressOf(`${address}/${textOf(record[resource.key])}`)}>
                {driver === undefined ? (
                  nameOf(resource, record)
                ) : (
                  <NameIn field={driver} record={record} namesakes={namesakes} />
                )}
              </Link>
            </th>
            <Cells fields={columns} record={record} namesakes={namesakes} />
          </tr>
        ))}
      </Table>
      <Pager total={total} pages={pages} number={number} onPage={(index) => change({ page: String(index) })} />
    </>
  );
}

interface SorterProps extends Pick<RecordsProps, 'change'> {
  readonly field: string;
  readonly label: string;
  /** The order of the table: `totalTime,desc`. */
  readonly sort: string;
}

function Sorter({ field, label, sort, change }: SorterProps) {
  const [sorted, direction = 'asc'] = sort.split(',');
  const isSorted = sorted === field;
  const isAscending = direction.toLowerCase() !== 'desc';
  const order = isAscending ? 'ascending' : 'descending';
  return (
    <th scope="col" aria-sort={isSorted ? order : undefined}>
      <button type="button" onClick={() => change({ sort: isSorted && isAscending ? `${field},desc` : field })}>
        {label}
        {isSorted && <span aria-hidden="true"> {isAscending ? '▲' : '▼'}</span>}
      </button>
    </th>
  );
}
