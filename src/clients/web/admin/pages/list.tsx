import { useCallback } from 'preact/hooks';
import { Button } from '../../shared/controls.tsx';
import { numberOf, objectOf, objectsOf, textOf, type JsonObject } from '../../shared/json.ts';
import { t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import type { Client } from '../api/client.ts';
import { disabledToo, nameOf, type Resource } from '../api/model.ts';
import { Filters } from '../parts/filters.tsx';
import { Loading, useLoaded } from '../parts/answers.tsx';
import { Cells, Table, columnsOf, namesakesIn } from '../parts/value.tsx';
import { addressOf, go, Link } from '../router.tsx';
import { useSession } from '../session.ts';

const SIZE = 20;

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

async function readPage(
  client: Client,
  collection: Collection,
  query: URLSearchParams,
  signal: AbortSignal,
): Promise<Page> {
  const { resource, path } = collection;
  if (resource.paged === null) {
    const { json } = await client.get(`${path}?${query.toString()}`, signal);
    const records = [...objectsOf(json)].sort((a, b) => nameOf(resource, a).localeCompare(nameOf(resource, b)));
    return { records, total: records.length, pages: 1, number: 0 };
  }
  const { json } = await client.get(`${path}/paged?${query.toString()}`, signal);
  const { content, totalElements, totalPages } = objectOf(json);
  const total = numberOf(totalElements) ?? 0;
  const pages = numberOf(totalPages) ?? 1;
  const number = Number(query.get('page') ?? 0);
  if (number < pages || pages === 0) return { records: objectsOf(content), total, pages, number };
  // There are fewer records than there were: the last page is shown.
  query.set('page', String(pages - 1));
  return readPage(client, collection, query, signal);
}

/** The table of a resource; its address holds filters, sort order and page. */
export function ListPage({ collection, query }: { readonly collection: Collection; readonly query: URLSearchParams }) {
  const { resource, address } = collection;
  const { client, may } = useSession();
  const isParameter = (name: string): boolean =>
    ['page', 'sort'].includes(name) || resource.filters.some((filter) => filter.name === name);
  const kept = Object.fromEntries([...query].filter(([name]) => isParameter(name)));
  const parameters = new URLSearchParams(kept);
  if (resource.paged !== null && !parameters.has('size')) parameters.set('size', String(SIZE));
  if (disabledToo(resource, may)) parameters.set('includeDisabled', 'true');
  const asked = parameters.toString();
  const read = useCallback(
    (signal: AbortSignal) => readPage(client, collection, new URLSearchParams(asked), signal),
    [client, collection.path, asked],
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
      <Filters filters={resource.filters} query={query} onChange={change} />
      <Loading of={loaded} />
      {loaded.data !== undefined && (
        <Records collection={collection} page={loaded.data} query={query} change={change} />
      )}
    </section>
  );
}

interface RecordsProps {
  readonly collection: Collection;
  readonly page: Page;
  readonly query: URLSearchParams;
  readonly change: (changes: Readonly<Record<string, string>>) => void;
}

function Records({ collection: { resource, address }, page, query, change }: RecordsProps) {
  const { records, total, pages, number } = page;
  if (total === 0) return <p class="empty">{t(say.empty)}</p>;
  const columns = columnsOf(resource.view).filter(({ name }) => !resource.names.includes(name));
  const namesakes = namesakesIn(columns, records);
  const sort = query.get('sort') ?? resource.defaultSort;
  const goTo = (index: number): void => change({ page: String(index) });
  const heading = (field: string, label: string) =>
    resource.sortable.includes(field) ? (
      <Sorter key={field} field={field} label={label} sort={sort} change={change} />
    ) : (
      label
    );
  return (
    <>
      <Table
        label={resource.title}
        headings={[
          heading(resource.names[0] ?? 'id', t(say.name)),
          ...columns.map(({ name, label }) => heading(name, label)),
        ]}
      >
        {records.map((record) => (
          <tr key={textOf(record[resource.key])}>
            <th scope="row">
              <Link to={addressOf(`${address}/${textOf(record[resource.key])}`)}>{nameOf(resource, record)}</Link>
            </th>
            <Cells fields={columns} record={record} namesakes={namesakes} />
          </tr>
        ))}
      </Table>
      <nav class="pager" aria-label={t(say.pages)}>
        <p role="status">{t(say.count, { total, page: number + 1, pages: Math.max(pages, 1) })}</p>
        {pages > 1 && (
          <>
            <Button label={t(say.previous)} disabled={number === 0} onClick={() => goTo(number - 1)} />
            <Button label={t(say.next)} disabled={number + 1 >= pages} onClick={() => goTo(number + 1)} />
          </>
        )}
      </nav>
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
