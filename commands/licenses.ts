import { z } from 'zod';
import type { CommandsOf } from '../src/domain/body-command.ts';
import { changesTo, evolvedBy, fieldsChanged, flagSet } from '../src/domain/field-events.ts';
import { EXAMPLES } from '../src/domain/examples.ts';
import { bodyOf, Flag, marked, Moment, Text } from '../src/domain/facts.ts';
import { component } from '../src/domain/component.ts';
import { color, described, instant, logo, name, text, timeZone } from '../src/domain/fields.ts';
import { DEFAULT_PUBLIC_NAMES, PUBLIC_NAMES } from '../src/domain/public-names.ts';
import { recording } from '../src/domain/intents.ts';
import { decider, whenAbsent, whenPresent } from '../src/kernel/aggregate/decider.ts';
import { reject, type Rejection } from '../src/kernel/aggregate/rejection.ts';
import { eventType } from '../src/kernel/event-types.ts';

const Facts = z.object({
  // A licence may be one person's.
  name: marked('personal', Text),
  displayName: marked('personal', Text),
  licenseKey: marked('secret', Text),
  enabled: Flag,
  expiresAt: Moment.nullable(),
  logo: Text.nullable(),
  accentColor: Text.nullable(),
  timeZone: Text.nullable(),
  publicNames: Text,
});
export type License = z.output<typeof Facts>;

export const License = bodyOf(Facts, {
  name: described(name(3, 120), 'Name for those who run the service.', 'apex-arena'),
  displayName: described(text(3, 120), 'Name for people.', EXAMPLES.license.name),
  licenseKey: described(z.string(), 'Key of the organisation, which is in its licence files.', 'lic_Wm9kQ2x0…'),
  enabled: described(z.boolean(), 'Whether its keys are accepted.', true),
  expiresAt: described(instant.nullable(), 'When its keys expire; null: never.', null),
  logo: described(
    logo.nullable(),
    'Logo of its venue: the CDN key of an image, or an external address; null: none.',
    'LOGO/apex-arena.svg',
  ),
  accentColor: described(color.nullable(), 'Colour of its venue, as `#rrggbb`; null: none.', '#e4002b'),
  timeZone: described(
    timeZone.nullable(),
    'Time zone of its venue, by its IANA name; null: not specified.',
    'Europe/Berlin',
  ),
  publicNames: described(
    z.enum(PUBLIC_NAMES).meta(component('PublicNames', 'How a licence shows its people in public.')),
    'How everybody else sees its people: `full`, `initial` (Nora L.), or `nickname`, with the initial where they have none.',
    'full',
  ),
});

const Issued = Facts.pick({ name: true, displayName: true, licenseKey: true });

export const IssueLicenseBody = License.pick({ name: true, displayName: true }).meta({ id: 'IssueLicense' });
export const ChangeLicenseBody = License.pick({
  displayName: true,
  enabled: true,
  expiresAt: true,
  logo: true,
  accentColor: true,
  timeZone: true,
  publicNames: true,
})
  .partial()
  .meta({ id: 'ChangeLicense' });

/** What a licence has and is, beside what it was issued with, until somebody changes it. */
const AS_ISSUED = {
  enabled: true,
  expiresAt: null,
  logo: null,
  accentColor: null,
  timeZone: null,
  publicNames: DEFAULT_PUBLIC_NAMES,
} as const;

/** Characters of an id by which people tell the licences of check-ins apart: its end, as ids of one time begin alike. */
const SHORT_ID = 6;

/** The names of the licence that a check-in has made: licences are public, so they say nothing of the person. */
export function checkInLicenseNames(id: string): Pick<License, 'name' | 'displayName'> {
  return { name: `check-in-${id}`, displayName: `Check-in ${id.slice(-SHORT_ID).toUpperCase()}` };
}

const changes = {
  LicenseRenamed: fieldsChanged(Facts, 'displayName'),
  LicenseLogoChanged: fieldsChanged(Facts, 'logo'),
  LicenseAccentColorChanged: fieldsChanged(Facts, 'accentColor'),
  LicenseTimeZoneChanged: fieldsChanged(Facts, 'timeZone'),
  LicensePublicNamesChanged: fieldsChanged(Facts, 'publicNames'),
  LicenseExpirySet: fieldsChanged(Facts, 'expiresAt'),
  LicenseEnabled: flagSet('enabled', true),
  LicenseDisabled: flagSet('enabled', false),
  /** Licence files with the former key are no longer accepted. */
  LicenseKeyRotated: fieldsChanged(Facts, 'licenseKey'),
};
export const licenseEvents = { LicenseIssued: eventType(Issued), ...changes };

/** Facts about the calling key of a request that may end a licence. */
export interface EndingBy {
  /** Whether the key belongs to this licence. */
  readonly own: boolean;
  /** Whether no ADMIN key of another licence works without an expiry date. */
  readonly lastAdmin: boolean;
}

/** The same facts, with the field of the request that ends the licence. */
type Ending = EndingBy & { readonly pointer: string };

const decide = {
  IssueLicense: whenAbsent((data: z.output<typeof Issued>) => [{ type: 'LicenseIssued', data } as const]),
  RenameLicense: recording(changes, 'LicenseRenamed'),
  ChangeLicenseLogo: recording(changes, 'LicenseLogoChanged'),
  ChangeLicenseAccentColor: recording(changes, 'LicenseAccentColorChanged'),
  ChangeLicenseTimeZone: recording(changes, 'LicenseTimeZoneChanged'),
  ChangeLicensePublicNames: recording(changes, 'LicensePublicNamesChanged'),
  SetLicenseExpiry: whenPresent(
    (license: License, { expiresAt, ...ending }: Ending & Pick<License, 'expiresAt'>) =>
      (expiresAt === null ? null : locksOut(ending)) ?? changesTo(changes, license, { expiresAt }),
  ),
  EnableLicense: recording(changes, 'LicenseEnabled'),
  DisableLicense: whenPresent(
    (license: License, ending: Ending) => locksOut(ending) ?? changesTo(changes, license, { enabled: false }),
  ),
  RotateLicenseKey: recording(changes, 'LicenseKeyRotated'),
};
export type LicenseCommand = CommandsOf<typeof decide>;

export const licenseDecider = decider<License, LicenseCommand, typeof licenseEvents>({
  category: 'license',
  events: licenseEvents,
  evolve: { LicenseIssued: (_, data) => ({ ...data, ...AS_ISSUED }), ...evolvedBy(changes) },
  decide,
});

/** The intents of a change, in the order of their events. */
export function licenseIntents(
  { displayName, logo, accentColor, timeZone, publicNames, expiresAt, enabled }: z.output<typeof ChangeLicenseBody>,
  by: EndingBy,
): readonly LicenseCommand[] {
  const ending = { ...by, pointer: enabled === false ? '/enabled' : '/expiresAt' };
  const intents: LicenseCommand[] = [];
  if (displayName !== undefined) intents.push({ type: 'RenameLicense', data: { displayName } });
  if (logo !== undefined) intents.push({ type: 'ChangeLicenseLogo', data: { logo } });
  if (accentColor !== undefined) intents.push({ type: 'ChangeLicenseAccentColor', data: { accentColor } });
  if (timeZone !== undefined) intents.push({ type: 'ChangeLicenseTimeZone', data: { timeZone } });
  if (publicNames !== undefined) intents.push({ type: 'ChangeLicensePublicNames', data: { publicNames } });
  if (expiresAt !== undefined) intents.push({ type: 'SetLicenseExpiry', data: { expiresAt, ...ending } });
  if (enabled === true) intents.push({ type: 'EnableLicense', data: {} });
  if (enabled === false) intents.push({ type: 'DisableLicense', data: ending });
  return intents;
}

/** Rejects what would leave no ADMIN key that could enable a licence again. */
function locksOut({ own, lastAdmin, pointer }: Ending): Rejection | null {
  if (own) return reject('FORBIDDEN', 'A key cannot disable its own licence or set its expiry.', pointer);
  if (lastAdmin)
    return reject(
      'LAST_ADMIN_KEY',
      'No other licence has a working ADMIN key without an expiry date; issue one first.',
      pointer,
    );
  return null;
}
