import { entry, of } from '../support/resources/entry.ts';

/** docs/interface.md#cars */
export default entry('Car', 'cars', {
  commands: ['AddCar', 'ChangeCar'],
  sort: 'modelName',
  hides: true,
  filters: { brandId: 'brandId', carClassId: 'carClassId' },
  create: {
    brandId: of.references('CarBrand', { brandDisplayName: 'displayName' }),
    modelName: of.texts(1, 120),
    carClassId: of.references('CarClass', { carClassDisplayName: 'displayName' }),
    enabled: of.flags(true),
  },
  events: {
    CarAdded: 'all',
    CarRenamed: ['modelName'],
    CarMovedToBrand: { moves: 'brandId' },
    CarMovedToClass: { moves: 'carClassId' },
    CarEnabled: { enabled: true },
    CarDisabled: { enabled: false },
  },
});
