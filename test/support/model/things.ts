import { canonicalJson, type Json, type JsonObject } from '../../../src/kernel/json.ts';
import { compareValues } from '../read-store/memory-read-store.ts';
import { isObject, type Field } from './fields.ts';
import { driverName, KINDS, type Kind } from './kinds.ts';
import { textIn, type Lookup } from '../resources/entries.ts';

/** The licence made at the first start, whose keys create shared resources. */
export const ROOT_LICENSE = '00000000-0000-7000-8000-000000000001';

/** A key, as known to its user. */
export interface Key {
  readonly id: string;
  readonly token: string;
  readonly licenseId: string;
  readonly role: 'R' | 'CR' | 'CRUD' | 'ADMIN';
  /** The rig it was issued to, or null. */
  readonly rigId: string | null;
  /** The sequence it belongs to; 0: all. */
  readonly scope: number;
  revoked: boolean;
}

/** Stands for the creator of what is no longer its creator's. */
export const NOBODY = { licenseId: '', role: 'R' } as const;

/** The root ADMIN key. */
export function rootKey(token: string): Key {
  const root = { id: 'root', licenseId: ROOT_LICENSE, role: 'ADMIN', rigId: null, scope: 0, revoked: false } as const;
  return { ...root, token };
}

/** A resource that exists according to the model. */
export interface Thing {
  readonly kind: Kind;
  readonly id: string;
  /** The sequence that created it; 0: all sequences see it. */
  readonly scope: number;
  /** Values by their names in requests; a mapping also has `simulatorId`. */
  values: JsonObject;
  /** Values learned from its first answer. */
  learned: JsonObject;
  updatedAt: string;
  /** The key that created it; `NOBODY` once what it created for another licence is that licence's alone. */
  creator: Pick<Key, 'licenseId' | 'role'>;
  /** The key that made a lap invalid, if one did. */
  struckBy: Pick<Key, 'licenseId' | 'role'> | null;
  /** ETags of its revisions, oldest first. */
  etags: string[];
  /** The last ETag, and the body that came with it as canonical JSON. */
  seen: { readonly etag: string; readonly body: string } | null;
  /** Whether a mapping is in force. */
  mapped: boolean;
}

/** Everything that is known of the resources of one service. */
export class Things {
  readonly #byKind = new Map<string, Map<string, Thing>>([...KINDS.keys()].map((kind) => [kind, new Map()]));

  add(thing: Thing): void {
    this.#byKind.get(thing.kind.name)?.set(thing.id, thing);
  }

  find(kind: string, id: string): Thing | null {
    return this.#byKind.get(kind)?.get(id) ?? null;
  }

  /** Resources of a kind, oldest first, without deleted mappings. */
  all(kind: string): readonly Thing[] {
    return [...(this.#byKind.get(kind)?.values() ?? [])].filter(({ mapped }) => mapped);
  }

  /** Resources of a kind that a sequence sees: its own, newest first, then the shared ones. */
  known(kind: string, scope: number): readonly Thing[] {
    const all = this.all(kind).toReversed();
    return [...all.filter((one) => one.scope === scope), ...all.filter((one) => one.scope === 0 && scope !== 0)];
  }

  /** The holder of a unique key, other than the resource with this id. */
  holder(kind: Kind, values: JsonObject, except: string | null): Thing | null {
    const key = kind.unique?.(values);
    if (key === undefined) return null;
    return this.all(kind.name).find((one) => one.id !== except && kind.unique?.(one.values) === key) ?? null;
  }

  readonly lookup: Lookup = (kind, id, field) => {
    const found = typeof id === 'string' ? this.find(kind, id) : null;
    return found?.values[field] ?? null;
  };

  /** A resource as shown to a reader, without fields that only the service knows. */
  shown(thing: Thing, reader: Key | null): JsonObject {
    const { kind, values, id, learned, updatedAt } = thing;
    const fields = Object.entries({ ...kind.create, ...kind.change });
    const valueOf = (name: string, { otherwise = '' }: Field): Json => values[name] ?? learned[otherwise] ?? null;
    const sent = fields.map(([name, field]): [string, Json] => [field.shownAs ?? name, valueOf(name, field)]);
    const derived = kind.derived(values, this.lookup);
    const common = kind.maps === undefined ? { id, ...learned, updatedAt } : {};
    return {
      ...common,
      ...Object.fromEntries(sent),
      ...derived,
      ...this.#layoutsOf(thing),
      ...stateOf(thing),
      ...this.#venueOf(thing),
      ...this.#publicNameIn(thing, reader),
      ...hidden(thing, reader),
    };
  }

  /** An event shows the licence whose key scheduled it, if one did. */
  #venueOf({ kind, creator: { licenseId } }: Thing): JsonObject {
    return kind.name === 'Event' ? { venue: this.venue(licenseId) } : {};
  }

  /** A licence as everybody sees it; null for the id ''. */
  venue(licenseId: string): JsonObject | null {
    if (licenseId === '') return null;
    const valueOf = (field: string): Json => this.lookup('License', licenseId, field);
    // The model does not contain the root licence.
    const displayName = licenseId === ROOT_LICENSE ? 'Root' : valueOf('displayName');
    const logo = valueOf('logo');
    const accentColor = valueOf('accentColor');
    const timeZone = valueOf('timeZone');
    return { id: licenseId, displayName, logo, accentColor, timeZone };
  }

  /** A lap shows the public name of its driver to owners of the driver, to whom the other one is the whole name. */
  #publicNameIn({ kind, values }: Thing, reader: Key | null): JsonObject {
    if (kind.name !== 'Lap') return {};
    return this.publicName(values['participantId'], reader);
  }

  /** The public name of a participant, for those who see the whole one, too. No licence of the model shows any other one. */
  publicName(participantId: Json | undefined, reader: Key | null): { publicName?: string } {
    const driver = typeof participantId === 'string' ? this.find('Participant', participantId) : null;
    if (driver === null || !seesContact(driver, reader)) return {};
    return { publicName: driverName(this.lookup, driver.id) };
  }

  /** A simulator shows its mapped layouts, by name. */
  #layoutsOf({ kind, id }: Thing): JsonObject {
    if (kind.name !== 'Simulator') return {};
    const mapped = this.all('SimulatorLayout').filter(({ values }) => values['simulatorId'] === id);
    const views = mapped.map((one, made) => ({ made, view: this.shown(one, null) }));
    const by = { field: 'trackLayoutDisplayName', direction: 'asc' } as const;
    return { layouts: views.toSorted((a, b) => inOrder(by, a, b)).map(({ view }) => view) };
  }
}

/** A shown resource, and the number of those of its kind created before it. */
export interface Ordered {
  readonly made: number;
  readonly view: JsonObject;
}

/** An event shows its state. */
function stateOf({ kind, values }: Thing): JsonObject {
  return kind.name === 'Event' ? { state: stateAt(timesIn(values), Date.now()) } : {};
}

/** When an event begins and ends, and was finished; ISO 8601 or null. */
export function timesIn(values: JsonObject) {
  const momentIn = (field: string): string | null => {
    const value = values[field] ?? null;
    return value === null ? null : textIn(value);
  };
  return { startsAt: momentIn('startsAt'), endsAt: momentIn('endsAt'), finishedAt: momentIn('finishedAt') };
}

/** The state of an event with these times at a moment, in ms. */
export function stateAt({ startsAt, endsAt, finishedAt }: ReturnType<typeof timesIn>, moment: number): string {
  const isOver = finishedAt !== null || (endsAt !== null && moment >= Date.parse(endsAt));
  if (isOver) return 'finished';
  const isToCome = startsAt !== null && moment < Date.parse(startsAt);
  return isToCome ? 'upcoming' : 'live';
}

/** The order of lists: null, false, true, numbers, texts by code point; ties in the order of creation. */
export function inOrder(
  { field, direction }: { readonly field: string; readonly direction: 'asc' | 'desc' },
  a: Ordered,
  b: Ordered,
): number {
  const order = compareValues(a.view[field], b.view[field]) || a.made - b.made;
  return direction === 'asc' ? order : -order;
}

/** True for a key that may change what any licence owns: ADMIN, or of the root licence. */
export function isUnconfined({ role, licenseId }: Key): boolean {
  return role === 'ADMIN' || licenseId === ROOT_LICENSE;
}

/** Contact data, which only owners, ADMIN and the operator see. */
export const CONTACT = { email: '', phoneNumber: '', extraFieldsJson: {}, nickname: null } as const;

function hidden(thing: Thing, reader: Key | null): JsonObject {
  return thing.kind.name !== 'Participant' || seesContact(thing, reader) ? {} : CONTACT;
}

/** Whether a key sees the contact data of a participant. */
function seesContact({ values, creator }: Thing, reader: Key | null): boolean {
  if (reader === null) return false;
  return isUnconfined(reader) || [values['licenseId'], creator.licenseId].includes(reader.licenseId);
}

/** Whether two values are the same JSON. */
export function same(a: Json | undefined, b: Json | undefined): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

/** Why a key may not write a resource, by the ownership rules and the scope of rigs; null if it may. */
export type OwnershipRefusal = 'not-yours' | 'rig-scope' | 'invalid' | null;

/** A write as the ownership rules see it: the existing resource, and its new values. */
export interface OwnershipRequest {
  readonly kind: Kind;
  readonly present: Thing | null;
  /** The fields set by the request, including those of its path. */
  readonly change: JsonObject;
}

/** Decides who may write what, by the table in docs/interface.md#who-owns-what. */
export function refusalByOwnership(key: Key, request: OwnershipRequest, things: Things): OwnershipRefusal {
  const beyond = key.rigId === null ? null : beyondRig(key, request);
  if (beyond !== null || isUnconfined(key)) return beyond;
  const { present } = request;
  if (present !== null && !owns(key, present, things)) return refusalOfForeignChange(key, present, { request, things });
  if (present !== null && isMoved(present, request.change)) return 'not-yours';
  if (present !== null && overrules(key, present, request.change, things)) return 'not-yours';
  return hasForeignParent(key, request, things) ? 'not-yours' : null;
}

/** What another licence may change: it strikes laps of its drivers, and any lap in its events, with a reason. */
function refusalOfForeignChange(
  key: Key,
  { kind, values, struckBy }: Thing,
  { request: { change }, things }: { readonly request: OwnershipRequest; readonly things: Things },
): OwnershipRefusal {
  const isOfValid = Object.keys(change).every((name) => ['valid', 'reason'].includes(name));
  if (kind.name !== 'Lap' || key.rigId !== null || !isOfValid) return 'not-yours';
  const event = things.find('Event', textIn(values['eventId']));
  const driver = things.find('Participant', textIn(values['participantId']));
  const organises = event !== null && isOfKey(key, event);
  const isDriver = driver !== null && owns(key, driver, things);
  const strikes = change['valid'] === false && (organises || isDriver);
  const takesBack = change['valid'] === true && organises && struckBy?.licenseId === key.licenseId;
  if (!strikes && !takesBack) return 'not-yours';
  return change['reason'] === undefined ? 'invalid' : null;
}

/** True if a change brings back a lap that somebody above the owner of its rig has struck. */
function overrules(key: Key, { kind, values, struckBy }: Thing, change: JsonObject, things: Things): boolean {
  if (kind.name !== 'Lap' || change['valid'] !== true || struckBy === null) return false;
  const event = things.find('Event', textIn(change['eventId'] ?? values['eventId']));
  if ((event !== null && isOfKey(key, event)) || struckBy.licenseId === key.licenseId) return false;
  const isOperator = struckBy.role === 'ADMIN' || struckBy.licenseId === ROOT_LICENSE;
  return isOperator || struckBy.licenseId === event?.creator.licenseId;
}

/** True if a change names another licence as the owner. */
export function isMoved({ values, kind: { owner } }: Thing, change: JsonObject): boolean {
  if (owner.kind !== 'license') return false;
  return (change[owner.field] ?? values[owner.field]) !== values[owner.field];
}

function beyondRig({ rigId }: Key, { kind, present, change }: OwnershipRequest): OwnershipRefusal {
  if (kind.name === 'Rig') {
    const own = present?.id === rigId && Object.keys(change).every((name) => ['name', 'description'].includes(name));
    return own ? null : 'rig-scope';
  }
  if (kind.name !== 'Lap') return null;
  const rigs = [present?.values['rigId'] ?? rigId, change['rigId'] ?? rigId];
  return rigs.every((one) => one === rigId) ? null : 'rig-scope';
}

function owns(key: Key, thing: Thing, things: Things): boolean {
  const { kind, values, creator } = thing;
  const { owner } = kind;
  switch (owner.kind) {
    case 'creator':
    case 'self':
      return isOpen(key, thing);
    case 'parent': {
      const parent = things.find(refersTo(kind, owner.field), textIn(values[owner.field]));
      return parent !== null && owns(key, parent, things);
    }
    case 'license':
      if (values[owner.field] === key.licenseId) return true;
      return owner.orCreator === true && creator.licenseId === key.licenseId;
  }
}

/** The kind of the resource that a field refers to. */
function refersTo({ inPath, create }: Kind, field: string): string {
  return { ...inPath, ...create }[field]?.refersTo ?? '';
}

/** True if a resource belongs to the key's licence, or is shared. */
function isOpen({ licenseId }: Key, { creator }: Thing): boolean {
  return [licenseId, ROOT_LICENSE].includes(creator.licenseId) || creator.role === 'ADMIN';
}

/** True if a resource was made with a key of the licence, and is not shared. */
function isOfKey({ licenseId }: Key, { creator }: Thing): boolean {
  return creator.licenseId === licenseId && creator.licenseId !== ROOT_LICENSE && creator.role !== 'ADMIN';
}

function hasForeignParent(key: Key, { kind, present, change }: OwnershipRequest, things: Things): boolean {
  /** The resource that the request makes a field refer to; null if the field does not change. */
  const named = (field: string, of: string): Thing | null => {
    const id = change[field];
    return typeof id !== 'string' || present?.values[field] === id ? null : things.find(of, id);
  };
  const isForeign = (thing: Thing | null): boolean => thing !== null && !isOpen(key, thing);
  const after = { ...present?.values, ...change };
  const parentIn = (field: string, of: string): Thing | null => things.find(of, textIn(after[field]));
  if (kind.name !== 'Lap')
    return (kind.parents ?? []).some((field) => isForeign(parentIn(field, refersTo(kind, field))));
  const rig = named('rigId', 'Rig');
  if (rig !== null && !owns(key, rig, things)) return true;
  const event = parentIn('eventId', 'Event');
  if (event === null || isOpen(key, event)) return false;
  const { rigIds } = event.values;
  return !(Array.isArray(rigIds) && rigIds.includes(after['rigId']));
}

/** The members of a JSON object; none for other values. */
export function membersOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
