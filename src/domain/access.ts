import type { Rejection } from '../kernel/aggregate/rejection.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { EventMetadata, RecordedEvent } from '../kernel/ports/event-store.ts';
import type { Category } from './categories.ts';
import { ROOT_LICENSE_ID, type Access, type Caller, type Role } from './roles.ts';

/** Whether what was created is shared by all: by the service itself, the root licence or an ADMIN key (of that time). */
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
   * too, for as long as that function returns it. Below ADMIN and the operator, nobody names another licence later.
   */
  | { readonly kind: 'license'; readonly field: keyof S & string; readonly orCreator?: CreatorAfter }
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

/** A change that a licence may make of what another licence owns. */
export interface ForeignChange<S> {
  /**
   * The owner of this resource may make it, but not with the key of a rig. What is shared has no owner here: whoever
   * made it may do everything anyway.
   */
  readonly by: NamedResource<S>;
  /** They may make it only to take back what their own licence has ruled. */
  readonly takesBackOwn?: true;
  /** The refusal of a request, given all that its body has: `notYours` if it is not this change. */
  readonly refuses: (body: JsonObject, notYours: Rejection) => Rejection | null;
}

/**
 * A ruling of the owner of a parent, the operator or an ADMIN key, which the owner of the resource cannot take back. Any
 * other event of the same type they can.
 */
export interface Ruling<S> {
  /** Its owner takes back what they have ruled, and what the operator has. */
  readonly by: NamedResource<S>;
  /** Whether a change takes a ruling back, if there is one. */
  readonly takesBack: (state: S, change: Partial<S>) => boolean;
  /** The event that stands after an event of the resource's stream; null: none does. It is called for each, in order. */
  readonly standingAfter: (standing: RecordedEvent | null, event: RecordedEvent) => RecordedEvent | null;
  readonly refusal: Rejection;
}

export interface RigKeyScope<S> {
  readonly create?: true;
  /** The fields that it may change; `all`: every one. */
  readonly change?: 'all' | readonly (keyof S & string)[];
  /** Where the id of its own rig has to be: in this field, or it is the resource itself; by default nowhere. */
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
   * The refusal where another licence owns it. Given for what holds credentials: it is refused to the operator and with
   * `LICENSE_WALLS=off`, too.
   */
  readonly foreign?: Rejection;
  /** What else this resource refuses to a caller; ownership was judged before. */
  readonly refuses?: (caller: Caller, write: Write<S>) => Rejection | null;
}

export interface ResourceAccess<S> extends AccessPolicy<S> {
  /** `people`: anyone where participants are public (`PUBLIC_PARTICIPANTS`), otherwise a key of role R. */
  readonly read: Access | 'people';
  readonly write: Role;
}
