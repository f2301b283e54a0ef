import { z } from 'zod';
import type { Permissions } from '../access/permissions.ts';
import { exampleId } from '../domain/examples.ts';
import { described, uuid } from '../domain/fields.ts';
import { narrowedBy } from '../domain/filters.ts';
import { show, type Query } from '../domain/query.ts';
import type { Caller } from '../domain/roles.ts';
import {
  type ApiRequest,
  type EndpointResponse,
  endpoint,
  type Access,
  type Endpoint,
  type WantedForm,
} from '../http/endpoint.ts';
import {
  includeDisabled,
  includesDisabled,
  pageEnvelope,
  pageParameters,
  type PageRequest,
  pageSchema,
} from '../http/paging.ts';
import { csvParameters } from '../http/csv.ts';
import { contentEtag, weakTag } from '../http/respond.ts';
import { invalidProblem, Problem, unauthenticatedProblem } from '../http/problems.ts';
import type { JsonObject } from '../kernel/json.ts';
import { OverBudget } from '../kernel/ports/errors.ts';
import { isOrdered, type Document, type ReadModels, type Sort, type Where } from '../kernel/ports/read-store.ts';

/** Fields of a document for which this process has newer values than the read models. */
export type Overlay = (document: Document) => JsonObject;

/** Sources of the documents: the read models, and the overlays by collection. */
export interface ReadSources {
  readonly models: ReadModels;
  readonly overlays: ReadonlyMap<string, Overlay>;
  readonly permissions: Pick<Permissions, 'mayReadContact' | 'mayReadAllContacts'>;
  /** Documents that a request may visit, unpaged lists excepted. */
  readonly queryBudget: number;
  /** Who reads; by default nobody in particular. */
  readonly reader?: Caller | null;
}

/** The sources for the caller of a request. */
export function readBy(
  { models, overlays, permissions, queryBudget }: ReadSources,
  { caller }: Pick<ApiRequest, 'caller'>,
): ReadSources {
  return { models, overlays, permissions, queryBudget, reader: caller };
}

/** Who asks, and for how long they wait. */
type Asking = Pick<ApiRequest, 'caller' | 'signal'>;

/** The view of a document: what clients see of it. */
export async function viewOf(query: Query, document: Document, sources: ReadSources): Promise<JsonObject> {
  return query.extend === null
    ? simpleView(query, document, sources)
    : show(query, { ...document, ...(await query.extend(document.id, sources.models)) });
}

function simpleView(query: Query, document: Document, sources: ReadSources): JsonObject {
  const overlay = sources.overlays.get(query.model.collection);
  const values = overlay === undefined ? document : { ...document, ...overlay(document) };
  return show(query, showsContact(query, document, sources) ? values : { ...values, ...query.contact });
}

function showsContact({ contact }: Query, document: Document, { permissions, reader = null }: ReadSources): boolean {
  if (contact === null) return true;
  const { licenseId, _createdBy } = document;
  return permissions.mayReadContact(reader, { licenseId, createdBy: _createdBy });
}

/** @throws {Problem} 403 for who would read, from the order, contact data that they may not see */
function requireSortable({ contact }: Query, { field }: Sort, { permissions, reader = null }: ReadSources): void {
  if (contact === null || !(field in contact) || permissions.mayReadAllContacts(reader)) return;
  throw new Problem('NOT_YOURS', 'Only an ADMIN key may sort by contact data.');
}

/** The document of an id; null when there is none or clients may not see it. */
export async function documentOf(query: Query, id: string, { models }: ReadSources): Promise<Document | null> {
  const document = await models.get(query.model.collection, id);
  return document !== null && Object.entries(query.only).every(([field, value]) => document[field] === value)
    ? document
    : null;
}

/**
 * The response to a GET of one resource.
 * @throws {Problem} 404
 */
export async function getResource(query: Query, id: string, sources: ReadSources): Promise<EndpointResponse> {
  return resourceResponse(query, await documentOf(query, id, sources), sources);
}

/**
 * The response to a GET of one resource that was looked up already.
 * @throws {Problem} 404
 */
export async function resourceResponse(
  query: Query,
  document: Document | null,
  sources: ReadSources,
): Promise<EndpointResponse> {
  if (document === null) throw notFoundProblem();
  return { kind: 'resource', status: 200, revision: document._revision, body: await viewOf(query, document, sources) };
}

/** Problem 404 for a resource that does not exist. */
export function notFoundProblem(): Problem {
  return new Problem('NOT_FOUND', 'There is no resource with this id.');
}

/** The filter of a list: what clients may see, and only what is enabled where the list hides disabled records. */
function listFilter(query: Query, includeDisabled: boolean): Where {
  return query.hidesDisabled && !includeDisabled ? { ...query.only, enabled: true } : query.only;
}

/** Who may not see contact data may neither sort nor filter by it, though a list be public. */
function ownProblems({ contact }: AnyQuery) {
  return contact === null ? {} : { problems: [401, 403] };
}

/** The query parameters of a list, besides those of a page. */
function listParameters({ hidesDisabled, filters }: AnyQuery) {
  return { ...filters, ...(hidesDisabled && { includeDisabled }) };
}

/** A request for a list, with the values of its filters among the parameters. */
type ListRequest = Asking & { readonly query: { readonly includeDisabled?: unknown } };

/**
 * What a request for a list asks for.
 * @throws {Problem} 401 and 403 for who asks for more than they may see
 */
function requestedFilter(query: AnyQuery, request: ListRequest, { permissions }: ReadSources): Where {
  const { contact, owners } = query;
  const where = { ...listFilter(query, includesDisabled(request)), ...narrowedBy(request.query) };
  const isByContact = contact !== null && Object.keys(where).some((field) => field in contact);
  if (!isByContact || owners === null || permissions.mayReadAllContacts(request.caller)) return where;
  if (request.caller === null) throw unauthenticatedProblem();
  return { ...where, [`${owners}[]`]: request.caller.licenseId };
}

/** The response to a GET of an unpaged list: streamed, however long. */
export async function listResponse(
  query: Query,
  { where, request }: { readonly where: Where; readonly request: Asking & { readonly query: WantedForm } },
  sources: ReadSources,
): Promise<EndpointResponse> {
  const reading = readBy(sources, request);
  const { shown: fields, instants, model } = query;
  const csv = { name: model.collection, fields, instants, ...request.query };
  const tag = hasVersion(query, sources) ? { etag: weakTag(contentEtag(await versionFor(query, reading))) } : {};
  const found = sources.models.stream(query.model.collection, { where, signal: request.signal });
  return { kind: 'list', batches: viewBatches(query, found, reading), ...tag, csv };
}

/** Whether all that is shown comes from the read models, which have a version. */
function hasVersion({ model }: Pick<Query, 'model'>, { overlays }: ReadSources): boolean {
  return !overlays.has(model.collection);
}

/** The version of what a reader sees of a list: of its documents, of the fields that are shown, and of what is hidden. */
async function versionFor(query: Query, { models, permissions, reader = null }: ReadSources): Promise<string> {
  const { collections, shown, contact } = query;
  const sees = contact === null || permissions.mayReadAllContacts(reader) ? 'all' : (reader?.licenseId ?? 'none');
  return `${await models.version(collections)} ${sees} ${shown.join()}`;
}

async function* viewBatches(
  query: Query,
  found: AsyncIterable<readonly Document[]>,
  sources: ReadSources,
): AsyncGenerator<readonly JsonObject[]> {
  for await (const batch of found) yield viewsOf(query, batch, sources);
}

function viewsOf(
  query: Query,
  documents: readonly Document[],
  sources: ReadSources,
): readonly JsonObject[] | Promise<readonly JsonObject[]> {
  if (query.extend === null) return documents.map((document) => simpleView(query, document, sources));
  return Promise.all(documents.map((document) => viewOf(query, document, sources)));
}

/** A page of the records that match a filter. */
export async function pageOf(
  query: Query,
  { page, size, sort, where, signal }: PageRequest & { readonly where: Where; readonly signal: AbortSignal },
  sources: ReadSources,
): Promise<object> {
  requireSortable(query, sort, sources);
  const { collection } = query.model;
  const bounds = { budget: sources.queryBudget, maxBytes: MAX_PAGE_BYTES, signal };
  const [found, total] = await Promise.all([
    sources.models.find(collection, { where, sort, offset: page * size, limit: size, ...bounds }),
    // Without the signal: others may wait for the same count.
    sources.models.count(collection, where, { budget: sources.queryBudget }),
  ]).catch((error: unknown) => {
    if (error instanceof OverBudget) throw error.of === 'bytes' ? tooLargePage() : tooCostly(query, sort, where);
    throw error;
  });
  return pageEnvelope(await viewsOf(query, found, sources), { page, size }, total);
}

/**
 * Most bytes of the documents of a page, as `roughBytesOf` counts them. The page is made in memory as a whole; an unpaged
 * list is not.
 */
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

function withDefaultIndex(query: Query): Query {
  const { model, defaultSort } = query;
  const filters = [listFilter(query, true), listFilter(query, false)];
  if (filters.every((where) => isOrdered(model.indexes, where, defaultSort))) return query;
  throw new TypeError(`${model.collection}: the default order needs an index`);
}

/** A query of any type of document. */
export type AnyQuery = Query<never>;

/** Creates the makers of the endpoints that read, which most resources have: one call per endpoint. */
export function readRows(sources: ReadSources) {
  return {
    /** GET of a whole list. */
    list: (path: string, access: Access, query: AnyQuery): Endpoint => {
      const head = {
        ...rowBase('GET', path, query),
        ...ownProblems(query),
        operationId: `list${pluralName(query)}`,
        summary: `List ${wordsOf(pluralName(query))}`,
        description: 'All that fit the filters, in no particular order, in one answer that is streamed.',
        access,
        responses: { 200: z.array(query.view) },
      };
      return endpoint({
        ...head,
        ...(hasVersion(query, sources) && { features: ['etag'] as const }),
        query: z.object({ ...listParameters(query), ...csvParameters }),
        handle: (request) => listResponse(query, { where: requestedFilter(query, request, sources), request }, sources),
      });
    },
    /** GET of a page of a list. @throws {TypeError} when no index has the default order. */
    paged: (path: string, access: Access, query: AnyQuery): Endpoint => pageRow({ path, access, query }, sources),
    /** GET of one resource by the ids in its path. */
    one: (path: string, access: Access, query: AnyQuery): Endpoint =>
      endpoint({
        ...rowBase('GET', path, query),
        operationId: `get${resourceName(query)}`,
        summary: `Get one ${wordsOf(resourceName(query))}`,
        description: 'By its id, whether lists have it or not.',
        access,
        params: pathParams(path),
        responses: { 200: query.view },
        handle: (request) => getResource(query, idFromPath(request.params), readBy(sources, request)),
      }),
  };
}

function pageRow(
  { path, access, query }: { readonly path: string; readonly access: Access; readonly query: AnyQuery },
  sources: ReadSources,
): Endpoint {
  const head = {
    ...rowBase('GET', path, withDefaultIndex(query)),
    ...ownProblems(query),
    operationId: `page${pluralName(query)}`,
    summary: `Get a page of ${wordsOf(pluralName(query))}`,
    description: 'Sorted, with totals.',
    access,
    responses: { 200: pageSchema(query.view, `${resourceName(query)}Page`) },
  };
  return endpoint({
    ...head,
    features: ['etag'],
    query: z.object({ ...pageParameters(query.sortable, query.defaultSort), ...listParameters(query) }),
    handle: (request) => {
      const where = requestedFilter(query, request, sources);
      const reading = readBy(sources, request);
      return {
        kind: 'computed',
        version: () => versionFor(query, reading),
        // A signal costs as much as a page that was made before: it is made for who makes one.
        body: () => pageOf(query, { ...request.query, where, signal: request.signal }, reading),
      };
    },
  });
}

/** The fields that all endpoints of a resource have. */
export function rowBase<M extends Endpoint['method']>(method: M, path: string, query: AnyQuery) {
  const { description = '' } = query.view.meta() ?? {};
  return { method, path, tag: { name: pluralName(query), description } };
}

/** Name of the resource in the OpenAPI document: that of its view. */
export function resourceName({ view }: AnyQuery): string {
  const { id } = view.meta() ?? {};
  if (id === undefined) throw new Error('a view needs a name: .meta({ id })');
  return id;
}

/** Plural of a resource's name: `Laps`, `CarClasses`. */
export function pluralName(query: AnyQuery): string {
  const name = resourceName(query);
  return name.endsWith('s') ? `${name}es` : `${name}s`;
}

/** The words of a name: `track layouts` for `TrackLayouts`. */
export function wordsOf(name: string): string {
  return name.replace(/([a-z])(?=[A-Z])/g, '$1 ').toLowerCase();
}

/** Schema of the UUIDs in a path. */
export function pathParams(path: string) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  return z.object(Object.fromEntries(names.map((name) => [name, pathId(name)])));
}

function pathId(name: string) {
  const resource = name.replace(/Id$/, '');
  return described(uuid, `Id of the ${wordsOf(resource)}.`, exampleId(resource));
}

/** The id in a path; a mapping's consists of the two ids that it connects. */
export function idFromPath(params: { readonly [name: string]: string }): string {
  return Object.values(params).join(':');
}

/** Puts values in the place of a path's parameters. */
export function fillPath(path: string, params: { readonly [name: string]: string }): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}
