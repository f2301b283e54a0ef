import { z } from 'zod';
import { bodyCommand } from '../src/domain/body-command.ts';
import { name, text, uuid } from '../src/domain/fields.ts';
import { references } from '../src/domain/references.ts';
import { changedFields, eventIf, eventIfChanged, changedReference } from '../src/kernel/aggregate/changed-fields.ts';
import { decider, mergeFields, evolveExisting, whenAbsent, whenPresent } from '../src/kernel/aggregate/decider.ts';
import { eventType } from '../src/kernel/event-types.ts';
import { reject } from '../src/kernel/aggregate/rejections.ts';

const rig = {
  name: name(2, 120),
  description: text(0, 255).nullable(),
  hardwareId: text(1, 255),
  licenseId: uuid,
  enabled: z.boolean(),
};

const ChangeRigBody = z.object(rig).partial().meta({ id: 'ChangeRig' });

export const rigEvents = {
  RigRegistered: eventType(z.object({ hardwareId: rig.hardwareId, licenseId: uuid })),
  RigRenamed: eventType(z.object({ name: rig.name })),
  RigDescribed: eventType(z.object({ description: rig.description })),
  RigHardwareReplaced: eventType(z.object({ hardwareId: rig.hardwareId })),
  RigMovedToLicense: eventType(z.object({ from: uuid, to: uuid })),
  RigEnabled: eventType(z.object({})),
  RigDisabled: eventType(z.object({})),
};

/** A rig has no name until somebody gives it one. */
type Rig = { readonly [K in keyof typeof rig]: z.output<(typeof rig)[K]> | (K extends 'name' ? null : never) };

export type RigCommand =
  /** The licence file was verified; what it says of the licence is a fact by now. */
  | { readonly type: 'RegisterRig'; readonly data: { readonly hardwareId: string; readonly licenseId: string } }
  | { readonly type: 'ChangeRig'; readonly data: z.output<typeof ChangeRigBody> };

export const rigDecider = decider<Rig | null, RigCommand, typeof rigEvents>({
  category: 'rig',
  initial: null,
  events: rigEvents,
  claim: {
    category: 'rigHardware',
    key: (state) => state?.hardwareId ?? null,
    taken: reject('TAKEN', 'Another rig has this hardwareId.', '/hardwareId'),
  },
  evolve: {
    RigRegistered: (_, data) => ({ ...data, name: null, description: null, enabled: true }),
    RigRenamed: mergeFields,
    RigDescribed: mergeFields,
    RigHardwareReplaced: mergeFields,
    RigMovedToLicense: evolveExisting((state, { to }) => ({ ...state, licenseId: to })),
    RigEnabled: evolveExisting((state) => ({ ...state, enabled: true })),
    RigDisabled: evolveExisting((state) => ({ ...state, enabled: false })),
  },
  decide: {
    RegisterRig: whenAbsent((data) => [{ type: 'RigRegistered', data }]),
    ChangeRig: whenPresent((state, change) => [
      ...renamed(state, change.name),
      ...eventIfChanged('RigDescribed', changedFields(state, change, 'description')),
      ...eventIfChanged('RigHardwareReplaced', changedFields(state, change, 'hardwareId')),
      ...eventIfChanged('RigMovedToLicense', changedReference(state, change, 'licenseId')),
      ...eventIf(change.enabled === true && !state.enabled, 'RigEnabled'),
      ...eventIf(change.enabled === false && state.enabled, 'RigDisabled'),
    ]),
  },
});

function renamed(state: Rig, name: string | undefined) {
  return eventIfChanged('RigRenamed', name === undefined || name === state.name ? null : { name });
}

/**
 * The signed licence file that authorises a registration (SPEC.md "LicenseFile"); its signature is checked before the
 * decider is asked.
 */
export const LicenseFileBody = z
  .object({
    licenseId: uuid,
    licenseKey: z.string(),
    issuedAt: z.iso.datetime({ offset: true }),
    signature: z.string(),
  })
  .meta({ id: 'LicenseFile' });

export const RegisterRigBody = z
  .object({ hardwareId: rig.hardwareId, licenseFile: LicenseFileBody })
  .meta({ id: 'RegisterRig' });

export const changeRig = bodyCommand({
  decider: rigDecider,
  body: ChangeRigBody,
  references: references({ licenseId: 'license' }),
  command: (data): RigCommand => ({ type: 'ChangeRig', data }),
});
