import { z } from 'zod';
import { commandsFrom, type CommandsOf } from '../src/domain/body-command.ts';
import { evolvedBy, fieldsChanged, flagSet, referenceMoved } from '../src/domain/field-events.ts';
import { EXAMPLES } from '../src/domain/examples.ts';
import { reference } from '../src/domain/references.ts';
import { bodyOf, Flag, Id, Text } from '../src/domain/facts.ts';
import { described, enabled, isOnlyDots, name, text } from '../src/domain/fields.ts';
import { LicenseFile } from '../src/domain/license-file.ts';
import { intentsIn, recording } from '../src/domain/intents.ts';
import { decider, whenAbsent } from '../src/kernel/aggregate/decider.ts';
import { reject } from '../src/kernel/aggregate/rejection.ts';
import { eventType } from '../src/kernel/event-types.ts';

const Facts = z.object({
  /** Null until somebody gives it one. */
  name: Text.nullable(),
  description: Text.nullable(),
  hardwareId: Text,
  licenseId: Id,
  enabled: Flag,
});
export type Rig = z.output<typeof Facts>;
const Registered = Facts.pick({ hardwareId: true, licenseId: true });

const NamedRig = bodyOf(Facts, {
  name: described(name(2, 120), 'Name of the rig; null until it is given one.', EXAMPLES.rig.name),
  description: described(text(0, 255).nullable(), 'Description for people.', 'By the window, with the motion platform'),
  hardwareId: described(
    text(1, 255).refine((value) => !isOnlyDots(value), 'must not be dots alone'),
    'Identifies the device, such as a serial number; no other rig has it.',
    'SR-2024-00417',
  ),
  licenseId: reference('license', 'Licence that it belongs to.'),
  enabled,
});

/** A rig as it is shown. */
export const Rig = NamedRig.extend({ name: NamedRig.shape.name.nullable() });

const changes = {
  RigRenamed: fieldsChanged(Facts, 'name'),
  RigDescribed: fieldsChanged(Facts, 'description'),
  RigHardwareReplaced: fieldsChanged(Facts, 'hardwareId'),
  RigMovedToLicense: referenceMoved('licenseId'),
  RigEnabled: flagSet('enabled', true),
  RigDisabled: flagSet('enabled', false),
};
export const rigEvents = { RigRegistered: eventType(Registered), ...changes };

const decide = {
  /** Its licence file was verified before: `licenseId` comes from it. */
  RegisterRig: whenAbsent(
    ({ name: rigName, ...data }: z.output<typeof Registered> & { readonly name?: string | undefined }) => {
      const registered = { type: 'RigRegistered', data } as const;
      if (rigName === undefined) return [registered];
      return [registered, { type: 'RigRenamed', data: { name: rigName } } as const];
    },
  ),
  RenameRig: recording(changes, 'RigRenamed'),
  DescribeRig: recording(changes, 'RigDescribed'),
  ReplaceRigHardware: recording(changes, 'RigHardwareReplaced'),
  MoveRigToLicense: recording(changes, 'RigMovedToLicense'),
  EnableRig: recording(changes, 'RigEnabled'),
  DisableRig: recording(changes, 'RigDisabled'),
};
export type RigCommand = CommandsOf<typeof decide>;

export const rigDecider = decider<Rig, RigCommand, typeof rigEvents>({
  category: 'rig',
  events: rigEvents,
  claim: {
    category: 'rigHardware',
    key: (state) => state?.hardwareId ?? null,
    taken: reject('TAKEN', 'Another rig has this hardwareId.', '/hardwareId'),
  },
  evolve: {
    RigRegistered: (_, data) => ({ ...data, name: null, description: null, enabled: true }),
    ...evolvedBy(changes),
  },
  decide,
});

export const RegisterRigBody = z
  .object({
    name: described(name(2, 120), 'Name of the rig; null until it is given one.', EXAMPLES.rig.name).optional(),
    hardwareId: Rig.shape.hardwareId,
    licenseFile: LicenseFile,
  })
  .meta({ id: 'RegisterRig' });

export const changeRig = commandsFrom('ChangeRig', { body: NamedRig.partial(), ...intentsIn(decide) });
