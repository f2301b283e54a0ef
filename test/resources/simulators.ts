import { entry, of } from '../support/resources/entry.ts';

const simulator = {
  displayName: of.names(3, 120),
  slug: of.slugs(2, 20),
  logo: of.texts(0, 255),
  logoWide: { ...of.texts(0, 255), shownAs: 'logo_wide' },
  svg: of.flags(false),
  enabled: of.flags(true),
};

/** docs/interface.md#simulators */
export default entry('Simulator', 'simulators', {
  commands: ['AddSimulator', 'ChangeSimulator'],
  hides: true,
  create: simulator,
  replaces: true,
  change: { ...simulator, slug: of.slugs(3, 20) },
  shows: ['layouts'],
  events: {
    SimulatorAdded: 'all',
    SimulatorRenamed: ['displayName'],
    SimulatorSlugChanged: ['slug'],
    SimulatorLogoChanged: ['logo', 'logoWide', 'svg'],
    SimulatorEnabled: { enabled: true },
    SimulatorDisabled: { enabled: false },
  },
});
