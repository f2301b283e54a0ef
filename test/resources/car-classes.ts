import { entry, of } from '../support/resources/entry.ts';

/** docs/interface.md#cars */
export default entry('CarClass', 'car-classes', {
  commands: ['AddCarClass', 'ChangeCarClass'],
  sort: 'displayName',
  hides: true,
  create: {
    displayName: of.names(2, 120),
    shortName: of.like(of.names(2, 20), 'GT3'),
    logo: of.texts(0, 255),
    svg: of.flags(false),
    enabled: of.flags(true),
  },
  events: {
    CarClassAdded: 'all',
    CarClassRenamed: ['displayName'],
    CarClassShortNameChanged: ['shortName'],
    CarClassLogoChanged: ['logo', 'svg'],
    CarClassEnabled: { enabled: true },
    CarClassDisabled: { enabled: false },
  },
});
