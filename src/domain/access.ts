import type { Rejection } from '../kernel/aggregate/rejection.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { EventMetadata, RecordedEvent } from '../kernel/ports/event-store.ts';
import type { Category } from './categories.ts';
import { ROOT_LICENSE_ID, type Access, type Caller, type Role } from './roles.ts';

/*
 * The words of the policies by which the authoriser judges writes (`AccessPolicy`). For each resource, a policy says:
 *
 * - `owner`: which licence owns it: the one whose key created it, one that a field names, the owner of another resource,
 *   or, of a licence, itself. What the service, the root licence or an ADMIN key created is shared: it has no owner.
 * - `parents`: the resources that it is placed in. A write needs each of them to be the caller's own or shared, or to
 *   admit the resource (`admits`): an event admits the laps of its rigs.
 * - `foreignChanges`: the changes that another licence may make: the owner of an event strikes a lap (`ownerOf`).
 * - `ruling`: an event that the owner of the resource cannot take back, once somebody above them has recorded it.
 * - `rigKeys`: what the key of a rig may write.
 * - `foreignRejection`: the answer to another licence, where it is not `NOT_YOURS`.
 * - `rejectionOf`: what else the resource refuses to a caller.
 *
 * Tenant isolation is that a licence changes only what it owns. It binds tenants: callers who are neither ADMIN nor use a
 * key of the root licence, the operator's. The setting `LICENSE_WALLS=off` turns it off, except for credentials.
 */

/** Whether a resource is shared by all, because the service, the root licence or a key that was ADMIN then created it. */
export function isShared({ licenseId, role }: Pick<EventMetadata, 'licenseId' | 'role'>): boolean {
  return licenseId === undefined || licenseId === ROOT_LICENSE_ID || role === 'ADMIN';
}

/**
 * The licence that owns a resource because its key created it, after an event of its stream; null: none any more. It is
 * called for each event in order, with what it returned for the one before, at first with null.
 */
export type CreatorAfter = (creator: string | null, event: RecordedEvent) => string | null;

/** The licence that owns a resource: below ADMIN, no other licence changes it. */
export type Owner<S> =
  /** The licence whose key created it. What the root licence or an ADMIN key created is shared. */
  | { readonly kind: 'creator' }
  /**
   * The licence that a field names. With `orCreator` it may be created for another licence, and the creating one owns it,
   * too, for as long as that function returns it. With `orField` the licence in that field owns it, too. Below ADMIN and
   * the operator, nobody names another licence later.
   */
  | {
      readonly kind: 'license';
      readonly field: keyof S & string;
      readonly orField?: keyof S & string;
      readonly orCreator?: CreatorAfter;
    }
  /** The owner of the resource that a field names. */
  | { readonly kind: 'parent'; readonly field: keyof S & string; readonly category: Category }
  /** It is a licence itself. */
  | { readonly kind: 'self' };

/**
 * A resource that this one is placed in. Each write needs it to be the caller's own, or shared: not only the one that
 * places it there, as a parent may take in others later, or fewer.
 */
export interface Parent<S> {
  readonly field: keyof S & string;
  readonly category: Category;
  /** Whether the parent (its state), though of another licence, takes in the resource (its state after the write). */
  readonly admits?: (parent: JsonObject, child: Partial<S>) => boolean;
}

/** A resource that a field names. */
export interface NamedResource<S> {
  readonly field: keyof S & string;
  readonly category: Category;
}

/** A change that a licence may make of a resource that another licence owns. */
export interface ForeignChange<S> {
  /**
   * The resource whose owner may make the change, but not with the key of a rig. A shared resource has no owner here:
   * whoever created it may do everything anyway.
   */
  readonly ownerOf: NamedResource<S>;
  /** The change is allowed only where it takes back a ruling of the caller's own licence. */
  readonly takesBackOwn?: true;
  /** The rejection of a request, given its whole body: `notYours` if it is not this change. */
  readonly rejectionOf: (body: JsonObject, notYours: Rejection) => Rejection | null;
}

/**
 * A ruling of the owner of a parent, the operator or an ADMIN key, which the owner of the resource cannot take back. They
 * can take back any other event of the same type.
 */
export interface Ruling<S> {
  /** The parent, whose owner takes back their own rulings and those of the operator. */
  readonly ownerOf: NamedResource<S>;
  /** Whether a change takes a ruling back, if there is one. */
  readonly takesBack: (state: S, change: Partial<S>) => boolean;
  /** The event that stands after an event of the resource's stream; null: none does. It is called for each, in order. */
  readonly standingAfter: (standing: RecordedEvent | null, event: RecordedEvent) => RecordedEvent | null;
  /** The rejection of a caller who may not take it back. */
  readonly rejection: Rejection;
}

/** The writes that the key of a rig may make. */
export interface RigKeyScope<S> {
  readonly create?: true;
  /** The fields that it may change; `all`: every one. */
  readonly change?: 'all' | readonly (keyof S & string)[];
  /** The field that must hold the id of the key's rig; `self`: the resource is that rig. By default no field must. */
  readonly rig?: 'self' | (keyof S & string);
}

/** A write as the authoriser sees it. */
export interface Write<S = unknown> {
  readonly id: string;
  /** The state of the resource, or null while it does not exist. */
  readonly state: S | null;
  /** The fields that the request sets, those of its path included. */
  readonly change: Partial<S>;
}

/** Who may write a resource (docs/interface.md#who-owns-what). */
export interface AccessPolicy<S> {
  readonly owner: Owner<S>;
  readonly parents?: readonly Parent<S>[];
  /** By default another licence changes nothing. */
  readonly foreignChanges?: readonly ForeignChange<S>[];
  readonly ruling?: Ruling<S>;
  /** By default the key of a rig writes nothing. */
  readonly rigKeys?: RigKeyScope<S>;
  /**
   * The rejection where another licence owns the resource. It is given for resources that hold credentials: they are
   * refused to the operator and with `LICENSE_WALLS=off`, too.
   */
  readonly foreignRejection?: Rejection;
  /** Further rejections of this resource, which are judged after ownership. */
  readonly rejectionOf?: (caller: Caller, write: Write<S>) => Rejection | null;
}

export interface ResourceAccess<S> extends AccessPolicy<S> {
  /** `people`: anyone where participants are public (`PUBLIC_PARTICIPANTS`), otherwise a key of role R. */
  readonly read: Access | 'people';
  readonly write: Role;
}
