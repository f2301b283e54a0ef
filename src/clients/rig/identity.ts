import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { LicenseFile } from '../../domain/license-file.ts';
import { connect, type Connection, type WaitObserver } from '../connection.ts';
import { readIfThere, replaceFile } from '../delivery/durable-file.ts';

/** What a rig knows of itself: it sends `registration` until it is answered; `rig` is from the answer. */
const Identity = z.object({
  /** How often its software was started. */
  starts: z.int(),
  /** The `Idempotency-Key` of its registration; rigs of earlier releases sent their hardwareId, which others may know. */
  registrationKey: z.string().nullable().default(null),
  registration: z.object({ name: z.string().exactOptional(), hardwareId: z.string(), licenseFile: LicenseFile }),
  /** `keySince`: the number of the start at which it was given this key; 0: it registered with it. */
  rig: z.object({ id: z.string(), token: z.string(), keySince: z.int().default(0) }).nullable(),
});
type Identity = z.output<typeof Identity>;

/** `boot`: the name of this start of its software: its number. */
export type KnownRig = Readonly<NonNullable<Identity['rig']>> & { readonly boot: string };

/** The directory of a rig, its service, and a key of its venue. */
export interface RigDirectory {
  readonly directory: string;
  /** A new key for the rig, where the one that it has has ended; null: it keeps that. */
  readonly rigKey: string | null;
  /** The name that it registers with; null: the venue names it. */
  readonly name: string | null;
  readonly url: string;
  readonly venueToken: string;
  readonly signal: AbortSignal;
  readonly waiting: WaitObserver;
}

/**
 * Counts this start, and registers the rig if it is not registered yet. The request is on disk before it is sent, so
 * that a rig which never received the answer sends the same again and stays the same rig.
 * @throws {Refused}
 */
export async function startRig(place: RigDirectory): Promise<KnownRig> {
  const path = join(place.directory, 'rig.json');
  const save = (identity: Identity): Identity => {
    replaceFile(path, JSON.stringify(identity));
    return identity;
  };
  const venue = connect({ ...place, token: place.venueToken });
  const stored = readIfThere(path);
  const known = stored === null ? await firstIdentity(venue, place.name) : Identity.parse(JSON.parse(stored));
  const starts = known.starts + 1;
  const renewed = place.rigKey === null ? {} : { token: place.rigKey, keySince: starts };
  const identity = save({ ...known, starts, rig: known.rig && { ...known.rig, ...renewed } });
  const rig = identity.rig ?? (await registered(venue, identity, place.rigKey));
  if (identity.rig === null) save({ ...identity, rig });
  return { ...rig, boot: String(identity.starts) };
}

async function firstIdentity(venue: Connection, name: string | null): Promise<Identity> {
  const { data: license } = await venue.answered(() => venue.GET('/api/v1/licenses/current'));
  const params = { path: { licenseId: license.id } };
  const { data: licenseFile } = await venue.answered(() => venue.POST('/api/v1/licenses/{licenseId}/file', { params }));
  const registrationKey = randomUUID();
  const hardwareId = `reference-${randomUUID()}`;
  const registration = name === null ? { hardwareId, licenseFile } : { name, hardwareId, licenseFile };
  return { starts: 0, registrationKey, registration, rig: null };
}

/**
 * Registers the rig, or finds it again by its hardware: with a new key, it is registered already, and the answer was
 * lost for longer than it may be sent again.
 */
async function registered(venue: Connection, identity: Identity, rigKey: string | null) {
  if (rigKey === null) return register(venue, identity);
  const { hardwareId } = identity.registration;
  const params = { path: { hardwareId } };
  const { data } = await venue.answered(() => venue.GET('/api/v1/rigs/hardwareId/{hardwareId}', { params }));
  return { id: data.id, token: rigKey, keySince: identity.starts };
}

async function register(venue: Connection, { registration: body, registrationKey }: Identity) {
  const header = { 'Idempotency-Key': registrationKey ?? body.hardwareId };
  const { data } = await venue.answered(() => venue.POST('/api/v1/rigs', { body, params: { header } }));
  return { id: data.rig.id, token: data.apiKey.token, keySince: 0 };
}
