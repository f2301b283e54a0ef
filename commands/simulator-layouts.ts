import { z } from 'zod';
import { bodyCommand, commandFrom, type CommandOf, type PartialUpdate } from '../src/service/domain/body-command.ts';
import { changesTo, evolvedBy, fieldsChanged } from '../src/service/domain/field-events.ts';
import { reference } from '../src/service/domain/examples.ts';
import { described, text } from '../src/service/domain/fields.ts';
import { isMapped, whenMapped } from '../src/service/domain/mappings.ts';
import { decider, evolveExisting, reject } from '../src/service/kernel/aggregate/decider.ts';
import { eventType } from '../src/service/kernel/event-types.ts';

/** What a simulator calls a track layout. */
export const SimulatorLayout = z.object({
  simulatorId: reference('simulator', 'The simulator.'),
  trackLayoutId: reference('trackLayout', 'The track layout.'),
  simulatorIdentifier: described(text(0, 255), 'What the simulator calls it.', 'spa'),
});
export type SimulatorLayout = z.output<typeof SimulatorLayout>;

const Identifier = SimulatorLayout.pick({ simulatorIdentifier: true });

const changes = { TrackLayoutIdentifierChanged: fieldsChanged(Identifier) };
export const simulatorLayoutEvents = {
  TrackLayoutMapped: eventType(SimulatorLayout),
  /** Mapped once more after it had been unmapped. */
  TrackLayoutRemapped: eventType(SimulatorLayout),
  ...changes,
  TrackLayoutUnmapped: eventType(z.object({})),
};

export type SimulatorLayoutCommand = CommandOf<{
  MapTrackLayout: SimulatorLayout;
  ChangeTrackLayoutMapping: PartialUpdate<SimulatorLayout>;
  UnmapTrackLayout: Record<string, never>;
}>;

type State = (SimulatorLayout & { readonly mapped: boolean }) | null;

/** Streams have the id `mappingId(simulatorId, trackLayoutId)`. */
export const simulatorLayoutDecider = decider<State, SimulatorLayoutCommand, typeof simulatorLayoutEvents>({
  category: 'simulatorLayout',
  initial: null,
  exists: isMapped,
  events: simulatorLayoutEvents,
  evolve: {
    TrackLayoutMapped: (_, data) => ({ ...data, mapped: true }),
    TrackLayoutRemapped: (_, data) => ({ ...data, mapped: true }),
    ...evolvedBy(changes),
    TrackLayoutUnmapped: evolveExisting((state) => ({ ...state, mapped: false })),
  },
  decide: {
    MapTrackLayout: (state, data) => {
      if (isMapped(state))
        return reject('TAKEN', 'The track layout is mapped to this simulator already.', '/trackLayoutId');
      return [{ type: state === null ? 'TrackLayoutMapped' : 'TrackLayoutRemapped', data }];
    },
    ChangeTrackLayoutMapping: whenMapped((state, change) => changesTo(changes, state, change)),
    UnmapTrackLayout: whenMapped(() => [{ type: 'TrackLayoutUnmapped', data: {} }]),
  },
});

export const mapTrackLayout = commandFrom({
  decider: simulatorLayoutDecider,
  body: SimulatorLayout.omit({ simulatorId: true }).meta({ id: 'MapTrackLayout' }),
  references: { trackLayoutId: 'trackLayout' },
  command: (sent, { simulatorId = '' }): SimulatorLayoutCommand => ({
    type: 'MapTrackLayout',
    data: { simulatorId, ...sent },
  }),
});
export const changeTrackLayoutMapping = bodyCommand(simulatorLayoutDecider, 'ChangeTrackLayoutMapping', {
  body: Identifier,
});
/** Takes a mapping back; it has no body. */
export const unmapTrackLayout: SimulatorLayoutCommand = { type: 'UnmapTrackLayout', data: {} };
