import type { Authorizer } from '../access/authorizer.ts';
import { show, type Query } from '../domain/query.ts';
import type { Caller } from '../domain/roles.ts';
import type { EndpointResponse } from '../http/endpoint.ts';
import { Problem } from '../http/problems.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Document, ReadModels } from '../kernel/ports/read-store.ts';

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

/** The caller who reads; null: nobody in particular. */
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
  const owners = { licenseId: document['licenseId'], createdBy: document['_createdBy'] };
  return show(query, authorizer.mayReadContact(reader, owners) ? values : { ...values, ...query.contact });
}

/** The document of an id; null when there is none or clients may not see it. */
export async function documentOf({ models }: ReadSources, query: Query, id: string): Promise<Document | null> {
  const document = await models.get(query.model.collection, id);
  if (document === null) return null;
  for (const field in query.only) if (document[field] !== query.only[field]) return null;
  return document;
}

/**
 * The response to a GET of one resource.
 * @throws {Problem} 404
 */
export async function resourceResponse(
  sources: ReadSources,
  { query, document }: { readonly query: Query; readonly document: Document | null },
  reader: Reader,
): Promise<EndpointResponse> {
  if (document === null) throw notFoundProblem();
  const body = await viewOf(sources, { query, document }, reader);
  return { kind: 'resource', status: 200, revision: document._revision, body };
}

/** Problem 404 for a resource that does not exist. */
export function notFoundProblem(): Problem {
  return new Problem('NOT_FOUND', 'There is no resource with this id.');
}
