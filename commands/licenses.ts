import { z } from 'zod';
import { instant, name, text } from '../src/domain/fields.ts';
import { changedFields, eventIf, eventIfChanged } from '../src/kernel/aggregate/changed-fields.ts';
import { decider, mergeFields, evolveExisting, whenAbsent, whenPresent } from '../src/kernel/aggregate/decider.ts';
import { eventType } from '../src/kernel/event-types.ts';
import { reject, type Rejection } from '../src/kernel/aggregate/rejections.ts';

const license = {
  name: name(3, 120),
  displayName: text(3, 120),
  licenseKey: z.string(),
  enabled: z.boolean(),
  expiresAt: instant.nullable(),
};

export const IssueLicenseBody = z
  .object({ name: license.name, displayName: license.displayName })
  .meta({ id: 'IssueLicense' });
export const ChangeLicenseBody = z
  .object({ displayName: license.displayName, enabled: license.enabled, expiresAt: license.expiresAt })
  .partial()
  .meta({ id: 'ChangeLicense' });

const issued = z.object({ name: license.name, displayName: license.displayName, licenseKey: license.licenseKey });

export const licenseEvents = {
  LicenseIssued: eventType(issued),
  LicenseRenamed: eventType(z.object({ displayName: license.displayName })),
  LicenseExpirySet: eventType(z.object({ expiresAt: license.expiresAt })),
  LicenseEnabled: eventType(z.object({})),
  LicenseDisabled: eventType(z.object({})),
};

/** Which fields of each event may tell who somebody is (a licence may be a person's): `timing events` masks them. */
export const licensePersonalData = {
  LicenseIssued: ['name', 'displayName'],
  LicenseRenamed: ['displayName'],
  LicenseExpirySet: [],
  LicenseEnabled: [],
  LicenseDisabled: [],
} as const satisfies { readonly [T in keyof typeof licenseEvents]: readonly (keyof typeof license)[] };

type License = { readonly [K in keyof typeof license]: z.output<(typeof license)[K]> };

export type LicenseCommand =
  | { readonly type: 'IssueLicense'; readonly data: z.output<typeof issued> }
  /** `own`: the caller's key is of this licence. */
  | { readonly type: 'ChangeLicense'; readonly data: LicenseChange & { readonly own: boolean } };

type LicenseChange = z.output<typeof ChangeLicenseBody>;

export const licenseDecider = decider<License | null, LicenseCommand, typeof licenseEvents>({
  category: 'license',
  initial: null,
  events: licenseEvents,
  evolve: {
    LicenseIssued: (_, data) => ({ ...data, enabled: true, expiresAt: null }),
    LicenseRenamed: mergeFields,
    LicenseExpirySet: mergeFields,
    LicenseEnabled: evolveExisting((license) => ({ ...license, enabled: true })),
    LicenseDisabled: evolveExisting((license) => ({ ...license, enabled: false })),
  },
  decide: {
    IssueLicense: whenAbsent((data) => [{ type: 'LicenseIssued', data }]),
    ChangeLicense: whenPresent(
      (license, { own, ...change }) =>
        (own ? lockOut(change) : null) ?? [
          ...eventIfChanged('LicenseRenamed', changedFields(license, change, 'displayName')),
          ...eventIfChanged('LicenseExpirySet', changedFields(license, change, 'expiresAt')),
          ...eventIf(change.enabled === true && !license.enabled, 'LicenseEnabled'),
          ...eventIf(change.enabled === false && license.enabled, 'LicenseDisabled'),
        ],
    ),
  },
});

/** With its own licence disabled or expired, the last ADMIN key could never enable one again. */
function lockOut({ enabled, expiresAt }: LicenseChange): Rejection | null {
  if (enabled === false) return reject('FORBIDDEN', 'No key disables its own licence.', '/enabled');
  if (typeof expiresAt === 'string') return reject('FORBIDDEN', 'No key sets an end to its own licence.', '/expiresAt');
  return null;
}
