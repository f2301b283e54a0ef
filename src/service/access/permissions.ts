import { racingEventDecider } from '../../../commands/racing-events.ts';
import { rigDecider } from '../../../commands/rigs.ts';
import type { Category } from '../domain/body-command.ts';
import type { Caller } from '../domain/roles.ts';
import type { CommandHandler } from '../kernel/aggregate/command-handler.ts';
import { reject, streamOf, type Rejection } from '../kernel/aggregate/decider.ts';
import type { EventMetadata } from '../kernel/ports/event-store.ts';
import { ROOT_LICENSE_ID } from './bootstrap.ts';

/** A write as permissions see it: what is there, and what the request would make of it. */
export interface Write {
  /** Category of the resource's stream. */
  readonly category: string;
  readonly id: string;
  /** The resource as it is, and by whom it was made; null while it does not exist. */
  readonly present: { readonly state: unknown; readonly created: EventMetadata } | null;
  /** The fields that the request sets, with those of its path. */
  readonly change: unknown;
}

/** The licences that own a participant: the one that it names, and that of the key that registered it, if any. */
export interface OwnersOfParticipant {
  readonly licenseId: unknown;
  readonly createdBy: unknown;
}

/** Options of the permissions. */
export interface PermissionsOptions {
  readonly handler: Pick<CommandHandler, 'load' | 'readEvents'>;
  /** Whether a key is of role ADMIN, as far as this process knows. */
  readonly isAdminKey: (apiKeyId: string) => boolean;
  /** False: what other licences own may be changed too (`LICENSE_WALLS=off`). */
  readonly walls: boolean;
}

/** Most resources whose maker is remembered; who made a resource never changes. */
const MAX_REMEMBERED = 100_000;

/** What a rig's key may set of its own rig. */
const OWN_RIG_FIELDS: ReadonlySet<string> = new Set(['name', 'description']);

const NOT_YOURS = 'This belongs to another licence: it is changed with a key of that licence, or with an ADMIN key.';

/**
 * Who may change what, beyond the role that an endpoint asks for (docs/interface.md#who-owns-what):
 *
 * | of | owner | below ADMIN, to be allowed besides |
 * | --- | --- | --- |
 * | rig | the licence that it names | |
 * | lap | the licence of its rig | its rig is own; its event is own or shared, or lists the rig |
 * | sequence | the licence of its rig | its rig is own |
 * | participant | the licence that it names, and the one whose key made it | |
 * | signup field | the licence whose key made it | its event is own or shared |
 * | mapping | the licence whose key made it | its simulator is own or shared |
 * | all else | the licence whose key made it | |
 *
 * What the root licence or an ADMIN key made is shared, but for rigs, laps and people. A key of a rig may, of all
 * writes, record, count and change the laps of its rig, create participants, and name and describe its rig; and may so, too,
 * when the rig has moved to another licence.
 *
 * Owners are read from the events, so that a projection that lags changes nothing.
 */
export class Permissions {
  readonly #options: PermissionsOptions;
  readonly #makers = new Map<string, EventMetadata>();

  constructor(options: PermissionsOptions) {
    this.#options = options;
  }

  /** Whether a reader may see everybody's contact data. */
  mayReadAllContacts(caller: Caller | null): boolean {
    return !this.#options.walls || caller?.role === 'ADMIN';
  }

  /** Whether a reader may see the contact data of a participant. */
  mayReadContact(caller: Caller | null, participant: OwnersOfParticipant): boolean {
    return this.mayReadAllContacts(caller) || (caller !== null && ownsParticipant(caller, participant));
  }

  /**
   * The refusal of a write, or null. Nothing is looked up for an ADMIN key.
   * @throws {StoreUnavailable}
   */
  async refusalOf(caller: Caller | null, write: Write): Promise<Rejection | null> {
    if (caller === null) return null;
    const beyondRig = beyondOwnRig(caller, write);
    if (beyondRig !== null || caller.role === 'ADMIN' || !this.#options.walls) return beyondRig;
    if (!(await this.#owns(caller, write))) return reject('NOT_YOURS', NOT_YOURS);
    const field = await this.#foreignParent(caller, write);
    return field === null ? null : reject('NOT_YOURS', NOT_YOURS, `/${field}`);
  }

  async #owns(caller: Caller, { category, id, present }: Write): Promise<boolean> {
    if (present === null) return true;
    const { state, created } = present;
    const licenseId = valueOf(state, 'licenseId');
    switch (category) {
      case 'rig':
        return licenseId === caller.licenseId || isOwnRig(caller, id);
      case 'participant':
        return ownsParticipant(caller, { licenseId, createdBy: created.licenseId });
      case 'lap':
      case 'sequence':
        return this.#ownsRig(caller, valueOf(state, 'rigId'));
      default:
        return this.#isOpenTo(caller, created);
    }
  }

  /** What a write would hang on something of another licence: the field that names it, or null. */
  async #foreignParent(caller: Caller, write: Write): Promise<string | null> {
    switch (write.category) {
      case 'lap':
        return this.#foreignParentOfLap(caller, write);
      case 'sequence':
        return (await this.#ownsRig(caller, valueOf(write.change, 'rigId'))) ? null : 'rigId';
      case 'signupField':
        return (await this.#isOpen(caller, 'event', newValueOf(write, 'eventId'))) ? null : 'eventId';
      case 'simulatorCar':
      case 'simulatorLayout':
        return (await this.#isOpen(caller, 'simulator', newValueOf(write, 'simulatorId'))) ? null : 'simulatorId';
      default:
        return null;
    }
  }

  async #foreignParentOfLap(caller: Caller, write: Write): Promise<string | null> {
    const [rigId, eventId] = [newValueOf(write, 'rigId'), newValueOf(write, 'eventId')];
    if (rigId !== null && !(await this.#ownsRig(caller, rigId))) return 'rigId';
    if (rigId === null && eventId === null) return null;
    const after = (field: string): string => newValueOf(write, field) ?? String(valueOf(write.present?.state, field));
    if (await this.#isOpen(caller, 'event', after('eventId'))) return null;
    const { state } = await this.#options.handler.load(racingEventDecider, after('eventId'));
    return state?.rigIds.includes(after('rigId')) === true ? null : 'eventId';
  }

  async #ownsRig(caller: Caller, rigId: unknown): Promise<boolean> {
    if (isOwnRig(caller, rigId)) return true;
    const { state } = await this.#options.handler.load(rigDecider, String(rigId));
    return state?.licenseId === caller.licenseId;
  }

  /** Whether something that a request refers to (null: nothing) is the caller's own, or shared. */
  async #isOpen(caller: Caller, category: Category, id: string | null): Promise<boolean> {
    return id === null || this.#isOpenTo(caller, await this.#makerOf(category, id));
  }

  #isOpenTo(caller: Caller, made: EventMetadata | null): boolean {
    if (made === null || made.licenseId === caller.licenseId) return true;
    const { licenseId, apiKeyId } = made;
    const byAdmin = apiKeyId !== undefined && this.#options.isAdminKey(apiKeyId);
    return licenseId === undefined || licenseId === ROOT_LICENSE_ID || byAdmin;
  }

  /** Metadata of the first event of what a request refers to; its existence was checked before. */
  async #makerOf(category: Category, id: string): Promise<EventMetadata | null> {
    const stream = streamOf(category, id);
    const known = this.#makers.get(stream);
    if (known !== undefined) return known;
    for await (const [first] of this.#options.handler.readEvents(stream)) {
      if (first === undefined) continue;
      if (this.#makers.size >= MAX_REMEMBERED) this.#makers.clear();
      this.#makers.set(stream, first.metadata);
      return first.metadata;
    }
    return null;
  }
}

/** Whether it is the rig whose key is used: it goes on with its work when it has moved to another licence. */
function isOwnRig({ ofRigOnly, rigId }: Caller, id: unknown): boolean {
  return ofRigOnly && rigId === id;
}

function ownsParticipant({ licenseId }: Caller, participant: OwnersOfParticipant): boolean {
  return participant.licenseId === licenseId || participant.createdBy === licenseId;
}

/** The refusal of a write with the key of a rig that concerns another rig, or more of its own than it may set. */
function beyondOwnRig({ rigId, ofRigOnly }: Caller, { category, id, present, change }: Write): Rejection | null {
  if (!ofRigOnly) return null;
  if (category === 'rig') {
    if (id !== rigId) return reject('RIG_SCOPE', 'The key of a rig changes no other rig.');
    const field = Object.keys(change ?? {}).find((name) => !OWN_RIG_FIELDS.has(name));
    return field === undefined
      ? null
      : reject('RIG_SCOPE', 'The key of a rig sets the name and the description of its rig only.', `/${field}`);
  }
  if (category !== 'lap' && category !== 'sequence') return null;
  const rigs = [valueOf(present?.state, 'rigId'), valueOf(change, 'rigId')];
  return rigs.every((one) => one === undefined || one === rigId)
    ? null
    : reject('RIG_SCOPE', 'The key of a rig records, counts and changes laps of its own rig only.', '/rigId');
}

function valueOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
}

/** The id that a write gives a field; null when it leaves the field as it is. */
function newValueOf({ present, change }: Write, field: string): string | null {
  const value = valueOf(change, field);
  return typeof value === 'string' && value !== valueOf(present?.state, field) ? value : null;
}
