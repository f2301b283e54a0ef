import { z } from 'zod';
import { bodyCommand, type PartialUpdate } from '../src/service/domain/body-command.ts';
import { changesTo, evolvedBy, fieldsChanged, flagSet, referenceMoved } from '../src/service/domain/field-events.ts';
import { EXAMPLES, reference } from '../src/service/domain/examples.ts';
import { bodyOf, Flag, Id, Text } from '../src/service/domain/facts.ts';
import { described, enabled, name, text } from '../src/service/domain/fields.ts';
import { LicenseFile } from '../src/service/domain/license-file.ts';
import { decider, mergeFields, whenAbsent, whenPresent, reject } from '../src/service/kernel/aggregate/decider.ts';
import { eventType } from '../src/service/kernel/event-types.ts';

const Facts = z.object({
  ...{ name: Text, description: Text.nullable(), hardwareId: Text, licenseId: Id, enabled: Flag },
});

/** A rig: a place to sit and drive. */
const NamedRig = bodyOf(Facts, {
  name: described(name(2, 120), 'Name of the rig; null until it is given one.', EXAMPLES.rig.name),
  description: described(text(0, 255).nullable(), 'Description for people.', 'By the window, with the motion platform'),
  hardwareId: described(
    text(1, 255),
    'Identifies the device, such as a serial number; no other rig has it.',
    'SR-2024-00417',
  ),
  licenseId: reference('license', 'Licence that it belongs to.'),
  enabled,
});

/** A rig has no name until somebody gives it one. */
export const Rig = NamedRig.extend({ name: NamedRig.shape.name.nullable() });
export type Rig = z.output<typeof Rig>;

const Registered = Facts.pick({ hardwareId: true, licenseId: true });
const Renamed = Facts.pick({ name: true });

const changes = {
  RigDescribed: fieldsChanged(Facts, 'description'),
  RigHardwareReplaced: fieldsChanged(Facts, 'hardwareId'),
  RigMovedToLicense: referenceMoved('licenseId'),
  RigEnabled: flagSet('enabled', true),
  RigDisabled: flagSet('enabled', false),
};
export const rigEvents = { RigRegistered: eventType(Registered), RigRenamed: eventType(Renamed), ...changes };

export type RigCommand =
  /** The licence file was verified; what it says of the licence is a fact by now. */
  | { readonly type: 'RegisterRig'; readonly data: z.output<typeof Registered> }
  | { readonly type: 'ChangeRig'; readonly data: PartialUpdate<z.output<typeof NamedRig>> };

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
    ...evolvedBy(changes),
  },
  decide: {
    RegisterRig: whenAbsent((data) => [{ type: 'RigRegistered', data }]),
    ChangeRig: whenPresent((rig, change) => [...renamed(rig, change.name), ...changesTo(changes, rig, change)]),
  },
});

function renamed(rig: Rig, name: string | undefined) {
  return name === undefined || name === rig.name ? [] : [{ type: 'RigRenamed', data: { name } } as const];
}

export const RegisterRigBody = z
  .object({ hardwareId: Rig.shape.hardwareId, licenseFile: LicenseFile })
  .meta({ id: 'RegisterRig' });

export const changeRig = bodyCommand(rigDecider, 'ChangeRig', { body: NamedRig.partial() });
