import { narrowedBy } from '../domain/filters.ts';
import type { Query } from '../domain/query.ts';
import type { ApiRequest, EndpointResponse, WantedForm } from '../http/endpoint.ts';
import { includeDisabled, includesDisabled, pageEnvelope, type PageRequest } from '../http/paging.ts';
import { invalidProblem, Problem, unauthenticatedProblem } from '../http/problems.ts';
import { contentEtag, weakTag } from '../http/etags.ts';
import type { JsonObject } from '../kernel/json.ts';
import { OverBudget } from '../kernel/ports/errors.ts';
import { isOrdered } from '../kernel/index-planner.ts';
import type { Document, Sort, Where } from '../kernel/ports/read-store.ts';
import { simpleView, viewOf, type Reader, type ReadSources } from './views.ts';

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
 * @throws {Problem} 401, 403 for a caller who asks for more than they may see
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
  request: Pick<ApiRequest, 'caller' | 'signal'> & { readonly query: WantedForm },
): Promise<EndpointResponse> {
  const { shown: fields, instants, model } = query;
  const csv = { name: model.collection, fields, instants, ...request.query };
  const version = hasVersion(query, sources) ? await versionFor(query, request.caller, sources) : null;
  const tag = version === null ? {} : { etag: weakTag(contentEtag(version)) };
  const found = sources.models.stream(model.collection, { where, signal: request.signal });
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

/** A page of a list: which, of what, and for how long it is waited for. */
export type ListPage = PageRequest & Pick<ApiRequest, 'caller' | 'signal'> & { readonly where: Where };

/**
 * A page of the records that match a filter.
 * @throws {Problem} 400 for one that costs too much, 403 for an order that would tell contact data
 */
export async function pageOf(
  sources: ReadSources,
  query: Query,
  { page, size, sort, where, caller, signal }: ListPage,
): Promise<object> {
  requireSortable(sources, query, { sort, caller });
  const { models, queryBudget: budget } = sources;
  const { collection } = query.model;
  const bounds = { budget, maxBytes: MAX_PAGE_BYTES, signal };
  const [documents, total] = await Promise.all([
    models.find(collection, { where, sort, offset: page * size, limit: size, ...bounds }),
    // Without the signal: others may wait for the same count.
    models.count(collection, where, { budget }),
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
  throw new Problem('NOT_YOURS', 'Only an ADMIN key may sort by contact data.');
}

/** Most bytes of the documents of a page, as `roughBytesOf` counts them: unlike an unpaged list it is made in memory. */
const MAX_PAGE_BYTES = 33_554_432;

function tooLargePage(): Problem {
  return invalidProblem('is more than an answer can hold, as these records are large; ask for fewer', '#/query/size');
}

/** Problem 400 for a page that would visit too many documents. */
function tooCostly({ model, sortable }: Query, { field }: Sort, where: Where): Problem {
  const cheap = sortable.filter((one) => isOrdered(model.indexes, where, one));
  if (cheap.includes(field)) {
    return invalidProblem('is too deep in the list; the unpaged list has all of it', '#/query/page');
  }
  const advice =
    cheap.length === 0 ? 'ask for less, by another filter or a shorter time' : `sort by ${cheap.join(' or ')}`;
  return invalidProblem(`there are too many records to sort by ${field}; ${advice}`, '#/query/sort');
}
