import { z } from 'zod';
import { exampleId } from '../../domain/references.ts';
import { described, uuid } from '../../domain/fields.ts';
import type { Query } from '../../domain/query.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Resource } from '../resources/resource.ts';

export type AnyQuery = Query<never>;

export function endpointBase<M extends Endpoint['method']>(method: M, path: string, query: AnyQuery) {
  const { description = '' } = query.view.meta() ?? {};
  return { method, path, tag: { name: pluralName(query), description } };
}

/** The common part of an endpoint whose path has ids, which are its parameters. */
export function itemBase<M extends Endpoint['method']>(method: M, path: string, query: AnyQuery) {
  return { ...endpointBase(method, path, query), params: pathParams(path) };
}

/** Name of a resource in the OpenAPI document: that of its view. */
export function resourceName({ view }: AnyQuery): string {
  const { id } = view.meta() ?? {};
  if (id === undefined) throw new Error('a view needs a name: .meta({ id })');
  return id;
}

/** Plural of a resource's name: `Laps`, `CarClasses`, `Penalties`. */
export function pluralName(query: AnyQuery): string {
  const name = resourceName(query);
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return name.endsWith('s') ? `${name}es` : `${name}s`;
}

/** The words of a name: `track layouts` for `TrackLayouts`. */
export function wordsOf(name: string): string {
  return name.replace(/([a-z])(?=[A-Z])/g, '$1 ').toLowerCase();
}

/** Path of one resource: `/api/v1/laps/{lapId}`; that of a mapping names what is mapped. */
export function onePath({ path, decider, create, remove }: Resource): string {
  const [mapped] = remove === undefined ? [] : Object.keys(create?.references ?? {});
  return `${path}/{${mapped ?? `${decider.category}Id`}}`;
}

export function pathParams(path: string) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  return z.object(Object.fromEntries(names.map((name) => [name, pathId(name)])));
}

function pathId(name: string) {
  const resource = name.replace(/Id$/, '');
  return described(uuid, `Id of the ${wordsOf(resource)}.`, exampleId(resource));
}

export function fillPath(path: string, params: { readonly [name: string]: string }): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}
