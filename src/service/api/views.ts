import type { Authorizer } from '../access/authorizer.ts';
import { narrowedBy } from '../domain/filters.ts';
import { show, type Query } from '../domain/query.ts';
import { includesRole, type Caller } from '../domain/roles.ts';
import type { ApiRequest, EndpointResponse, WantedForm } from '../http/endpoint.ts';
import { includeDisabled, type PageRequest } from '../http/paging.ts';
import { invalidProblem, Problem, unauthenticatedProblem } from '../http/problems.ts';
import { contentEtag, weakTag } from '../http/respond.ts';
import { areColumns, isCovered, isOrdered } from '../kernel/index-planner.ts';
import type { JsonObject } from '../kernel/json.ts';
import { OverBudget } from '../kernel/ports/errors.ts';
import type { Document, ReadModels, Sort, Where } from '../kernel/ports/read-store.ts';

/** Fields of a document for which this process has newer values than the read models. */
export type Overlay = (document: Document) => JsonObject;

/** Sources of what is read: the read models, the overlays by collection, and who may see what. */
export interface ReadSources {
  readonly models: ReadModels;
  readonly overlays: ReadonlyMap<string, Overlay>;
  readonly authorizer: Pick<Authorizer, 'mayReadContact' | 'mayReadAllContacts'>;
  /** Documents that a request may visit, unpaged lists excepted. */
  readonly queryBudget: number;
}

/** The caller who reads; null: one without a key. */
export type Reader = Caller | null;

/** The view of a document: what a reader sees of it. */
export async function viewOf(
  sources: ReadSources,
  { query, document }: { readonly query: Query; readonly document: Document },
  reader: Reader,
): Promise<JsonObject> {
  if (query.extend === null) return simpleView(sources, { query, document }, reader);
  return show(query, { ...document, ...(await query.extend(document.id, sources.models)) });
}

/** The view of a document, of a query that reads no other. */
export function simpleView(
  { overlays, authorizer }: ReadSources,
  { query, document }: { readonly query: Query; readonly document: Document },
  reader: Reader,
): JsonObject {
  const overlay = overlays.get(query.model.collection);
  const values = overlay === undefined ? document : { ...document, ...overlay(document) };
  if (query.contact === null) return show(query, values);
  return show(query, showsContact({ authorizer }, document, reader) ? values : { ...values, ...query.contact });
}

/** Whether the view of a document shows its contact data to a reader. */
export function showsContact(
  { authorizer }: Pick<ReadSources, 'authorizer'>,
  document: Document,
  reader: Reader,
): boolean {
  const owners = { licenseId: document['licenseId'], createdBy: document['_createdBy'] };
  return authorizer.mayReadContact(reader, owners);
}

/** The document of an id; null when there is none or clients may not see it. */
export async function documentOf({ models }: ReadSources, query: Query, id: string): Promise<Document | null> {
  const document = await models.get(query.model.collection, id);
  if (document === null) return null;
  for (const field in query.only) if (document[field] !== query.only[field]) return null;
  return document;
}

/** The id in a path; a mapping's consists of the two ids that it connects. */
export function idFromPath(params: { readonly [name: string]: string }): string {
  return Object.values(params).join(':');
}

/** The response to a GET of one resource. @throws {Problem} 404 */
export function resourceResponse(
  sources: ReadSources,
  { query, document }: { readonly query: Query; readonly document: Document | null },
  reader: Reader,
): EndpointResponse | Promise<EndpointResponse> {
  if (document === null) throw notFoundProblem();
  const respond = (body: JsonObject) =>
    ({ kind: 'resource', status: 200, revision: document._revision, body }) as const;
  if (query.extend !== null) return viewOf(sources, { query, document }, reader).then(respond);
  return respond(simpleView(sources, { query, document }, reader));
}

/** Problem 404 for a resource that does not exist. */
export function notFoundProblem(): Problem {
  return new Problem('NOT_FOUND', 'There is no resource with this id.');
}

/** A query of any type of document. */
export type AnyQuery = Query<never>;

/** A request for a list, with the values of its filters among the parameters. */
type ListRequest = Pick<ApiRequest, 'caller'> & { readonly query: { readonly includeDisabled?: unknown } };

/** The query parameters of a list, besides those of a page. */
export function listParameters({ hidesDisabled, filters }: AnyQuery) {
  return { ...filters, ...(hidesDisabled && { includeDisabled }) };
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
  const { contact, owners } = query;
  const where = { ...listFilter(query, includesDisabled(request)), ...narrowedBy(request.query) };
  const isByContact = contact !== null && Object.keys(where).some((field) => field in contact);
  if (!isByContact || owners === null || authorizer.mayReadAllContacts(request.caller)) return where;
  if (request.caller === null) throw unauthenticatedProblem();
  return { ...where, [`${owners}[]`]: request.caller.licenseId };
}

/** The response to a GET of an unpaged list: streamed, however long. */
export async function listResponse(
  sources: ReadSources,
  { query, where }: { readonly query: Query; readonly where: Where },
  request: Pick<ApiRequest, 'caller' | 'signal' | 'usage'> & { readonly query: WantedForm },
): Promise<EndpointResponse> {
  const { shown: fields, instants, model } = query;
  const csv = { name: model.collection, fields, instants, ...request.query };
  const version = hasVersion(query, sources) ? await versionFor(query, request.caller, sources) : null;
  const tag = version === null ? {} : { etag: weakTag(contentEtag(version)) };
  const found = sources.models.stream(model.collection, { where, signal: request.signal, visits: request.usage });
  return { kind: 'list', batches: viewBatches(sources, { query, found }, request.caller), ...tag, csv };
}

/** Whether all that is shown comes from the read models, which have a version. */
export function hasVersion({ model }: Pick<Query, 'model'>, { overlays }: ReadSources): boolean {
  return !overlays.has(model.collection);
}

/** The version of what a reader sees of a list: of its documents, of the fields that are shown, and of what is hidden. */
export async function versionFor(
  { collections, shown, contact }: Query,
  reader: Reader,
  { models, authorizer }: ReadSources,
): Promise<string> {
  const sees = contact === null || authorizer.mayReadAllContacts(reader) ? 'all' : (reader?.licenseId ?? 'none');
  return `${await models.version(collections)} ${sees} ${shown.join()}`;
}

async function* viewBatches(
  sources: ReadSources,
  { query, found }: { readonly query: Query; readonly found: AsyncIterable<readonly Document[]> },
  reader: Reader,
): AsyncGenerator<readonly JsonObject[]> {
  for await (const batch of found) yield viewsOf(sources, { query, documents: batch }, reader);
}

function viewsOf(
  sources: ReadSources,
  { query, documents }: { readonly query: Query; readonly documents: readonly Document[] },
  reader: Reader,
): readonly JsonObject[] | Promise<readonly JsonObject[]> {
  if (query.extend === null) return documents.map((document) => simpleView(sources, { query, document }, reader));
  return Promise.all(documents.map((document) => viewOf(sources, { query, document }, reader)));
}

/** Most documents of a page, and most that it skips, for an index to have it in a few steps. */
const SHORT_PAGE = 100;
const SHORT_WAY = 5_000;

/** Whether an index has a page, and how many documents match, in a few steps. */
export function isShortPage(
  { model }: Pick<Query, 'model'>,
  { page, size, sort }: Pick<PageRequest, 'page' | 'size' | 'sort'>,
  where: Where,
): boolean {
  if (size > SHORT_PAGE || page * size > SHORT_WAY) return false;
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
  requireSortable(sources, query, { sort, caller });
  const { models, queryBudget: budget } = sources;
  const { collection } = query.model;
  const bounds = { budget, maxBytes: MAX_PAGE_BYTES, signal, visits };
  const [documents, total] = await Promise.all([
    models.find(collection, { where, sort, offset: page * size, limit: size, ...bounds }),
    // Without the signal: others may wait for the same count.
    models.count(collection, where, { budget, visits }),
  ]).catch((error: unknown) => {
    if (error instanceof OverBudget) throw error.of === 'bytes' ? tooLargePage() : tooCostly(query, sort, where);
    throw error;
  });
  return pageEnvelope(await viewsOf(sources, { query, documents }, caller), { page, size }, total);
}

function requireSortable(
  { authorizer }: ReadSources,
  { contact }: Query,
  { sort, caller }: { readonly sort: Sort; readonly caller: Reader },
): void {
  if (contact === null || !(sort.field in contact) || authorizer.mayReadAllContacts(caller)) return;
  throw new Problem('NOT_YOURS', 'Contact data is sorted only for an ADMIN key or a key of the root licence.');
}

/** Most bytes of the documents of a page, as `roughBytesOf` counts them: unlike an unpaged list it is made in memory. */
const MAX_PAGE_BYTES = 33_554_432;

function tooLargePage(): Problem {
  return invalidProblem('is more than an answer can hold, as these records are large; ask for fewer', '#/query/size');
}

/** Problem 400 for a page that would visit too many documents. */
function tooCostly({ model, sortable }: Query, { field }: Sort, where: Where): Problem {
  const cheap = sortable.filter(
    (one) => isOrdered(model.indexes, where, one) || areColumns(model, [...Object.keys(where), one]),
  );
  if (cheap.includes(field)) {
    return invalidProblem('is too deep in the list; the unpaged list has all of it', '#/query/page');
  }
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
