import { z } from 'zod';
import { uuid } from '../domain/fields.ts';
import type { Query } from '../domain/query.ts';
import { endpoint, type Access, type Endpoint } from '../http/endpoint.ts';
import { disabledIncluded, listQuery, pageOf, pageQuery, pageQueryWithDisabled } from '../http/paging.ts';
import { listed, onePage, oneResource, wholeList, type Sources } from './reading.ts';

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
export function readRows(sources: Sources): ReadRows {
  return {
    list: (path, access, query) => listRow({ path, access, query, sources }),
    paged: (path, access, query) => pagedRow({ path, access, query, sources }),
    one: (path, access, query) =>
      endpoint({
        ...headOf('GET', path, query),
        operationId: `get${nameOf(query)}`,
        summary: `Get one ${nameOf(query)}`,
        access,
        params: pathParams(path),
        responses: { 200: query.view },
        handle: ({ params }) => oneResource(query, idIn(params), sources),
      }),
  };
}

interface Row {
  readonly path: string;
  readonly access: Access;
  readonly query: AnyQuery;
  readonly sources: Sources;
}

function listRow({ path, access, query, sources }: Row): Endpoint {
  const head = {
    ...headOf('GET', path, query),
    operationId: `list${namesOf(query)}`,
    summary: `List every ${nameOf(query)}`,
    access,
    responses: { 200: z.array(query.view) },
  };
  if (!query.hidesDisabled) return endpoint({ ...head, handle: () => wholeList(query, query.only, sources) });
  const handle: Endpoint<undefined, typeof listQuery>['handle'] = (request) =>
    wholeList(query, listed(query, disabledIncluded(request)), sources);
  return endpoint({ ...head, query: listQuery, handle });
}

function pagedRow({ path, access, query, sources }: Row): Endpoint {
  const { sortable, defaultSort } = query;
  const head = {
    ...headOf('GET', path, query),
    operationId: `page${namesOf(query)}`,
    summary: `Get a page of the ${nameOf(query)} list`,
    access,
    responses: { 200: pageOf(query.view, `${nameOf(query)}Page`) },
  };
  if (!query.hidesDisabled) {
    const asked = pageQuery(sortable, defaultSort);
    return endpoint({
      ...head,
      query: asked,
      handle: (request) => onePage(query, { ...request.query, where: query.only }, sources),
    });
  }
  const asked = pageQueryWithDisabled(sortable, defaultSort);
  return endpoint({
    ...head,
    query: asked,
    handle: (request) => onePage(query, { ...request.query, where: listed(query, disabledIncluded(request)) }, sources),
  });
}

/** What every row of a resource says of itself. */
export function headOf<M extends Endpoint['method']>(method: M, path: string, query: AnyQuery) {
  return { method, path, tag: namesOf(query) };
}

/** Name of the resource in the document: that of its view. */
export function nameOf({ view }: AnyQuery): string {
  const { id } = view.meta() ?? {};
  if (id === undefined) throw new Error('a view needs a name: .meta({ id })');
  return id;
}

/** The same for several of them: `Laps`, `CarClasses`. */
export function namesOf(query: AnyQuery): string {
  const name = nameOf(query);
  return name.endsWith('s') ? `${name}es` : `${name}s`;
}

/** Schema of the UUIDs in a path. */
export function pathParams(path: string) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  return z.object(Object.fromEntries(names.map((name) => [name, uuid])));
}

/** The id that a path names: a mapping's is that of both its ends. */
export function idIn(params: { readonly [name: string]: string }): string {
  return Object.values(params).join(':');
}

/** A path with its parameters filled in. */
export function filled(path: string, params: { readonly [name: string]: string }): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}
