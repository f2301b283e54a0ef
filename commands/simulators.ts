import { z } from 'zod';
import { additionOf, catalogueDecider, changeOf, logoDefaults } from '../src/domain/catalogue.ts';
import { EXAMPLES } from '../src/domain/examples.ts';
import { bodyOf, Flag, Text } from '../src/domain/facts.ts';
import { fieldsChanged, flagSet } from '../src/domain/field-events.ts';
import { cdnKey, described, enabled, name, shownAs, slug, svg } from '../src/domain/fields.ts';
import { eventType } from '../src/kernel/event-types.ts';

const SimulatorAdded = z.object({
  displayName: Text,
  slug: Text,
  logo: Text,
  logoWide: Text,
  svg: Flag,
  enabled: Flag,
});
export type Simulator = z.output<typeof SimulatorAdded>;

export const simulatorEvents = {
  SimulatorAdded: eventType(SimulatorAdded),
  SimulatorRenamed: fieldsChanged(SimulatorAdded, 'displayName'),
  SimulatorSlugChanged: fieldsChanged(SimulatorAdded, 'slug'),
  SimulatorLogoChanged: fieldsChanged(SimulatorAdded, 'logo', 'logoWide', 'svg'),
  SimulatorEnabled: flagSet('enabled', true),
  SimulatorDisabled: flagSet('enabled', false),
};

export const simulatorDecider = catalogueDecider('simulator', simulatorEvents, { added: 'SimulatorAdded' });

const WIDE = described(cdnKey, 'CDN key of a wide logo; shown as `logo_wide`.', 'LOGO/acc-wide.svg');
const slugOf = (least: number) => described(slug(least, 20), 'Short name for URLs.', 'acc');

export const Simulator = bodyOf(SimulatorAdded, {
  displayName: described(name(3, 120), 'Name of the simulator.', EXAMPLES.simulator.name),
  slug: slugOf(2),
  logo: described(cdnKey, 'CDN key of the logo.', 'LOGO/acc.svg'),
  logoWide: shownAs(WIDE, 'logo_wide'),
  svg,
  enabled,
});

export const addSimulator = additionOf('AddSimulator', Simulator.extend(logoDefaults));
/**
 * Replaces all fields, `svg` and `enabled` only if they are sent. Slugs are longer than on creation
 * (docs/interface.md#simulators).
 */
export const changeSimulator = changeOf(
  'ChangeSimulator',
  Simulator.extend({ slug: slugOf(3), svg: svg.optional(), enabled: enabled.optional() }),
);
