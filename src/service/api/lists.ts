import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { participants } from '../../../projections/participants.ts';
import { requestedConditions } from '../../domain/filters.ts';
import { PUBLIC_NAME, type Query, type TimedFields } from '../../domain/query.ts';
import { includesRole } from '../../domain/roles.ts';
import { endpoint, type ApiRequest, type Endpoint, type EndpointResponse, type WantedForm } from '../http/endpoint.ts';
import { csvParameters } from '../http/list-body.ts';
import { includeDisabled, pageParameters, pageSchema, type PageRequest } from '../http/paging.ts';
import { invalidProblem, Problem, unauthenticatedProblem } from '../http/problems.ts';
import { contentEtag, weakTag } from '../http/etags.ts';
import { hasPage, isCovered, isOrdered } from '../../kernel/index-planner.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { OverBudget } from '../../kernel/ports/errors.ts';
import { ENTRIES_PER_DOCUMENT } from '../../kernel/ports/read-store.ts';
import type { Document, ReadModels, Sort, Where } from '../../kernel/ports/read-store.ts';
import type { Clock } from '../../kernel/ports/system.ts';
import type { Resource } from '../resources/resource.ts';
import { endpointBase, pluralName, resourceName, wordsOf, type AnyQuery } from './endpoint-base.ts';
import { instantOf, readAccess, viewsOf, type Reader, type ReadApi, type ReadSources } from './views.ts';

/** A caller who may not see contact data may neither sort nor filter by it, though a list be public. */
function ownProblems({ query: { contact } }: Resource) {
  return contact === null ? {} : { problems: [401, 403] };
}

export function listEndpoint(api: ReadApi, resource: Resource): Endpoint {
  const { path, query } = resource;
  return endpoint({
    ...endpointBase('GET', path, query),
    ...ownProblems(resource),
    operationId: `list${pluralName(query)}`,
    summary: `List ${wordsOf(pluralName(query))}`,
    description: 'Streams all records that match the filters, in no particular order.',
    access: readAccess(api, resource),
    responses: { 200: z.array(query.view) },
    features: hasVersion(query, api) ? ['etag'] : [],
    query: z.object({ ...listParameters(query), ...csvParameters }),
    handle: (request) => listResponse(api, query, requestedFilter(query, request, api), request),
  });
}

/** GET of a page of a list. @throws {TypeError} when no index has the default order. */
export function pageEndpoint(api: ReadApi, resource: Resource): Endpoint {
  const { path, query } = resource;
  requireDefaultIndex(query);
  return endpoint({
    ...endpointBase('GET', `${path}/paged`, query),
    ...ownProblems(resource),
    operationId: `page${pluralName(query)}`,
    summary: `Get a page of ${wordsOf(pluralName(query))}`,
    description: 'The page is sorted, and comes with totals.',
    access: readAccess(api, resource),
    responses: { 200: pageSchema(query.view, `${resourceName(query)}Page`) },
    features: ['etag'],
    query: z.object({ ...pageParameters(query.sortable, query.defaultSort), ...listParameters(query) }),
    handle: (request) => {
      const where = requestedFilter(query, request, api);
      const { caller } = request;
      return {
        kind: 'computed',
        version: () => versionFor(query, caller, api),
        // Creating a signal costs as much as a page that is kept: only for one that has to be computed.
        isShort: () => isShortPage(query, request.query, where),
        body: () =>
          pageOf(api, query, { ...request.query, where, caller, signal: request.signal, usage: request.usage }),
      };
    },
  });
}

/** A request for a list, with the values of its filters among the parameters. */
type ListRequest = Pick<ApiRequest, 'caller'> & { readonly query: { readonly includeDisabled?: unknown } };

/** The query parameters of a list: its filters, and `includeDisabled` where it hides disabled records. */
export function listParameters({ hidesDisabled, filters }: AnyQuery) {
  const further: { includeDisabled?: typeof includeDisabled } = {};
  if (hidesDisabled) further.includeDisabled = includeDisabled;
  return { ...filters, ...further };
}

/** The filter of a list: what clients may see, and only what is enabled where the list hides disabled records. */
function listFilter(query: Query, isAll: boolean): Where {
  return query.hidesDisabled && !isAll ? { ...query.only, enabled: true } : query.only;
}

/** Throws a TypeError when no index has the default order of a list. */
export function requireDefaultIndex(query: Query): void {
  const { model, defaultSort } = query;
  const filters = [listFilter(query, true), listFilter(query, false)];
  if (filters.every((where) => isOrdered(model.indexes, where, defaultSort))) return;
  throw new TypeError(`${model.collection}: the default order needs an index`);
}

/**
 * The filter that a request for a list asks for.
 * @throws {Problem} 401, 403 for callers who ask for more than they may see
 */
export function requestedFilter(query: AnyQuery, request: ListRequest, { authorizer }: ReadSources): Where {
  const { confidential, owners } = query;
  const where = {
    ...listFilter(query, includesDisabled(request)),
    ...requestedConditions(query.filters, request.query),
  };
  const isConfidential = Object.keys(where).some((field) => confidential.has(field));
  if (!isConfidential || owners === null || authorizer.mayReadAllContacts(request.caller)) return where;
  if (request.caller === null) throw unauthenticatedProblem();
  return { ...where, [`${owners}[]`]: request.caller.licenseId };
}

/** The response to a GET of an unpaged list: streamed, however long. */
export async function listResponse(
  sources: ReadSources,
  query: Query,
  where: Where,
  request: Pick<ApiRequest, 'caller' | 'signal' | 'usage'> & { readonly query: WantedForm },
): Promise<EndpointResponse> {
  const { instants, model, namesDriver } = query;
  const fields = namesDriver && request.caller !== null ? [...query.shown, PUBLIC_NAME] : query.shown;
  const csv = { name: model.collection, fields, instants, ...request.query };
  const etag = hasVersion(query, sources) ? await versionTag(query, request.caller, sources) : null;
  const found = sources.models.stream(model.collection, { where, signal: request.signal, visits: request.usage });
  const batches = viewBatches(sources, query, found, request.caller);
  return etag === null ? { kind: 'list', batches, csv } : { kind: 'list', batches, etag, csv };
}

/** Whether all that is shown comes from the read models, which have a version. */
export function hasVersion({ model }: Pick<Query, 'model'>, { overlays }: ReadSources): boolean {
  return !overlays.has(model.collection);
}

/** The tag of what a reader sees of a list: of its version, and of the fields that are shown. */
export async function versionTag(query: Query, reader: Reader, sources: ReadSources): Promise<string> {
  return weakTag(contentEtag(`${await versionFor(query, reader, sources)} ${query.shown.join()}`));
}

/** The version of what a reader sees of a list: of its documents, and of what is hidden. */
async function versionFor(query: Query, reader: Reader, sources: ReadSources): Promise<string> {
  const { collections, timed } = query;
  const { models } = sources;
  // Who owns people may change without a change of what names them.
  const read = query.namesDriver && reader !== null ? [...collections, participants.collection] : collections;
  const version = `${await models.version(read)} ${seenBy(query, reader, sources)}`;
  if (timed === null) return version;
  return `${version} ${(await newestChanges(query.model, timed, sources)).join(' ')}`;
}

/** Whose view of a list a reader sees: everybody's, that of their licence, or that of those who see all. */
function seenBy({ contact, namesDriver }: Query, reader: Reader, { authorizer }: ReadSources): string {
  if (contact === null && !namesDriver) return 'all';
  if (authorizer.mayReadAllContacts(reader)) return 'all';
  return reader?.licenseId ?? 'none';
}

/** The newest past instants at which the clock has changed what a list shows: others show another list. */
async function newestChanges(
  { collection }: Query['model'],
  { changeAt }: TimedFields,
  { models, clock }: ReadSources,
): Promise<readonly string[]> {
  // A range ends before its upper bound.
  const to = `${instantOf(clock.now())} `;
  const newest: string[] = [];
  for (const field of changeAt) {
    const sort = { field, direction: 'desc' } as const;
    const [document] = await models.find(collection, { where: { [field]: { to } }, sort, offset: 0, limit: 1 });
    newest.push(JSON.stringify(document?.[field] ?? null));
  }
  return newest;
}

async function* viewBatches(
  sources: ReadSources,
  query: Query,
  found: AsyncIterable<readonly Document[]>,
  reader: Reader,
): AsyncGenerator<readonly JsonObject[]> {
  for await (const batch of found) yield await viewsOf(sources, query, batch, reader);
}

/** Most documents of a page, and most that it skips, for an index to have it in a few steps. */
const MAX_SHORT_PAGE_ROWS = 100;
const MAX_SKIPPED_ROWS = 5_000;

/** Whether an index has a page, and how many documents match, in a few steps. */
export function isShortPage(
  { model }: Pick<Query, 'model'>,
  { page, size, sort }: Pick<PageRequest, 'page' | 'size' | 'sort'>,
  where: Where,
): boolean {
  if (size > MAX_SHORT_PAGE_ROWS || page * size > MAX_SKIPPED_ROWS) return false;
  return isOrdered(model.indexes, where, sort.field) && isCovered(model.indexes, where);
}

/** A page of a list, its reader, and the signal that ends the wait for it. */
export type ListPage = PageRequest & Pick<ApiRequest, 'caller' | 'signal' | 'usage'> & { readonly where: Where };

/**
 * A page of the records that match a filter.
 * @throws {Problem} 400 for one that costs too much, 403 for an order that would reveal contact data
 */
export async function pageOf(
  sources: ReadSources,
  query: Query,
  { page, size, sort, where, caller, signal, usage: visits }: ListPage,
): Promise<object> {
  const { models, authorizer, queryBudget: budget } = sources;
  if (query.contact !== null && sort.field in query.contact && !authorizer.mayReadAllContacts(caller))
    throw new Problem('NOT_YOURS', 'Contact data is sorted only for an ADMIN key or a key of the root licence.');
  const { collection } = query.model;
  const order = { ...sort, field: orderFor(query, sort.field, caller, sources) };
  const bounds = { budget, maxBytes: MAX_PAGE_BYTES, signal, visits };
  const [documents, total] = await Promise.all([
    models.find(collection, { where, sort: order, offset: page * size, limit: size, ...bounds }),
    // Without the signal: others may wait for the same count.
    models.count(collection, where, { budget, visits }),
  ]).catch((error: unknown) => {
    if (!(error instanceof OverBudget)) throw error;
    throw error.of === 'bytes' ? invalidProblem(TOO_LARGE, '#/query/size') : tooCostly(query, sort, where);
  });
  return pageEnvelope(await viewsOf(sources, query, documents, caller), { page, size }, total);
}

/** The field by which documents are sorted for a caller: the order by a value that they may not see would reveal it. */
function orderFor({ publicForms }: Query, field: string, caller: Reader, { authorizer }: ReadSources): string {
  const form = publicForms?.[field];
  return form === undefined || authorizer.mayReadAllContacts(caller) ? field : form.sortedBy;
}

/** Most bytes of the documents of a page, as `roughBytesOf` counts them: unlike an unpaged list it is made in memory. */
const MAX_PAGE_BYTES = 33_554_432;
const TOO_LARGE = 'is more than an answer can hold, as these records are large; ask for fewer';

function tooCostly({ model, sortable }: Query, { field }: Sort, where: Where): Problem {
  const cheap = sortable.filter((one) => hasPage(model, { where, sort: { field: one } }));
  const advice =
    cheap.length === 0 ? 'ask for less, by another filter or a shorter time' : `sort by ${cheap.join(' or ')}`;
  return invalidProblem(`there are too many records to sort by ${field}; ${advice}`, '#/query/sort');
}

/**
 * Whether a request asks for disabled records too.
 * @throws {Problem} 401 or 403 when it does so without a key of role CRUD or higher
 */
export function includesDisabled(request: ListRequest): boolean {
  if (request.query.includeDisabled !== true) return false;
  if (!request.caller) throw unauthenticatedProblem();
  if (includesRole(request.caller.role, 'CRUD')) return true;
  throw new Problem('FORBIDDEN', 'includeDisabled needs a key of role CRUD or higher.');
}

/**
 * Makes the envelope of one page, with all nine fields (docs/interface.md#lists-and-pages): `page` and `number` are
 * both the index, `size` is the size asked for, `last` is also true past the end.
 */
export function pageEnvelope<T>(
  content: readonly T[],
  { page, size }: Pick<PageRequest, 'page' | 'size'>,
  totalElements: number,
) {
  const totalPages = Math.ceil(totalElements / size);
  return {
    content,
    page,
    number: page,
    size,
    totalElements,
    totalPages,
    first: page === 0,
    last: page >= totalPages - 1,
    empty: content.length === 0,
  };
}

/** From this many documents on, a count is reused while no document of the collection changes. */
const SOME_DOCUMENTS = 1_000;
/** From this many on, even if some change. */
const MANY_DOCUMENTS = 50_000;
/** It is then reused for this many times as long as it took, and for at most this many ms. */
const REUSE_PER_COUNTING_TIME = 20;
const MAX_AGE_MS = 60_000;

/** Most counts that are remembered: there are as many filters as clients think of. */
const MAX_COUNTS = 1_000;

interface Counted {
  count: number;
  /** Version of the collection that was counted; null: not known. */
  version: string | null;
  /** Monotonic time, in ms, until which the count is reused even if the collection changes. */
  until: number;
}

/**
 * Read models whose counts cost little, however many pages are asked for: a store counts entry by entry, so a count of
 * many documents is reused for a while, and made once for all requests that wait for it.
 */
export function withPageCounts(models: ReadModels, clock: Clock): ReadModels {
  const memoMethod = (): Counted => ({ count: 0, version: null, until: 0 });
  const counted = new LRUCache<string, Counted>({ max: MAX_COUNTS, memoMethod });
  const pending = new Map<string, Promise<number>>();

  async function count(known: Counted, asked: Parameters<ReadModels['count']>): Promise<number> {
    // A version costs a look, too: not for what is counted as quickly.
    const version = known.count < SOME_DOCUMENTS ? null : await models.version([asked[0]]);
    if (version !== null && version === known.version) return known.count;
    const started = clock.monotonic();
    const found = await models.count(...asked);
    const [, where, bounds] = asked;
    // Entry by entry; how many documents there are in all, stores know.
    if (bounds?.visits !== undefined && Object.keys(where).length > 0)
      bounds.visits.documents += found / ENTRIES_PER_DOCUMENT;
    const now = clock.monotonic();
    const until = found < MANY_DOCUMENTS ? 0 : now + Math.min(REUSE_PER_COUNTING_TIME * (now - started), MAX_AGE_MS);
    Object.assign(known, { count: found, version, until });
    return found;
  }
  return {
    ...models,
    count(...asked) {
      const [collection, where] = asked;
      const key = JSON.stringify([collection, where]);
      const known = counted.memo(key);
      if (clock.monotonic() < known.until) return Promise.resolve(known.count);
      if (known.count < MANY_DOCUMENTS) return count(known, asked);
      const found = pending.get(key) ?? count(known, asked).finally(() => pending.delete(key));
      pending.set(key, found);
      return found;
    },
  };
}
