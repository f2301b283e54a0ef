import { z } from 'zod';
import { commandsFrom } from '../src/domain/body-command.ts';
import { changeOf } from '../src/domain/catalogue.ts';
import { reference } from '../src/domain/references.ts';
import { bodyOf, Id, Text } from '../src/domain/facts.ts';
import { fieldsChanged } from '../src/domain/field-events.ts';
import { described, text } from '../src/domain/fields.ts';
import { mappingDecider } from '../src/domain/mappings.ts';
import { reject } from '../src/kernel/aggregate/rejection.ts';
import { eventType } from '../src/kernel/event-types.ts';

const TrackLayoutMapped = z.object({ simulatorId: Id, trackLayoutId: Id, simulatorIdentifier: Text });
export type SimulatorLayout = z.output<typeof TrackLayoutMapped>;

const changes = { TrackLayoutIdentifierChanged: fieldsChanged(TrackLayoutMapped, 'simulatorIdentifier') };
export const simulatorLayoutEvents = {
  TrackLayoutMapped: eventType(TrackLayoutMapped),
  /** Mapped once more after it had been unmapped. */
  TrackLayoutRemapped: eventType(TrackLayoutMapped),
  ...changes,
  TrackLayoutUnmapped: eventType(z.object({})),
};

export const simulatorLayoutDecider = mappingDecider<SimulatorLayout>({
  category: 'simulatorLayout',
  events: simulatorLayoutEvents,
  mapped: 'TrackLayoutMapped',
  remapped: 'TrackLayoutRemapped',
  unmapped: 'TrackLayoutUnmapped',
  changes,
  taken: reject('TAKEN', 'The track layout is mapped to this simulator already.', '/trackLayoutId'),
});

export const SimulatorLayout = bodyOf(TrackLayoutMapped, {
  simulatorId: reference('simulator', 'The simulator.'),
  trackLayoutId: reference('trackLayout', 'The track layout.'),
  simulatorIdentifier: described(text(0, 255), 'What the simulator calls it.', 'spa'),
});

export const mapTrackLayout = commandsFrom('MapTrackLayout', {
  body: SimulatorLayout.omit({ simulatorId: true }),
  commands: (sent, { simulatorId = '' }) => [{ type: 'Map', data: { simulatorId, ...sent } } as const],
});
export const changeLayoutMapping = changeOf(
  'ChangeTrackLayoutMapping',
  SimulatorLayout.pick({ simulatorIdentifier: true }),
);
