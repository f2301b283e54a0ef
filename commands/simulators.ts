import { z } from 'zod';
import { bodyCommand, type CommandOf, type PartialUpdate } from '../src/service/domain/body-command.ts';
import { changesTo, evolvedBy, fieldsChanged, flagSet } from '../src/service/domain/field-events.ts';
import { EXAMPLES } from '../src/service/domain/examples.ts';
import { cdnKey, described, enabled, name, shownAs, slug, svg } from '../src/service/domain/fields.ts';
import { decider, whenAbsent, whenPresent } from '../src/service/kernel/aggregate/decider.ts';
import { eventType } from '../src/service/kernel/event-types.ts';

const SLUG = 'Short name for addresses.';

/** A simulator: a program to race in. */
export const Simulator = z.object({
  displayName: described(name(3, 120), 'Name of the simulator.', EXAMPLES.simulator.name),
  slug: described(slug(2, 20), SLUG, 'acc'),
  logo: described(cdnKey, 'CDN key of the logo.', 'LOGO/acc.svg'),
  logoWide: shownAs(
    described(cdnKey, 'CDN key of a wide logo; shown as `logo_wide`.', 'LOGO/acc-wide.svg'),
    'logo_wide',
  ),
  svg,
  enabled,
});
export type Simulator = z.output<typeof Simulator>;

const changes = {
  SimulatorRenamed: fieldsChanged(Simulator.pick({ displayName: true })),
  SimulatorSlugChanged: fieldsChanged(Simulator.pick({ slug: true })),
  SimulatorLogoChanged: fieldsChanged(Simulator.pick({ logo: true, logoWide: true, svg: true })),
  SimulatorEnabled: flagSet('enabled', true),
  SimulatorDisabled: flagSet('enabled', false),
};
export const simulatorEvents = { SimulatorAdded: eventType(Simulator), ...changes };

export type SimulatorCommand = CommandOf<{ AddSimulator: Simulator; ChangeSimulator: PartialUpdate<Simulator> }>;

export const simulatorDecider = decider<Simulator | null, SimulatorCommand, typeof simulatorEvents>({
  category: 'simulator',
  initial: null,
  events: simulatorEvents,
  evolve: { SimulatorAdded: (_, data) => data, ...evolvedBy(changes) },
  decide: {
    AddSimulator: whenAbsent((data) => [{ type: 'SimulatorAdded', data }]),
    ChangeSimulator: whenPresent((simulator, change) => changesTo(changes, simulator, change)),
  },
});

export const addSimulator = bodyCommand(simulatorDecider, 'AddSimulator', {
  body: Simulator.extend({ svg: svg.default(false), enabled: enabled.default(true) }),
});
/**
 * Replaces all, but `svg` and `enabled` only where sent; slugs are longer than on creation
 * (docs/interface.md#simulators).
 */
export const changeSimulator = bodyCommand(simulatorDecider, 'ChangeSimulator', {
  body: Simulator.extend({
    slug: described(slug(3, 20), SLUG, 'acc'),
    svg: svg.optional(),
    enabled: enabled.optional(),
  }),
});
