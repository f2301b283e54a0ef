import type { Authorizer } from '../access/authorizer.ts';
import { participants } from '../../../projections/participants.ts';
import { lookingUpOnce } from '../../domain/documents.ts';
import { fullName } from '../../domain/public-names.ts';
import { PUBLIC_NAME, type Query } from '../../domain/query.ts';
import type { Caller } from '../../domain/roles.ts';
import { endpoint, type Endpoint, type EndpointResponse } from '../http/endpoint.ts';
import { Problem } from '../http/problems.ts';
import { pick, type Json, type JsonObject } from '../../kernel/json.ts';
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

/** The view of a document, with what it shows of other read models, but not the whole names of people. */
async function viewOf(sources: ReadSources, query: Query, document: Document, reader: Reader): Promise<JsonObject> {
  if (query.extend === null) return simpleView(sources, query, document, reader);
  const values = { ...document, ...(await query.extend(document, sources.models)) };
  return pick(withTimed(values, query, document, sources), query.shown);
}

/** The view of a document, of a query that reads no other. */
function simpleView(sources: ReadSources, query: Query, document: Document, reader: Reader): JsonObject {
  const { overlays, authorizer } = sources;
  const overlay = overlays.get(query.model.collection);
  const stored = overlay === undefined ? document : { ...document, ...overlay(document) };
  const values = withTimed(stored, query, document, sources);
  if (query.contact === null && query.publicForms === null) return pick(values, query.shown);
  const isShown = showsContact({ authorizer }, document, reader);
  return pick(isShown ? values : { ...values, ...query.contact, ...publicFormsOf(query, document) }, query.shown);
}

/** The values of a document that have a form for everybody, in that form. */
function publicFormsOf({ publicForms }: Query, document: Document): JsonObject {
  const forms: Record<string, Json | undefined> = {};
  for (const [field, { shown }] of Object.entries(publicForms ?? {})) forms[field] = document[shown];
  return forms;
}

/** Sources of the whole names of people. */
export type NameSources = Pick<ReadSources, 'models' | 'authorizer'>;

/** What names the participant in `participantId`; null: nobody. */
interface Naming {
  readonly participantId?: Json | undefined;
}

/**
 * Views in which a reader sees the whole names of the people whom their licence owns, and the public name beside it. In all
 * others, `participantName` is the public name, as everything that is kept of laps, boards, seats and queues has only that.
 */
export async function withWholeNames<V extends Naming>(
  { models, authorizer }: NameSources,
  views: readonly V[],
  reader: Reader,
): Promise<readonly V[]> {
  if (reader === null) return views;
  const participant = lookingUpOnce(models, participants);
  return Promise.all(
    views.map(async (view) => {
      const { participantId } = view;
      const person = typeof participantId === 'string' ? await participant(participantId) : null;
      if (person === null || !showsContact({ authorizer }, person, reader)) return view;
      return { ...view, participantName: fullName(person), [PUBLIC_NAME]: person.publicName };
    }),
  );
}

/** The same of one view. */
export async function withWholeName<V extends Naming>(sources: NameSources, view: V, reader: Reader): Promise<V> {
  const [named] = await withWholeNames(sources, [view], reader);
  return named ?? view;
}

/** The views of some documents, for a reader. */
export async function viewsOf(
  sources: ReadSources,
  query: Query,
  documents: readonly Document[],
  reader: Reader,
): Promise<readonly JsonObject[]> {
  const views =
    query.extend === null
      ? documents.map((document) => simpleView(sources, query, document, reader))
      : await Promise.all(documents.map((document) => viewOf(sources, query, document, reader)));
  return query.namesDriver ? withWholeNames(sources, views, reader) : views;
}

/** The view of one document, for a reader. */
export async function oneViewOf(
  sources: ReadSources,
  query: Query,
  document: Document,
  reader: Reader,
): Promise<JsonObject> {
  const view = await viewOf(sources, query, document, reader);
  return query.namesDriver ? withWholeName(sources, view, reader) : view;
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
  const body = await oneViewOf(sources, query, document, reader);
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
