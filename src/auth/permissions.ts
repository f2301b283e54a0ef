import { racingEventDecider } from '../../commands/racing-events.ts';
import { rigDecider } from '../../commands/rigs.ts';
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

/**
 * Who may change what, beyond the role that an endpoint asks for (docs/interface.md#who-owns-what):
 *
 * | of | owner | below ADMIN, to be allowed besides |
 * | --- | --- | --- |
 * | rig | the licence that it names | |
 * | lap | the licence of its rig | its rig is own; its event is own or shared, or lists the rig |
 * | participant | the licence that it names, and the one whose key made it | |
 * | signup field | the licence whose key made it | its event is own or shared |
 * | mapping | the licence whose key made it | its simulator is own or shared |
 * | all else | the licence whose key made it | |
 *
 * What the root licence or an ADMIN key made is shared, but for rigs, laps and people. A key of a rig may, of all
 * writes, record and change the laps of its rig, create participants, and name and describe its rig.
 */
export interface Permissions {
  /**
   * The refusal of a write, or null. Nothing is looked up for an ADMIN key.
   * @throws {StoreUnavailable}
   */
  refusalOf(caller: Caller | null, write: Write): Promise<Rejection | null>;
  /** Whether a reader may see the contact data of a participant. */
  mayReadContact(caller: Caller | null, participant: OwnersOfParticipant): boolean;
  /** Whether a reader may see everybody's contact data. */
  mayReadAllContacts(caller: Caller | null): boolean;
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

/** Creates the permissions. Owners are read from the events, so that a projection that lags changes nothing. */
export function createPermissions({ handler, isAdminKey, walls }: PermissionsOptions): Permissions {
  const makers = new Map<string, EventMetadata>();

  /** Metadata of the first event of what a request refers to; its existence was checked before. */
  async function makerOf(category: Category, id: string): Promise<EventMetadata | null> {
    const stream = streamOf(category, id);
    const known = makers.get(stream);
    if (known !== undefined) return known;
    for await (const [first] of handler.readEvents(stream)) {
      if (first === undefined) continue;
      if (makers.size >= MAX_REMEMBERED) makers.clear();
      makers.set(stream, first.metadata);
      return first.metadata;
    }
    return null;
  }
  const isShared = ({ licenseId, apiKeyId }: EventMetadata): boolean =>
    licenseId === undefined || licenseId === ROOT_LICENSE_ID || (apiKeyId !== undefined && isAdminKey(apiKeyId));
  const isOpenTo = ({ licenseId }: Caller, made: EventMetadata | null): boolean =>
    made === null || made.licenseId === licenseId || isShared(made);
  const rigLicense = async (id: string): Promise<string | null> =>
    (await handler.load(rigDecider, id)).state?.licenseId ?? null;

  async function owns(caller: Caller, { category, present }: Write): Promise<boolean> {
    if (present === null) return true;
    const { state, created } = present;
    switch (category) {
      case 'rig':
        return valueOf(state, 'licenseId') === caller.licenseId;
      case 'participant':
        return ownsParticipant(caller, { licenseId: valueOf(state, 'licenseId'), createdBy: created.licenseId });
      case 'lap':
        return (await rigLicense(String(valueOf(state, 'rigId')))) === caller.licenseId;
      default:
        return isOpenTo(caller, created);
    }
  }
  async function ofEvent(caller: Caller, eventId: string, rigId: string): Promise<boolean> {
    if (isOpenTo(caller, await makerOf('event', eventId))) return true;
    return (await handler.load(racingEventDecider, eventId)).state?.rigIds.includes(rigId) ?? false;
  }
  /** What a write would hang on something of another licence: the field that names it, or null. */
  async function foreignParent(caller: Caller, { category, present, change }: Write): Promise<string | null> {
    const before = (field: string): unknown => valueOf(present?.state, field);
    const sets = (field: string): boolean => ![undefined, before(field)].includes(valueOf(change, field));
    const after = (field: string): string => String(valueOf(change, field) ?? before(field));
    switch (category) {
      case 'lap': {
        const toRig = sets('rigId') && after('rigId') !== caller.rigId;
        if (toRig && (await rigLicense(after('rigId'))) !== caller.licenseId) return 'rigId';
        const toEvent = sets('eventId') || sets('rigId');
        return toEvent && !(await ofEvent(caller, after('eventId'), after('rigId'))) ? 'eventId' : null;
      }
      case 'signupField':
        return sets('eventId') && !isOpenTo(caller, await makerOf('event', after('eventId'))) ? 'eventId' : null;
      case 'simulatorCar':
      case 'simulatorLayout':
        return present === null && !isOpenTo(caller, await makerOf('simulator', after('simulatorId')))
          ? 'simulatorId'
          : null;
      default:
        return null;
    }
  }
  const mayReadAllContacts = (caller: Caller | null): boolean => !walls || caller?.role === 'ADMIN';
  return {
    mayReadAllContacts,
    mayReadContact: (caller, participant) =>
      mayReadAllContacts(caller) || (caller !== null && ownsParticipant(caller, participant)),
    async refusalOf(caller, write) {
      const beyondRig = caller === null ? null : beyondOwnRig(caller, write);
      if (beyondRig !== null || caller === null || caller.role === 'ADMIN' || !walls) return beyondRig;
      if (!(await owns(caller, write))) return reject('NOT_YOURS', NOT_YOURS);
      const field = await foreignParent(caller, write);
      return field === null ? null : reject('NOT_YOURS', NOT_YOURS, `/${field}`);
    },
  };
}

function ownsParticipant({ licenseId }: Caller, participant: OwnersOfParticipant): boolean {
  return participant.licenseId === licenseId || participant.createdBy === licenseId;
}

/** The refusal of a write with the key of a rig that concerns another rig, or more of its own than it may set. */
function beyondOwnRig({ rigId, ofRigOnly }: Caller, { category, id, present, change }: Write): Rejection | null {
  if (!ofRigOnly) return null;
  if (category === 'rig') {
    if (id !== rigId) return reject('RIG_SCOPE', 'The key of a rig changes no other rig.');
    const field = Object.keys(fieldsOf(change)).find((name) => !OWN_RIG_FIELDS.has(name));
    return field === undefined
      ? null
      : reject('RIG_SCOPE', 'The key of a rig sets the name and the description of its rig only.', `/${field}`);
  }
  if (category !== 'lap') return null;
  const rigs = [valueOf(present?.state, 'rigId'), valueOf(change, 'rigId')];
  return rigs.every((one) => one === undefined || one === rigId)
    ? null
    : reject('RIG_SCOPE', 'The key of a rig records and changes laps of its own rig only.', '/rigId');
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' ? { ...value } : {};
}

function valueOf(value: unknown, field: string): unknown {
  return fieldsOf(value)[field];
}
