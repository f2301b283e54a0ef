import { objectOf, objectsOf, textOf, type JsonObject } from '../../shared/json.ts';
import type { Client } from './client.ts';
import type { Operation, Resource } from './model.ts';

export interface Option {
  readonly id: string;
  readonly name: string;
}

/** The name of a record: the fields that name its resource; if they are empty, another field, or its id. */
export function nameOf({ names, otherName, key }: Resource, record: JsonObject): string {
  const name = names.map((field) => textOf(record[field])).filter((text) => text !== '');
  return name.join(' ') || textOf(record[otherName]) || textOf(record[key]);
}

/** Names of records; read once for each resource, and again after something was written. */
export function createNames(client: Client, may: (operation: Operation | null) => boolean) {
  const known = new Map<string, Promise<readonly Option[]>>();
  const recordsOf = async (resource: Resource): Promise<readonly JsonObject[]> => {
    const all = disabledToo(resource, may) ? '?includeDisabled=true' : '';
    if (may(resource.list)) return objectsOf((await client.get(`${resource.path}${all}`)).json);
    return may(resource.current) ? [objectOf((await client.get(`${resource.path}/current`)).json)] : [];
  };
  const read = async (resource: Resource): Promise<readonly Option[]> =>
    (await recordsOf(resource))
      .map((record) => ({ id: textOf(record[resource.key]), name: nameOf(resource, record) }))
      .sort((a, b) => a.name.localeCompare(b.name));
  return {
    /** Forgets everything read so far, after something was written. */
    forget: (): void => known.clear(),
    /** All records of a resource that the key may see, sorted by name; disabled ones too, if the key may see them. */
    options(resource: Resource): Promise<readonly Option[]> {
      const found = known.get(resource.name) ?? read(resource);
      known.set(resource.name, found);
      found.catch(() => known.delete(resource.name));
      return found;
    },
  };
}

/** Whether a list hides disabled records that the key may see. */
export function disabledToo({ list, change }: Resource, may: (operation: Operation | null) => boolean): boolean {
  return list.query.some(({ name }) => name === 'includeDisabled') && may(change);
}
