import type { Authorizer } from '../access/authorizer.ts';
import type { Query } from '../../domain/query.ts';
import type { Caller } from '../../domain/roles.ts';
import { endpoint, type Endpoint, type EndpointResponse } from '../http/endpoint.ts';
import { Problem } from '../http/problems.ts';
import { pick, type JsonObject } from '../../kernel/json.ts';
import type { Document, ReadModels } from '../../kernel/ports/read-store.ts';
import type { Clock } from '../../kernel/ports/system.ts';
import type { Resource } from '../resources/resource.ts';
import { itemBase, onePath, resourceName, wordsOf } from './endpoint-base.ts';

/** Fields of a document for which this process has newer values than the read models. */
export type Overlay = (document: Document) => JsonObject;

/** Sources of what is read: the read models, the overlays by collection, and who may see what. */
export interface ReadSources {
  readonly models: ReadModels;
  readonly overlays: ReadonlyMap<string, Overlay>;
  readonly authorizer: Pick<Authorizer, 'mayReadContact' | 'mayReadAllContacts'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Documents that a request may visit, unpaged lists excepted. */
  readonly queryBudget: number;
}

/** Sources of the endpoints that read a resource. */
export interface ReadApi extends ReadSources {
  /** Whether participants can be read without a key. */
  readonly publicParticipants: boolean;
}

/** The caller who reads; null: one without a key. */
export type Reader = Caller | null;

/** The view of a document, with what it shows of other read models. */
export async function viewOf(
  sources: ReadSources,
  query: Query,
  document: Document,
  reader: Reader,
): Promise<JsonObject> {
  if (query.extend === null) return simpleView(sources, query, document, reader);
  const values = { ...document, ...(await query.extend(document, sources.models)) };
  return pick(withTimed(values, query, document, sources), query.shown);
}

/** The view of a document, of a query that reads no other. */
export function simpleView(sources: ReadSources, query: Query, document: Document, reader: Reader): JsonObject {
  const { overlays, authorizer } = sources;
  const overlay = overlays.get(query.model.collection);
  const stored = overlay === undefined ? document : { ...document, ...overlay(document) };
  const values = withTimed(stored, query, document, sources);
  if (query.contact === null) return pick(values, query.shown);
  const isShown = showsContact({ authorizer }, document, reader);
  return pick(isShown ? values : { ...values, ...query.contact }, query.shown);
}

/** The values of a view, with those that depend on the clock. */
function withTimed(values: JsonObject, { timed }: Query, document: Document, { clock }: ReadSources): JsonObject {
  return timed === null ? values : { ...values, ...timed.valuesAt(document, instantOf(clock.now())) };
}

/** A time, epoch ms, as ISO 8601. */
export function instantOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** Whether a reader sees the contact data of a document. */
export function showsContact({ authorizer }: Pick<ReadSources, 'authorizer'>, document: Document, reader: Reader) {
  return authorizer.mayReadContact(reader, [document['licenseId'], document['_createdBy'], document['_venueId']]);
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
export async function resourceResponse(
  sources: ReadSources,
  query: Query,
  document: Document | null,
  reader: Reader,
): Promise<EndpointResponse> {
  if (document === null) throw notFoundProblem();
  const body =
    query.extend === null
      ? simpleView(sources, query, document, reader)
      : await viewOf(sources, query, document, reader);
  return { kind: 'resource', status: 200, revision: document._revision, updatedAt: updatedAtOf(query, document), body };
}

/** When the newest event of a resource itself happened, ISO 8601; null: its document does not tell. */
export function updatedAtOf({ isOwnChange }: Pick<Query, 'isOwnChange'>, document: Document): string | null {
  const updatedAt = document['updatedAt'] ?? document['_updatedAt'];
  return typeof updatedAt === 'string' && isOwnChange(document) ? updatedAt : null;
}

/** The problem of an id that no resource has. */
export function notFoundProblem(): Problem {
  return new Problem('NOT_FOUND', 'There is no resource with this id.');
}

/** Who may read a resource, by its declaration and the setting `PUBLIC_PARTICIPANTS`. */
export function readAccess(
  { publicParticipants }: Pick<ReadApi, 'publicParticipants'>,
  { access: { read } }: Resource,
): Endpoint['access'] {
  if (read !== 'people') return read;
  return publicParticipants ? 'public' : 'R';
}

/** GET of one resource. */
export function oneEndpoint(api: ReadApi, resource: Resource): Endpoint {
  const { query } = resource;
  const path = onePath(resource);
  return endpoint({
    ...itemBase('GET', path, query),
    operationId: `get${resourceName(query)}`,
    summary: `Get one ${wordsOf(resourceName(query))}`,
    description: 'Finds it by its id, even if lists do not include it.',
    access: readAccess(api, resource),
    responses: { 200: query.view },
    async handle({ params, caller }) {
      return resourceResponse(api, query, await documentOf(api, query, idFromPath(params)), caller);
    },
  });
}
