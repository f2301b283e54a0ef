import { z } from 'zod';
import { uuid } from '../domain/fields.ts';
import { show, type Query } from '../domain/query.ts';
import { type EndpointResponse, endpoint, type Access, type Endpoint } from '../http/endpoint.ts';
import {
  pageEnvelope,
  type PageRequest,
  includesDisabled,
  listQuery,
  pageSchema,
  pageQuery,
  pageQueryWithDisabled,
} from '../http/paging.ts';
import { Problem } from '../http/problems.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Document, ReadModels, Where } from '../kernel/ports/read-store.ts';

/** Fields of a document that this process knows better than the read models do. */
export type Overlay = (document: Document) => JsonObject;

/** Where answers come from: the read models, and by collection what only this process knows already. */
export interface ReadSources {
  readonly models: ReadModels;
  readonly overlays: ReadonlyMap<string, Overlay>;
}

/** What clients see of a document. */
export async function viewOf(query: Query, document: Document, sources: ReadSources): Promise<JsonObject> {
  return query.extend === null
    ? simpleView(query, document, sources)
    : show(query, { ...document, ...(await query.extend(document.id, sources.models)) });
}

function simpleView(query: Query, document: Document, { overlays }: ReadSources): JsonObject {
  const overlay = overlays.get(query.model.collection);
  return show(query, overlay === undefined ? document : { ...document, ...overlay(document) });
}

/** The document of an id, or null when clients may not know of it. */
export async function documentOf(query: Query, id: string, { models }: ReadSources): Promise<Document | null> {
  const document = await models.get(query.model.collection, id);
  return document !== null && Object.entries(query.only).every(([field, value]) => document[field] === value)
    ? document
    : null;
}

/**
 * The answer to a GET of one resource.
 * @throws {Problem} 404
 */
export async function getResource(query: Query, id: string, sources: ReadSources): Promise<EndpointResponse> {
  return resourceResponse(query, await documentOf(query, id, sources), sources);
}

/**
 * The answer to a GET of one resource that was looked up.
 * @throws {Problem} 404
 */
export async function resourceResponse(
  query: Query,
  document: Document | null,
  sources: ReadSources,
): Promise<EndpointResponse> {
  if (document === null) throw notFound();
  return { kind: 'resource', status: 200, revision: document._revision, body: await viewOf(query, document, sources) };
}

/** 404 for a resource that does not exist. */
export function notFound(): Problem {
  return new Problem('NOT_FOUND', 'There is no resource with this id.');
}

/** The conditions of a list: what exists for clients, and only what is enabled where the list hides the rest. */
export function listFilter(query: Query, includeDisabled: boolean): Where {
  return query.hidesDisabled && !includeDisabled ? { ...query.only, enabled: true } : query.only;
}

/** The answer to a GET of an unpaged list: streamed, however long. */
export function listResponse(query: Query, where: Where, sources: ReadSources): EndpointResponse {
  return { kind: 'list', batches: viewBatches(query, where, sources) };
}

async function* viewBatches(query: Query, where: Where, sources: ReadSources): AsyncGenerator<readonly JsonObject[]> {
  for await (const batch of sources.models.stream(query.model.collection, { where }))
    yield viewsOf(query, batch, sources);
}

function viewsOf(
  query: Query,
  documents: readonly Document[],
  sources: ReadSources,
): readonly JsonObject[] | Promise<readonly JsonObject[]> {
  if (query.extend === null) return documents.map((document) => simpleView(query, document, sources));
  return Promise.all(documents.map((document) => viewOf(query, document, sources)));
}

/** A page to be answered: which records, and which part of them. */
export interface FilteredPageRequest extends PageRequest {
  readonly where: Where;
}

/** The answer to a GET of a page. */
export async function pageResponse(
  query: Query,
  { page, size, sort, where }: FilteredPageRequest,
  sources: ReadSources,
): Promise<EndpointResponse> {
  const { collection } = query.model;
  const [found, total] = await Promise.all([
    sources.models.find(collection, { where, sort, offset: page * size, limit: size }),
    sources.models.count(collection, where),
  ]);
  return { kind: 'json', status: 200, body: pageEnvelope(await viewsOf(query, found, sources), { page, size }, total) };
}

/** A query, whatever its documents are. */
export type AnyQuery = Query<never>;

/** The makers of the read rows that resources share: one call per endpoint. */
export interface ReadRows {
  /** GET of a whole list. */
  readonly list: (path: string, access: Access, query: AnyQuery) => Endpoint;
  /** GET of a page of a list. */
  readonly paged: (path: string, access: Access, query: AnyQuery) => Endpoint;
  /** GET of one resource by the ids in its path. */
  readonly one: (path: string, access: Access, query: AnyQuery) => Endpoint;
}

/** Makes the makers. */
export function readRows(sources: ReadSources): ReadRows {
  return {
    list: (path, access, query) => listRow({ path, access, query, sources }),
    paged: (path, access, query) => pagedRow({ path, access, query, sources }),
    one: (path, access, query) =>
      endpoint({
        ...rowBase('GET', path, query),
        operationId: `get${resourceName(query)}`,
        summary: `Get one ${resourceName(query)}`,
        access,
        params: pathParams(path),
        responses: { 200: query.view },
        handle: ({ params }) => getResource(query, idFromPath(params), sources),
      }),
  };
}

interface ReadRowOptions {
  readonly path: string;
  readonly access: Access;
  readonly query: AnyQuery;
  readonly sources: ReadSources;
}

function listRow({ path, access, query, sources }: ReadRowOptions): Endpoint {
  const head = {
    ...rowBase('GET', path, query),
    operationId: `list${pluralName(query)}`,
    summary: `List every ${resourceName(query)}`,
    access,
    responses: { 200: z.array(query.view) },
  };
  if (!query.hidesDisabled) return endpoint({ ...head, handle: () => listResponse(query, query.only, sources) });
  const handle: Endpoint<undefined, typeof listQuery>['handle'] = (request) =>
    listResponse(query, listFilter(query, includesDisabled(request)), sources);
  return endpoint({ ...head, query: listQuery, handle });
}

function pagedRow({ path, access, query, sources }: ReadRowOptions): Endpoint {
  const { sortable, defaultSort } = query;
  const head = {
    ...rowBase('GET', path, query),
    operationId: `page${pluralName(query)}`,
    summary: `Get a page of the ${resourceName(query)} list`,
    access,
    responses: { 200: pageSchema(query.view, `${resourceName(query)}Page`) },
  };
  if (!query.hidesDisabled) {
    const asked = pageQuery(sortable, defaultSort);
    return endpoint({
      ...head,
      query: asked,
      handle: (request) => pageResponse(query, { ...request.query, where: query.only }, sources),
    });
  }
  const asked = pageQueryWithDisabled(sortable, defaultSort);
  return endpoint({
    ...head,
    query: asked,
    handle: (request) =>
      pageResponse(query, { ...request.query, where: listFilter(query, includesDisabled(request)) }, sources),
  });
}

/** What every row of a resource says of itself. */
export function rowBase<M extends Endpoint['method']>(method: M, path: string, query: AnyQuery) {
  return { method, path, tag: pluralName(query) };
}

/** Name of the resource in the document: that of its view. */
export function resourceName({ view }: AnyQuery): string {
  const { id } = view.meta() ?? {};
  if (id === undefined) throw new Error('a view needs a name: .meta({ id })');
  return id;
}

/** The same for several of them: `Laps`, `CarClasses`. */
export function pluralName(query: AnyQuery): string {
  const name = resourceName(query);
  return name.endsWith('s') ? `${name}es` : `${name}s`;
}

/** Schema of the UUIDs in a path. */
export function pathParams(path: string) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  return z.object(Object.fromEntries(names.map((name) => [name, uuid])));
}

/** The id that a path names: a mapping's is that of both its ends. */
export function idFromPath(params: { readonly [name: string]: string }): string {
  return Object.values(params).join(':');
}

/** A path with its parameters filled in. */
export function fillPath(path: string, params: { readonly [name: string]: string }): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}
