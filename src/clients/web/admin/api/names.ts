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
export class Names {
  readonly #client: Client;
  readonly #may: (operation: Operation | null) => boolean;
  readonly #known = new Map<string, Promise<readonly Option[]>>();

  constructor(client: Client, may: (operation: Operation | null) => boolean) {
    this.#client = client;
    this.#may = may;
  }

  /** Forgets everything read so far, after something was written. */
  forget(): void {
    this.#known.clear();
  }

  /** All records of a resource that the key may see, sorted by name; disabled ones too, if the key may see them. */
  options(resource: Resource): Promise<readonly Option[]> {
    const known = this.#known.get(resource.name) ?? this.#read(resource);
    this.#known.set(resource.name, known);
    known.catch(() => this.#known.delete(resource.name));
    return known;
  }

  async #read(resource: Resource): Promise<readonly Option[]> {
    const records = await this.#records(resource);
    return records
      .map((record) => ({ id: textOf(record[resource.key]), name: nameOf(resource, record) }))
      .sort((a, b) => a.name.localeCompare(b.name));
  }

  async #records(resource: Resource): Promise<readonly JsonObject[]> {
    if (this.#may(resource.list)) {
      const { json } = await this.#client.get(`${resource.path}${disabledToo(resource, this.#may)}`);
      return objectsOf(json);
    }
    if (!this.#may(resource.current)) return [];
    const { json } = await this.#client.get(`${resource.path}/current`);
    return [objectOf(json)];
  }
}

/** The query that includes disabled records, if the list hides them and the key may see them. */
export function disabledToo({ list, change }: Resource, may: (operation: Operation | null) => boolean): string {
  const hides = list.query.some(({ name }) => name === 'includeDisabled');
  return hides && may(change) ? '?includeDisabled=true' : '';
}
