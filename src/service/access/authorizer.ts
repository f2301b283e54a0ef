import { isShared } from '../../domain/access.ts';
import type { AccessPolicy, CreatorAfter, Owner, Parent, RigKeyScope, Write } from '../../domain/access.ts';
import type { Category } from '../../domain/categories.ts';
import { includesRole, ROLES, ROOT_LICENSE_ID, type Caller } from '../../domain/roles.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { Problem, unauthenticatedProblem } from '../http/problems.ts';
import type { Aggregates } from '../../kernel/aggregate/aggregates.ts';
import { reject, type Rejection } from '../../kernel/aggregate/rejection.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { EventMetadata, RecordedEvent } from '../../kernel/ports/event-store.ts';
import type { ResourcePart } from '../resources/resource.ts';

export interface AuthorizerOptions {
  readonly aggregates: Pick<Aggregates, 'load' | 'firstOf' | 'read'>;
  readonly resources: readonly ResourcePart[];
  /** Whether a key is of role ADMIN today: asked about events that do not record the role of their key. */
  readonly isAdminKey: (apiKeyId: string) => boolean;
  /** False: a licence may change what other licences own, too (`LICENSE_WALLS=off`). */
  readonly tenantIsolation: boolean;
}

/** A write, and the metadata of the event that created the resource (null: there is none). */
export interface AuthorizedWrite extends Write<JsonObject> {
  readonly created: EventMetadata | null;
  /** Refused where another licence owns it even to the operator and without tenant isolation: the answer holds credentials. */
  readonly isolated?: boolean;
  /** Metadata of the event that the first attempt of a retry recorded. `state` is null then, as it was at that attempt. */
  readonly retried?: EventMetadata | null;
  /** It exists, but no event says who created it: it has no recorded owner. */
  readonly hasUnknownOwner?: boolean;
}

const OTHER_LICENSE = reject(
  'NOT_YOURS',
  'This belongs to another licence: only a key of that licence or an ADMIN key may change it.',
);
const NAMES_OTHER = 'Only an ADMIN key may refer to another licence or its resources.';

/**
 * Creates the check of callers of an endpoint by role, before the body is read. It throws a {Problem}, 401 or 403, unless
 * the caller may use the endpoint.
 */
export function admission({ access, method, forRigs, manages }: Endpoint): (caller: Caller | null) => void {
  const allowed = ROLES.filter((role) => access === 'public' || includesRole(role, access));
  return (caller) => {
    if (access === 'public') return;
    if (caller === null) throw unauthenticatedProblem();
    const isAllowed = allowed.includes(caller.role);
    if (caller.ofRigOnly) {
      if (forRigs === true || (method === 'GET' && isAllowed)) return;
      throw new Problem('RIG_SCOPE', 'The key of a rig may not do this.');
    }
    if (!isAllowed) throw new Problem('FORBIDDEN', `This needs a key of role ${access} or higher.`);
    if (manages === undefined) return;
    if (caller.ofOldToken)
      throw new Problem('FORBIDDEN', `This token was replaced: only the new one manages ${manages}.`);
    if (manages !== 'keys' || caller.rigId === null) return;
    throw new Problem('FORBIDDEN', 'A key that was issued to a rig cannot manage keys.');
  };
}

/**
 * Decides who may write what, beyond the role that an endpoint needs: by the policy that each resource declares
 * (docs/interface.md#who-owns-what; the words of policies are explained in `src/domain/access.ts`). The command handler
 * asks it after each load of a resource:
 *
 * 1. The key of a rig writes only what `rigKeys` names, of its own rig.
 * 2. Tenant isolation binds all but ADMIN keys and keys of the root licence (`#isBound`). A retry that its sender could
 *    have sent the first time is not judged again.
 * 3. Who is bound changes what their licence owns, or what a foreign change allows; refers only to owners and parents
 *    that are their own, shared, or that admit the resource; and takes back no ruling of others.
 * 4. The resource may refuse more (`rejectionOf`).
 *
 * Owners are read from events, so a lagging projection changes nothing. Who is not bound needs no look-up.
 */
export class Authorizer {
  readonly #options: AuthorizerOptions;
  readonly #resources: ReadonlyMap<string, ResourcePart>;

  constructor(options: AuthorizerOptions) {
    this.#options = options;
    this.#resources = new Map(options.resources.map((one) => [one.decider.category, one]));
  }

  /** Whether a reader may see everybody's contact data. Without a key, nobody sees any. */
  mayReadAllContacts(caller: Caller | null): boolean {
    return caller !== null && !this.#isTenant(caller);
  }

  /** Whether a reader may see the name and prefix of the keys of a licence (null: of the service itself). */
  mayReadKeys(caller: Caller | null, licenseId: string | null): boolean {
    if (caller === null) return false;
    return !this.#options.tenantIsolation || caller.role === 'ADMIN' || caller.licenseId === licenseId;
  }

  /** `owners`: the licence that a participant names, and the one that registered it, while it is an owner. */
  mayReadContact(caller: Caller | null, owners: readonly unknown[]): boolean {
    return this.mayReadAllContacts(caller) || (caller !== null && owners.includes(caller.licenseId));
  }

  /** The rejection of a write, or null. @throws {StoreUnavailable} */
  async authorize(caller: Caller | null, category: string, write: AuthorizedWrite): Promise<Rejection | null> {
    if (caller === null) return null;
    const resource = this.#protected(category);
    const { access } = resource;
    if (caller.ofRigOnly) {
      const rejection = rejectionOfRigKey(caller, access, write);
      if (rejection !== null) return rejection;
    }
    if (this.#isBound(caller, access, write)) {
      const rejection = await this.#rejectionByOwner(caller, resource, write);
      if (rejection !== null) return rejection;
    }
    return access.rejectionOf?.(caller, write) ?? null;
  }

  /** The rejection of reading a resource that only its owner and ADMIN may see, or null. @throws {StoreUnavailable} */
  async authorizeRead(
    caller: Caller | null,
    category: string,
    read: Pick<AuthorizedWrite, 'id' | 'state' | 'created'>,
  ): Promise<Rejection | null> {
    const resource = this.#protected(category);
    const { foreignRejection = OTHER_LICENSE } = resource.access;
    if (caller === null) return foreignRejection;
    if (caller.role === 'ADMIN') return null;
    return (await this.#owns(caller, resource, read)) ? null : foreignRejection;
  }

  /** Whether a write is judged by who owns the resource. */
  #isBound(caller: Caller, { foreignRejection }: AccessPolicy<JsonObject>, write: AuthorizedWrite): boolean {
    const holdsCredentials = write.isolated === true || foreignRejection !== undefined;
    const isIsolated = holdsCredentials ? caller.role !== 'ADMIN' : this.#isTenant(caller);
    if (!isIsolated) return false;
    const { retried = null } = write;
    return retried === null || !this.#couldSend(caller, retried);
  }

  /** Whether a caller is kept out of what other licences own: neither ADMIN nor a key of the operator's licence. */
  #isTenant({ role, licenseId }: Caller): boolean {
    return this.#options.tenantIsolation && role !== 'ADMIN' && licenseId !== ROOT_LICENSE_ID;
  }

  /** Whether the caller could have sent this request the first time. What an ADMIN key sent is judged anew. */
  #couldSend({ apiKeyId, licenseId }: Caller, first: EventMetadata): boolean {
    return first.apiKeyId === apiKeyId || (first.licenseId === licenseId && !this.#isShared(first));
  }

  async #rejectionByOwner(caller: Caller, resource: ResourcePart, write: AuthorizedWrite): Promise<Rejection | null> {
    const isForeign =
      write.hasUnknownOwner === true || (write.state !== null && !(await this.#owns(caller, resource, write)));
    if (isForeign) return this.#rejectionOfForeign(caller, resource, write);
    const field = await this.#foreignField(caller, resource.access, write);
    if (field !== null) return reject('NOT_YOURS', NAMES_OTHER, `/${field}`);
    return this.#rejectionByRuling(caller, resource, write);
  }

  /** The rejection of a change of a resource that another licence owns; null for those that its policy allows. */
  async #rejectionOfForeign(
    caller: Caller,
    resource: ResourcePart,
    write: Write<JsonObject>,
  ): Promise<Rejection | null> {
    const { foreignRejection = OTHER_LICENSE, foreignChanges = [] } = resource.access;
    const { state, change } = write;
    if (state === null || caller.rigId !== null) return foreignRejection;
    for (const { ownerOf, takesBackOwn = false, rejectionOf: rejectionOfChange } of foreignChanges) {
      const rejection = rejectionOfChange(change, foreignRejection);
      if (rejection === foreignRejection) continue;
      if (!(await this.#isOwner(caller, ownerOf.category, textOf(state, ownerOf.field)))) continue;
      const isAllowed =
        !takesBackOwn || (await this.#standingRuling(resource, write.id))?.licenseId === caller.licenseId;
      if (isAllowed) return rejection;
    }
    return foreignRejection;
  }

  /** The rejection of a change that takes back a ruling of the owner of a parent, the operator or an ADMIN key. */
  async #rejectionByRuling(
    caller: Caller,
    resource: ResourcePart,
    { id, state, change }: Write<JsonObject>,
  ): Promise<Rejection | null> {
    const { ruling } = resource.access;
    if (ruling === undefined || state === null || !ruling.takesBack(state, change)) return null;
    const { category, field } = ruling.ownerOf;
    const after: Partial<JsonObject> = { ...state, ...change };
    const parent = await this.#options.aggregates.firstOf(streamOf(category, textOf(after, field)));
    if (parent !== null && this.#isMadeBy(caller, parent)) return null;
    const standing = await this.#standingRuling(resource, id);
    if (standing === null || standing.licenseId === caller.licenseId) return null;
    return this.#isShared(standing) || standing.licenseId === parent?.licenseId ? ruling.rejection : null;
  }

  /** The sender of the ruling that stands after all events of the resource's stream; null: there is none. */
  async #standingRuling({ decider, access }: ResourcePart, id: string): Promise<EventMetadata | null> {
    const { ruling } = access;
    if (ruling === undefined) return null;
    let standing: RecordedEvent | null = null;
    for await (const events of this.#options.aggregates.read(streamOf(decider.category, id)))
      standing = events.reduce(ruling.standingAfter, standing);
    return standing?.metadata ?? null;
  }

  /** Whether a resource belongs to the licence of the caller alone. What is shared does not. */
  async #isOwner(caller: Caller, category: Category, id: string): Promise<boolean> {
    const { owner } = this.#protected(category).access;
    if (owner.kind !== 'creator') return this.#ownsParent(caller, category, id);
    const created = await this.#options.aggregates.firstOf(streamOf(category, id));
    return created !== null && this.#isMadeBy(caller, created);
  }

  /** Whether something was made with a key of the caller's licence, and is not shared. */
  #isMadeBy({ licenseId }: Caller, created: EventMetadata): boolean {
    return created.licenseId === licenseId && !this.#isShared(created);
  }

  /** The field by which a write would hand its resource to, or place it in, something of another licence; or null. */
  async #foreignField(
    caller: Caller,
    { owner, parents = [] }: AccessPolicy<JsonObject>,
    write: AuthorizedWrite,
  ): Promise<string | null> {
    if ('field' in owner) {
      const id = newId(write, owner.field);
      if (id !== null && !(await this.#mayName(caller, owner, id, write))) return owner.field;
    }
    for (const parent of parents) {
      if (!(await this.#mayPlaceIn(caller, parent, write))) return parent.field;
    }
    return null;
  }

  /** Whether a write may name this licence, or this parent, as the new owner. */
  async #mayName(caller: Caller, owner: Owner<JsonObject>, id: string, write: AuthorizedWrite): Promise<boolean> {
    if (owner.kind === 'parent') return this.#ownsParent(caller, owner.category, id);
    if (owner.kind !== 'license') return true;
    return write.state === null && (owner.orCreator !== undefined || id === caller.licenseId);
  }

  /** Whether the caller's licence owns a resource, or the resource is shared. */
  async #owns(
    caller: Caller,
    { decider, access: { owner } }: ResourcePart,
    { id, state, created }: Pick<AuthorizedWrite, 'id' | 'state' | 'created'>,
  ): Promise<boolean> {
    const { licenseId } = caller;
    switch (owner.kind) {
      case 'creator':
        return this.#isOpenTo(caller, created);
      case 'self':
        return id === licenseId;
      case 'license':
        if (isOwnRig(caller, id) || state?.[owner.field] === licenseId) return true;
        if (owner.orField !== undefined && state?.[owner.orField] === licenseId) return true;
        if (owner.orCreator === undefined || created?.licenseId !== licenseId) return false;
        return this.#isCreator(licenseId, owner.orCreator, streamOf(decider.category, id));
      case 'parent':
        return this.#ownsParent(caller, owner.category, textOf(state, owner.field));
    }
  }

  async #ownsParent(caller: Caller, category: Category, id: string): Promise<boolean> {
    if (isOwnRig(caller, id)) return true;
    const resource = this.#protected(category);
    const { state, created } = await this.#load(resource.decider, id);
    return state !== null && this.#owns(caller, resource, { id, state, created });
  }

  /** Whether a licence still owns a resource because its key created it, by all events of its stream. */
  async #isCreator(licenseId: string, creatorAfter: CreatorAfter, stream: string): Promise<boolean> {
    let creator: string | null = null;
    for await (const events of this.#options.aggregates.read(stream)) creator = events.reduce(creatorAfter, creator);
    return creator === licenseId;
  }

  /** Whether a write may place its resource in a parent: the caller's own, a shared one, or one that admits it. */
  async #mayPlaceIn(
    caller: Caller,
    { field, category, admits }: Parent<JsonObject>,
    write: AuthorizedWrite,
  ): Promise<boolean> {
    const child: Partial<JsonObject> = { ...write.state, ...write.change };
    const id = textOf(child, field);
    if (id === '') return true;
    if (this.#isOpenTo(caller, await this.#options.aggregates.firstOf(streamOf(category, id)))) return true;
    if (admits === undefined) return false;
    const { state } = await this.#load(this.#protected(category).decider, id);
    return state !== null && admits(state, child);
  }

  /** Whether something is the caller's own or shared, by the event that created it (null: there is nothing). */
  #isOpenTo(caller: Caller, created: EventMetadata | null): boolean {
    return created === null || created.licenseId === caller.licenseId || this.#isShared(created);
  }

  #isShared(created: EventMetadata): boolean {
    const { apiKeyId, role } = created;
    return isShared(created) || (role === undefined && apiKeyId !== undefined && this.#options.isAdminKey(apiKeyId));
  }

  #load(decider: ResourcePart['decider'], id: string) {
    return this.#options.aggregates.load(decider, streamOf(decider.category, id));
  }

  #protected(category: string): ResourcePart {
    const found = this.#resources.get(category);
    if (found === undefined) throw new TypeError(`no write policy for ${category}`);
    return found;
  }
}

/** Whether it is the rig whose key is used: of its own licence, as the key ends when the rig moves to another. */
function isOwnRig({ ofRigOnly, rigId }: Caller, id: unknown): boolean {
  return ofRigOnly && rigId === id;
}

/** The rejection of a write with the key of a rig that concerns another rig, or more than such a key may write. */
function rejectionOfRigKey(
  caller: Caller,
  { rigKeys }: AccessPolicy<JsonObject>,
  write: Write<JsonObject>,
): Rejection | null {
  const allowed = write.state === null ? rigKeys?.create : rigKeys?.change;
  if (rigKeys === undefined || allowed === undefined) return reject('RIG_SCOPE', 'The key of a rig may not do this.');
  const rejection = rejectionOfOtherRig(caller, rigKeys, write);
  if (rejection !== null || typeof allowed !== 'object') return rejection;
  const refused = Object.keys(write.change).find((field) => !allowed.includes(field));
  if (refused === undefined) return null;
  return reject('RIG_SCOPE', `A rig's key can only change the ${allowed.join(' and the ')} of its rig.`, `/${refused}`);
}

/** The rejection of a write that concerns another rig, or null. */
function rejectionOfOtherRig(
  { rigId }: Caller,
  { rig }: RigKeyScope<JsonObject>,
  { id, state, change }: Write<JsonObject>,
): Rejection | null {
  if (rig === undefined) return null;
  if (rig === 'self') return id === rigId ? null : reject('RIG_SCOPE', 'The key of a rig may not change another rig.');
  if (isOfRig(state, rig, rigId) && isOfRig(change, rig, rigId)) return null;
  return reject('RIG_SCOPE', 'The key of a rig may record, count and change only laps of its own rig.', `/${rig}`);
}

function isOfRig(fields: Partial<JsonObject> | null, field: string, rigId: string | null): boolean {
  const value = fields?.[field];
  return value === undefined || value === rigId;
}

function textOf(fields: Partial<JsonObject> | null, field: string): string {
  const value = fields?.[field];
  return typeof value === 'string' ? value : '';
}

/** The id that a write gives a field; null when it leaves the field as it is. */
function newId({ state, change }: Write<JsonObject>, field: string): string | null {
  const value = change[field];
  return typeof value === 'string' && value !== state?.[field] ? value : null;
}
