import { entry, of } from '../support/resources/entry.ts';

const simulatorIdentifier = of.texts(0, 255);

/** docs/interface.md#simulator-mappings */
export default entry('SimulatorLayout', 'simulators/{simulatorId}/layouts', {
  commands: ['MapTrackLayout', 'ChangeTrackLayoutMapping'],
  parents: ['simulatorId'],
  maps: 'trackLayoutId',
  idempotent: 'by its path',
  deletes: true,
  inPath: { simulatorId: of.references('Simulator', { simulatorDisplayName: 'displayName' }) },
  create: {
    trackLayoutId: of.exclusiveReferences('TrackLayout', { trackLayoutDisplayName: 'displayName' }),
    simulatorIdentifier,
  },
  replaces: true,
  change: { simulatorIdentifier },
  internal: ['_mapped', '_updatedAt'],
  events: {
    TrackLayoutMapped: 'all',
    TrackLayoutRemapped: 'special',
    TrackLayoutIdentifierChanged: ['simulatorIdentifier'],
    TrackLayoutUnmapped: 'special',
  },
});
