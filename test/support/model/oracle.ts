import { canonicalJson, type Json, type JsonObject } from '../../../src/kernel/json.ts';
import type { CallOf } from './calls.ts';
import { namedBy, type Kind } from './kinds.ts';
import { textIn } from '../resources/entries.ts';
import { CONTACT, inOrder, isUnconfined, ROOT_LICENSE, same, Things, refusalByOwnership } from './things.ts';
import type { Key, Ordered, Thing } from './things.ts';

/** A call as it is sent, with all placeholders filled. */
export type Request =
  | (Pick<CallOf<'create'>, 'do' | 'body'> & {
      readonly kind: Kind;
      readonly simulatorId: string;
      readonly idempotencyKey: string | null;
      /** The licence whose file a rig sends. */
      readonly licenseId: string;
    })
  | (Pick<CallOf<'change'>, 'do' | 'body'> & {
      readonly kind: Kind;
      readonly id: string;
      readonly ifMatch: string | null;
    })
  | { readonly do: 'delete'; readonly kind: Kind; readonly id: string }
  | { readonly do: 'read'; readonly kind: Kind; readonly id: string; readonly ifNoneMatch: string | null }
  | { readonly do: 'list'; readonly kind: Kind; readonly disabled: boolean }
  | (Omit<CallOf<'page'>, 'kind' | 'sort'> & { readonly kind: Kind; readonly sort: string | null });

/** A request that creates. */
export type CreateRequest = Extract<Request, { do: 'create' }>;

/** The expected answer: one of some problems, by the ends of their types, or a success. */
export type Expected =
  | { readonly problems: readonly string[] }
  /** `thing`: the existing resource, or null for a new one. `body`: the expected body. */
  | { readonly status: number; readonly thing?: Thing | null; readonly body?: Json; readonly replayed?: boolean };

const RANKS = ['R', 'CR', 'CRUD', 'ADMIN'];

/** Whether a role includes another. */
export function includes(role: string, wanted: string): boolean {
  return RANKS.indexOf(role) >= RANKS.indexOf(wanted);
}

/** Predicts the service's answers from docs/interface.md and its previous answers. */
export class Oracle {
  readonly things = new Things();
  /** Creates with an `Idempotency-Key`, by licence, kind and key. */
  readonly #requests = new Map<string, { readonly id: string; readonly body: string; readonly sender: Key }>();

  /** True if a key is accepted where one is needed. */
  works(key: Key): boolean {
    const license = this.things.find('License', key.licenseId);
    if (key.revoked) return false;
    // The model does not contain the root licence.
    if (license === null) return true;
    const { enabled, expiresAt } = license.values;
    return enabled === true && (typeof expiresAt !== 'string' || Date.parse(expiresAt) > Date.now());
  }

  expect(key: Key | null, request: Request): Expected {
    const caller = key !== null && this.works(key) ? key : null;
    const refusal = gateOf(caller, request);
    if (refusal !== null) return { problems: [refusal] };
    switch (request.do) {
      case 'create':
        return this.#expectCreated(caller, request);
      case 'change':
        return this.#expectChanged(caller, request);
      case 'delete':
        return this.#expectDeleted(caller, request);
      case 'read':
        return this.#expectRead(caller, request);
      default:
        return this.#expectListed(caller, request);
    }
  }

  /** The resource created by a request with an `Idempotency-Key`. */
  remember(key: Key, request: CreateRequest, id: string): void {
    if (request.idempotencyKey === null) return;
    this.#requests.set(requestName(key, request), { id, body: bodyText(request), sender: key });
  }

  #expectCreated(caller: Key | null, request: CreateRequest): Expected {
    const { kind, body } = request;
    if (!isValid(kind.create, body, true)) return { problems: ['invalid'] };
    // No other request has the name of one without a key.
    const before = this.#requests.get(requestName(caller, request)) ?? null;
    if (before !== null && before.body !== bodyText(request))
      return { problems: ['key-reused', ...this.#unknownReferences(kind, body)] };
    const present = before && this.things.find(kind.name, before.id);
    const problems = this.#problemsOfCreate(caller, request, before && before.sender);
    if (hasMoved(present, request.licenseId)) problems.push('not-yours');
    if (problems.length > 0) return { problems };
    if (present !== null) return { status: 201, thing: present, replayed: true };
    // Only an existing participant is answered with 200.
    const holder = this.things.holder(kind, this.valuesOf(request), null);
    return holder === null ? { status: 201, thing: null } : { status: 200, thing: holder };
  }

  #problemsOfCreate(caller: Key | null, request: CreateRequest, sender: Key | null): string[] {
    const { kind, simulatorId, body } = request;
    const values = this.valuesOf(request);
    const problems: string[] = [];
    if (kind.maps !== undefined && this.things.find('Simulator', simulatorId) === null) problems.push('not-found');
    if (kind.owner.kind === 'creator' || kind.parents !== undefined) {
      const write = { kind, present: null, change: values };
      problems.push(...this.#refusalsByOwnership(asSender(caller, sender), write));
    }
    if (hasForeignFile(caller, request)) problems.push('forbidden');
    if (endsTooEarly(kind, values)) problems.push('invalid');
    problems.push(...this.#unknownReferences(kind, body));
    if (lacksSeat(kind, body)) problems.push('unknown-reference');
    if (sender === null && this.#isTaken(request)) problems.push('taken');
    return problems;
  }

  #isTaken(request: CreateRequest): boolean {
    const { kind } = request;
    if (kind.name === 'Participant') return false;
    if (kind.maps !== undefined) return this.#present(kind, this.mappingId(request)) !== null;
    return this.things.holder(kind, this.valuesOf(request), null) !== null;
  }

  #expectChanged(caller: Key | null, request: Extract<Request, { do: 'change' }>): Expected {
    const { kind, id, body } = request;
    if (!isValid(kind.change, body, kind.replaces === true)) return { problems: ['invalid'] };
    if (isOfOtherLicense(caller, kind, id)) return { problems: ['forbidden'] };
    const present = this.#present(kind, id);
    const values = { ...present?.values, ...keptValues(kind.change, body) };
    const change = kind.maps === undefined ? body : { ...body, simulatorId: id.split(':')[0] ?? '' };
    const problems: string[] = [];
    if (present === null) problems.push('not-found');
    problems.push(...this.#unknownReferences(kind, body));
    problems.push(...this.#refusalsByOwnership(caller, { kind, present, change }));
    if (needsAdmin(caller, kind, body)) problems.push('forbidden');
    if (isStale(request.ifMatch, this.things.find(kind.name, id))) problems.push('revision-mismatch');
    if (endsTooEarly(kind, values)) problems.push('invalid');
    if (this.things.holder(kind, values, id) !== null) problems.push('taken');
    return problems.length > 0 ? { problems } : { status: 200, thing: present };
  }

  #expectDeleted(caller: Key | null, { kind, id }: Extract<Request, { do: 'delete' }>): Expected {
    const present = this.#present(kind, id);
    if (present === null) return { problems: ['not-found'] };
    const problems = this.#refusalsByOwnership(caller, { kind, present, change: {} });
    return problems.length > 0 ? { problems } : { status: 204, thing: present };
  }

  #expectRead(caller: Key | null, { kind, id, ifNoneMatch }: Extract<Request, { do: 'read' }>): Expected {
    if (isOfOtherLicense(caller, kind, id)) return { problems: ['forbidden'] };
    const thing = this.#present(kind, id);
    if (thing === null) return { problems: ['not-found'] };
    const body = canonicalJson(this.things.shown(thing, caller));
    return { status: ifNoneMatch !== null && isUnchanged(thing, ifNoneMatch, body) ? 304 : 200, thing };
  }

  #expectListed(caller: Key | null, request: Extract<Request, { do: 'list' | 'page' }>): Expected {
    const { kind } = request;
    const disabled = request.disabled && kind.hides;
    if (disabled && !includes(roleOf(caller), 'CRUD')) {
      return { problems: [caller === null ? 'unauthenticated' : 'forbidden'] };
    }
    const all = this.things
      .all(kind.name)
      .filter(({ values }) => !kind.hides || disabled || values['enabled'] === true);
    if (request.do === 'list') return { status: 200, body: all.map((thing) => this.things.shown(thing, caller)) };
    const { page, size, sort, direction } = request;
    const by = sort === null ? ({ field: kind.sort ?? 'id', direction: 'asc' } as const) : { field: sort, direction };
    const isHidden = kind.name === 'Participant' && by.field in CONTACT && !(caller !== null && isUnconfined(caller));
    if (isHidden) return { problems: ['not-yours'] };
    const ordered = all
      .map((thing, made): Ordered => ({ made, view: this.things.shown(thing, caller) }))
      .toSorted((a, b) => inOrder(by, a, b));
    const content = ordered.slice(page * size, (page + 1) * size).map(({ view }) => view);
    return { status: 200, body: envelope(content, { page, size, total: all.length }) };
  }

  /** The resource with an id; null also for a deleted mapping. */
  #present(kind: Kind, id: string): Thing | null {
    const thing = this.things.find(kind.name, id);
    return thing?.mapped === true ? thing : null;
  }

  /** The values of a created resource. */
  valuesOf({ kind, body, simulatorId, licenseId }: CreateRequest): JsonObject {
    const unset = Object.entries(kind.create).map(([name, field]): [string, Json] => [name, field.unset ?? null]);
    const values = new Map<string, Json>(unset);
    for (const [field, value = null] of Object.entries(kind.initial ?? {})) values.set(field, value);
    if (kind.name === 'Rig') values.set('licenseId', licenseId);
    if (kind.maps !== undefined) values.set('simulatorId', simulatorId);
    return { ...Object.fromEntries(values), ...keptValues(kind.create, body) };
  }

  mappingId(request: CreateRequest): string {
    return `${request.simulatorId}:${textIn(this.valuesOf(request)[request.kind.maps ?? ''])}`;
  }

  #unknownReferences(kind: Kind, body: JsonObject): readonly string[] {
    const named = [...namedBy({ ...kind.change, ...kind.create }, body)];
    return named.some(({ kind: of, id }) => this.things.find(of, id) === null) ? ['unknown-reference'] : [];
  }

  #refusalsByOwnership(caller: Key | null, request: Parameters<typeof refusalByOwnership>[1]): readonly string[] {
    const refusal = caller === null ? null : refusalByOwnership(caller, request, this.things);
    return refusal === null ? [] : [refusal];
  }
}

/**
 * A retry is judged by what was sent: a key that could send it first is bound by no ownership rule, but by the scope of a
 * rig.
 */
function asSender(key: Key | null, sender: Key | null): Key | null {
  if (key === null || sender === null || (key.id !== sender.id && sender.role === 'ADMIN')) return key;
  return { ...key, licenseId: ROOT_LICENSE };
}

/** True where a body leaves out what is that of whoever sits on the rig: nobody ever sits here. */
function lacksSeat({ create }: Kind, body: JsonObject): boolean {
  return Object.entries(create).some(([name, { isOfSeat = false }]) => isOfSeat && body[name] === undefined);
}

/** True for the file of another licence, with which only ADMIN registers a rig. */
function hasForeignFile(caller: Key | null, { kind, licenseId }: CreateRequest): boolean {
  return kind.name === 'Rig' && caller?.role !== 'ADMIN' && caller?.licenseId !== licenseId;
}

/** True for a licence other than the caller's own, which only ADMIN sees and changes. */
function isOfOtherLicense(caller: Key | null, kind: Kind, id: string): boolean {
  return kind.name === 'License' && caller?.role !== 'ADMIN' && caller?.licenseId !== id;
}

/** True if a change sets a field that only ADMIN may set. */
function needsAdmin(caller: Key | null, { changedByAdminOnly = [] }: Kind, body: JsonObject): boolean {
  return caller?.role !== 'ADMIN' && changedByAdminOnly.some((field) => field in body);
}

/** True for a rig that was registered for another licence than it has now. */
function hasMoved(thing: Thing | null, licenseId: string): boolean {
  return thing?.kind.name === 'Rig' && thing.values['licenseId'] !== licenseId;
}

function roleOf(caller: Key | null): string {
  if (caller === null) return '';
  return caller.rigId === null ? caller.role : 'R';
}

/** The refusal of a request before its body is read. */
function gateOf(caller: Key | null, request: Request): string | null {
  const isRead = ['read', 'list', 'page'].includes(request.do);
  const wanted = isRead ? readRole(request) : writeRole(request);
  if (wanted === null) return null;
  if (caller === null) return 'unauthenticated';
  if (caller.rigId === null) return includes(caller.role, wanted) ? null : 'forbidden';
  const isForRigs = isRead ? wanted === 'R' : (request.kind.rigs ?? []).includes(request.do);
  return isForRigs ? null : 'rig-scope';
}

function readRole({ kind, do: what }: Request): string | null {
  if (kind.reads === 'public') return null;
  // Every key may read its own licence.
  return kind.reads === 'ADMIN' && what === 'read' ? 'R' : kind.reads;
}

function writeRole({ kind, do: what }: Request): string {
  return what === 'create' ? kind.creates : kind.writes;
}

/** True if `If-Match` names another revision than the current one. */
function isStale(ifMatch: string | null, thing: Thing | null): boolean {
  return ifMatch !== null && ifMatch !== '*' && revisionOf(ifMatch) !== revisionOf(thing?.etags.at(-1) ?? '');
}

/** True if a resource has not changed since it was shown with an ETag. */
function isUnchanged({ seen, etags }: Thing, etag: string, body: string): boolean {
  const isPresent = revisionOf(etag) === revisionOf(etags.at(-1) ?? '');
  return seen !== null && seen.etag === etag && seen.body === body && isPresent;
}

function requestName(key: Key | null, { kind, idempotencyKey }: CreateRequest): string {
  return JSON.stringify([key?.licenseId, kind.name, idempotencyKey]);
}

function bodyText({ body, licenseId, kind }: CreateRequest): string {
  return canonicalJson(kind.name === 'Rig' ? { ...body, licenseId } : body);
}

type BodyFields = Kind['create'];

/** True if a body is valid; `whole`: it must have every field without a default. */
function isValid(fields: BodyFields, body: JsonObject, whole: boolean): boolean {
  return Object.entries(fields).every(([name, { takes, unset, otherwise, isOfSeat = false }]) => {
    const value = body[name];
    return value === undefined ? !whole || unset !== undefined || otherwise !== undefined || isOfSeat : takes(value);
  });
}

/** The values in a body, as stored. */
export function keptValues(fields: BodyFields, body: JsonObject): JsonObject {
  const kept = Object.entries(fields).flatMap(([name, { kept: keep }]) => {
    const value = body[name];
    return value === undefined ? [] : [[name, keep(value)] as const];
  });
  return Object.fromEntries(kept);
}

function endsTooEarly({ name }: Kind, { startsAt, endsAt }: JsonObject): boolean {
  if (name !== 'Event') return false;
  return typeof startsAt === 'string' && typeof endsAt === 'string' && Date.parse(endsAt) < Date.parse(startsAt);
}

/** The revision in an ETag: `"<revision>-<checksum>"`. */
export function revisionOf(etag: string): string {
  return /^"(\d+)-/.exec(etag)?.[1] ?? '';
}

/** A page with all nine fields. */
export function envelope(
  content: readonly JsonObject[],
  { page, size, total }: { readonly page: number; readonly size: number; readonly total: number },
): JsonObject {
  const totalPages = Math.ceil(total / size);
  const place = { first: page === 0, last: page + 1 >= totalPages, empty: content.length === 0 };
  return { content, page, number: page, size, totalElements: total, totalPages, ...place };
}

/** True if a change alters any value of a resource. */
export function changes(thing: Thing, values: JsonObject): boolean {
  return Object.entries(values).some(([name, value]) => !same(value, thing.values[name]));
}
