import { entry, of } from '../support/resources/entry.ts';

const mapped = { simulatorIdentifier: of.texts(0, 255), contentId: of.nullable(of.texts(0, 255)) };

/** docs/interface.md#simulator-mappings */
export default entry('SimulatorCar', 'simulators/{simulatorId}/cars', {
  commands: ['MapCar', 'ChangeCarMapping'],
  parents: ['simulatorId'],
  maps: 'carId',
  idempotent: 'by its path',
  deletes: true,
  inPath: { simulatorId: of.references('Simulator', { simulatorDisplayName: 'displayName' }) },
  create: {
    carId: of.exclusiveReferences('Car', {
      carDisplayName: 'modelName',
      carBrandId: 'brandId',
      carBrandDisplayName: 'brandDisplayName',
      carClassId: 'carClassId',
      carClassDisplayName: 'carClassDisplayName',
    }),
    ...mapped,
  },
  replaces: true,
  change: mapped,
  internal: ['_mapped', '_updatedAt'],
  events: {
    CarMapped: 'all',
    CarRemapped: 'special',
    CarIdentifierChanged: ['simulatorIdentifier'],
    CarContentChanged: ['contentId'],
    CarUnmapped: 'special',
  },
});
