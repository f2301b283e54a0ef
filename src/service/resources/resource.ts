import type { AccessPolicy, ResourceAccess } from '../../domain/access.ts';
import type { BodyCommand } from '../../domain/body-command.ts';
import type { Query } from '../../domain/query.ts';
import type { Decider } from '../../kernel/aggregate/decider.ts';
import { reject } from '../../kernel/aggregate/rejection.ts';
import type { Message } from '../../kernel/event-types.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { Document } from '../../kernel/ports/read-store.ts';

/** The reads of a resource at its path: the whole list, a page of it, one resource by its id. */
export type Reading = 'list' | 'page' | 'one';

/**
 * Declaration of a resource. Its endpoints, permissions, history and export, and the tables of docs/interface.md are
 * derived from it. A part that has no default here was once forgotten.
 */
export interface ResourceDefinition<S, D extends Document, C extends Message, N, U> {
  /** A mapping's path has a parameter: the simulator that it belongs to. */
  readonly path: `/api/v1/${string}`;
  readonly decider: Decider<S | null, C>;
  readonly query: Query<D>;
  /** Default: all three. */
  readonly reads?: readonly Reading[];
  /** The command of POST; null if there is no POST, or one that only this resource has. */
  readonly create: BodyCommand<N, NoInfer<C>> | null;
  /** The answer to a POST whose unique key another one holds: 409 by default, or `returned`: 200 with that one. */
  readonly duplicate?: 'returned';
  /** The command of PATCH of one; null if there is no PATCH, or one that only this resource has. */
  readonly change: BodyCommand<U, NoInfer<C>> | null;
  /** A change may end keys: it is answered once this node no longer accepts them. */
  readonly endsKeys?: true;
  /** The command that takes a mapping back, by DELETE. */
  readonly remove?: C;
  readonly access: ResourceAccess<S>;
  /** Whether it has `/{id}/history`. */
  readonly history: boolean;
  /** Whether a resource in a state was erased: its history then shows no value of a personal field. */
  readonly isErased?: (state: S) => boolean;
  /** Parts whose changes its history shows, too: their streams have the id of the resource. */
  readonly historyParts?: readonly ResourcePart[];
  /** Its table among the exports: its name, and the fields that are read from other tables; null: none. */
  readonly export: { readonly name: string; readonly without?: readonly string[] } | null;
}

/** A resource whose types of state, document and bodies are not known here. */
export type Resource = ResourceDefinition<JsonObject, Document, Message<JsonObject>, JsonObject, JsonObject>;

/**
 * Declares a resource.
 * @throws {TypeError} when it has contact data that nobody but ADMIN would see, as their owner is not in the document
 */
export function resource<S extends object, D extends Document, C extends Message, N, U>(
  definition: ResourceDefinition<S, D, C, N, U>,
): Resource {
  const { query, access } = definition;
  if (query.contact !== null && !(access.owner.kind === 'license' && access.owner.field === 'licenseId'))
    throw new TypeError(`${definition.path}: contact data is for the licence in licenseId, which must be the owner`);
  // Its parts fit each other, as their types say; what reads them together looks inside no state, body or document.
  return definition as unknown as Resource;
}

/** Rejects a move to another licence under a token that was replaced: such a token manages nothing. */
export function rejectionOfMoveByOldToken<S extends { readonly licenseId: string }>(
  noun: string,
): NonNullable<AccessPolicy<S>['rejectionOf']> {
  return ({ ofOldToken }, { state, change: { licenseId } }) =>
    ofOldToken && state !== null && licenseId !== undefined && licenseId !== state.licenseId
      ? reject('FORBIDDEN', `This token was replaced: only the new one moves ${noun}.`, '/licenseId')
      : null;
}

/** A category of streams that is written beside the resources: part of one of them. */
export interface ResourcePart {
  readonly decider: Decider<JsonObject | null, never>;
  readonly access: AccessPolicy<JsonObject>;
}

/** Declares a part of a resource. */
export function part<S extends object, C extends Message>(definition: {
  readonly decider: Decider<S | null, C>;
  readonly access: AccessPolicy<S>;
}): ResourcePart {
  // Its parts fit each other, as their types say.
  return definition as unknown as ResourcePart;
}
