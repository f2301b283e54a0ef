import { z } from 'zod';
import { changesTo, evolvedBy, fieldsChanged, flagSet } from '../src/service/domain/field-events.ts';
import { EXAMPLES } from '../src/service/domain/examples.ts';
import { bodyOf, Flag, Moment, Text } from '../src/service/domain/facts.ts';
import { described, instant, name, text } from '../src/service/domain/fields.ts';
import { decider, whenAbsent, whenPresent, reject, type Rejection } from '../src/service/kernel/aggregate/decider.ts';
import { eventType } from '../src/service/kernel/event-types.ts';

const Facts = z.object({
  ...{ name: Text, displayName: Text, licenseKey: Text, enabled: Flag, expiresAt: Moment.nullable() },
});
export type License = z.output<typeof Facts>;

/** A licence: an organisation's account. */
export const License = bodyOf(Facts, {
  name: described(name(3, 120), 'Name for those who run the service.', 'apex-arena'),
  displayName: described(text(3, 120), 'Name for people.', EXAMPLES.license.name),
  licenseKey: described(z.string(), 'Key of the organisation, which is in its licence files.', 'lic_Wm9kQ2x0…'),
  enabled: described(z.boolean(), 'Whether its keys are accepted.', true),
  expiresAt: described(instant.nullable(), 'When its keys expire; null: never.', null),
});

const Issued = Facts.pick({ name: true, displayName: true, licenseKey: true });

export const IssueLicenseBody = License.pick({ name: true, displayName: true }).meta({ id: 'IssueLicense' });
export const ChangeLicenseBody = License.pick({ displayName: true, enabled: true, expiresAt: true })
  .partial()
  .meta({ id: 'ChangeLicense' });

const changes = {
  LicenseRenamed: fieldsChanged(Facts, 'displayName'),
  LicenseExpirySet: fieldsChanged(Facts, 'expiresAt'),
  LicenseEnabled: flagSet('enabled', true),
  LicenseDisabled: flagSet('enabled', false),
  /** Files with the key of before are worthless. */
  LicenseKeyRotated: fieldsChanged(Facts, 'licenseKey'),
};
export const licenseEvents = { LicenseIssued: eventType(Issued), ...changes };

/** Which fields of each event may tell who somebody is (a licence may be a person's): `timing events` masks them. */
export const licensePersonalData = {
  LicenseIssued: ['name', 'displayName'],
  LicenseRenamed: ['displayName'],
  LicenseExpirySet: [],
  LicenseEnabled: [],
  LicenseDisabled: [],
  LicenseKeyRotated: [],
} as const satisfies { readonly [T in keyof typeof licenseEvents]: readonly (keyof License)[] };

export type LicenseCommand =
  | { readonly type: 'IssueLicense'; readonly data: z.output<typeof Issued> }
  /** `own`: the caller's key is of this licence; `lastAdmin`: no ADMIN key of another works without an end. */
  | {
      readonly type: 'ChangeLicense';
      readonly data: LicenseChange & { readonly own: boolean; readonly lastAdmin: boolean };
    }
  | { readonly type: 'RotateLicenseKey'; readonly data: Pick<License, 'licenseKey'> };

type LicenseChange = z.output<typeof ChangeLicenseBody>;

export const licenseDecider = decider<License | null, LicenseCommand, typeof licenseEvents>({
  category: 'license',
  initial: null,
  events: licenseEvents,
  evolve: { LicenseIssued: (_, data) => ({ ...data, enabled: true, expiresAt: null }), ...evolvedBy(changes) },
  decide: {
    IssueLicense: whenAbsent((data) => [{ type: 'LicenseIssued', data }]),
    ChangeLicense: whenPresent(
      (license, { own, lastAdmin, ...change }) =>
        lockOut(change, { own, lastAdmin }) ?? changesTo(changes, license, change),
    ),
    RotateLicenseKey: whenPresent((license, change) => changesTo(changes, license, change)),
  },
});

/** With its own licence disabled or expired, the last ADMIN key could never enable one again. */
function lockOut(
  { enabled, expiresAt }: LicenseChange,
  { own, lastAdmin }: { readonly own: boolean; readonly lastAdmin: boolean },
): Rejection | null {
  if (enabled !== false && typeof expiresAt !== 'string') return null;
  const pointer = enabled === false ? '/enabled' : '/expiresAt';
  if (own) return reject('FORBIDDEN', 'No key disables its own licence, or sets an end to it.', pointer);
  if (lastAdmin) return reject('LAST_ADMIN_KEY', 'No ADMIN key of another licence works without an end.', pointer);
  return null;
}
