import type { FieldEvent } from './field-events.ts';
import type { EventTypes } from '../kernel/event-types.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Fields, Handlers, Project, Projection, ReadModel } from '../kernel/projection/projection.ts';
import type { Document, DocumentMeta, FindOptions, ReadModels, StreamOptions } from '../kernel/ports/read-store.ts';

/** The document of a resource with these fields, and the times of its creation and last change, ISO 8601. */
export type DocumentOf<F> = DocumentMeta & Readonly<F> & { readonly createdAt: string; readonly updatedAt: string };

/** The fields of a document that show the names of other resources, each by the field that refers to that resource. */
export type Names<F> = { readonly [K in keyof F]?: string };

export type Named<N> = { readonly [K in N[keyof N] & string]: string };

/** The field events among some whose values are fields of a document, and of the same types. */
type Setting<T extends EventTypes, D> = {
  readonly [K in keyof T & string]: T[K] extends { valuesIn(data: never): infer V }
    ? string extends keyof V
      ? never
      : [keyof V, V] extends [keyof Fields<D>, Partial<Fields<D>>]
        ? K
        : never
    : never;
}[keyof T & string];

/**
 * Declares the projection of a resource. An event that says what fields of the document are sets them, unless it has a
 * handler of its own; all other events of the resource need one.
 */
export function resourceProjection<
  D extends DocumentOf<unknown>,
  Own extends EventTypes,
  Others extends EventTypes = Own,
>(
  model: ReadModel<D>,
  events: { readonly own: Own; readonly others?: Others },
  on: Omit<Handlers<NoInfer<Own>>, Setting<NoInfer<Own>, D>> &
    Partial<Handlers<NoInfer<Own>>> &
    Partial<Handlers<NoInfer<Others>>>,
): Projection {
  const setting = Object.entries(events.own).flatMap(([type, event]) => {
    if (!('valuesIn' in event)) return [];
    const field = event as FieldEvent<JsonObject>;
    // What the event says are fields of this document: `on` has another handler where they are not.
    const set: Project<JsonObject> = ({ data, id, at }) =>
      model.set(id, { ...(field.valuesIn(data) as Partial<Fields<D>>), updatedAt: at });
    return [[type, set] as const];
  });
  // Handlers are keyed by event type, so each one's data fits. Every event of the resource has one of these, or of `on`.
  const own = Object.entries(on) as unknown as [string, Project<JsonObject>][];
  return { model, events: { ...events.others, ...events.own }, on: new Map([...setting, ...own]) };
}

/** The display name of a document that was looked up; '' if there is none. */
export async function nameOf(
  found: { readonly displayName: string } | null | Promise<{ readonly displayName: string } | null>,
): Promise<string> {
  return (await found)?.displayName ?? '';
}

export async function readOne<D extends Document>(models: ReadModels, { collection }: ReadModel<D>, id: string) {
  // The collection's own projection wrote it, through the typed functions of this very read model.
  return (await models.get(collection, id)) as D | null;
}

/** Reads documents by their ids, each of them once. */
export function lookingUpOnce<D extends Document>(models: ReadModels, model: ReadModel<D>) {
  const known = new Map<string, Promise<D | null>>();
  return (id: string): Promise<D | null> => {
    const document = known.get(id) ?? readOne(models, model, id);
    known.set(id, document);
    return document;
  };
}

export async function findSome<D extends Document>(
  models: ReadModels,
  { collection }: ReadModel<D>,
  query: FindOptions,
): Promise<readonly D[]> {
  // The collection's own projection wrote it, through the typed functions of this very read model.
  return (await models.find(collection, query)) as readonly D[];
}

/** Every document of a read model that matches, in batches. */
export async function* streamAll<D extends Document>(
  models: ReadModels,
  { collection }: ReadModel<D>,
  query: StreamOptions,
): AsyncGenerator<readonly D[], void> {
  // The collection's own projection wrote it, through the typed functions of this very read model.
  for await (const batch of models.stream(collection, query)) yield batch as readonly D[];
}
