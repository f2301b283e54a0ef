import { z } from 'zod';
import { bodyCommand } from '../src/domain/body-command.ts';
import { cdnKey, name, slug } from '../src/domain/fields.ts';
import { changedFields, eventIf, eventIfChanged } from '../src/kernel/aggregate/changed-fields.ts';
import { decider, mergeFields, evolveExisting, whenAbsent, whenPresent } from '../src/kernel/aggregate/decider.ts';
import { eventType } from '../src/kernel/event-types.ts';

const simulator = {
  displayName: name(3, 120),
  slug: slug(2, 20),
  logo: cdnKey,
  logoWide: cdnKey,
  svg: z.boolean(),
  enabled: z.boolean(),
};

const AddSimulatorBody = z
  .object({ ...simulator, svg: simulator.svg.default(false), enabled: simulator.enabled.default(true) })
  .meta({ id: 'AddSimulator' });
/** Replaces all, but `svg` and `enabled` only where sent (DESIGN §5); slugs are longer than on creation (SPEC). */
const ChangeSimulatorBody = z
  .object({ ...simulator, slug: slug(3, 20), svg: simulator.svg.optional(), enabled: simulator.enabled.optional() })
  .meta({ id: 'ChangeSimulator' });

export const simulatorEvents = {
  SimulatorAdded: eventType(z.object(simulator)),
  SimulatorRenamed: eventType(z.object({ displayName: simulator.displayName })),
  SimulatorSlugChanged: eventType(z.object({ slug: simulator.slug })),
  SimulatorLogoChanged: eventType(z.object({ logo: simulator.logo, logoWide: simulator.logoWide, svg: simulator.svg })),
  SimulatorEnabled: eventType(z.object({})),
  SimulatorDisabled: eventType(z.object({})),
};

type Simulator = z.output<typeof AddSimulatorBody>;

export type SimulatorCommand =
  | { readonly type: 'AddSimulator'; readonly data: Simulator }
  | { readonly type: 'ChangeSimulator'; readonly data: z.output<typeof ChangeSimulatorBody> };

export const simulatorDecider = decider<Simulator | null, SimulatorCommand, typeof simulatorEvents>({
  category: 'simulator',
  initial: null,
  events: simulatorEvents,
  evolve: {
    SimulatorAdded: (_, data) => data,
    SimulatorRenamed: mergeFields,
    SimulatorSlugChanged: mergeFields,
    SimulatorLogoChanged: mergeFields,
    SimulatorEnabled: evolveExisting((state) => ({ ...state, enabled: true })),
    SimulatorDisabled: evolveExisting((state) => ({ ...state, enabled: false })),
  },
  decide: {
    AddSimulator: whenAbsent((data) => [{ type: 'SimulatorAdded', data }]),
    ChangeSimulator: whenPresent((state, change) => [
      ...eventIfChanged('SimulatorRenamed', changedFields(state, change, 'displayName')),
      ...eventIfChanged('SimulatorSlugChanged', changedFields(state, change, 'slug')),
      ...eventIfChanged('SimulatorLogoChanged', changedFields(state, change, 'logo', 'logoWide', 'svg')),
      ...eventIf(change.enabled === true && !state.enabled, 'SimulatorEnabled'),
      ...eventIf(change.enabled === false && state.enabled, 'SimulatorDisabled'),
    ]),
  },
});

export const addSimulator = bodyCommand({
  decider: simulatorDecider,
  body: AddSimulatorBody,
  command: (data): SimulatorCommand => ({ type: 'AddSimulator', data }),
});

export const changeSimulator = bodyCommand({
  decider: simulatorDecider,
  body: ChangeSimulatorBody,
  command: (data): SimulatorCommand => ({ type: 'ChangeSimulator', data }),
});
