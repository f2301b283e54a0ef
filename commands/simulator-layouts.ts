import { z } from 'zod';
import { bodyCommand } from '../src/domain/body-command.ts';
import { text, uuid } from '../src/domain/fields.ts';
import { whenMapped } from '../src/domain/mappings.ts';
import { references } from '../src/domain/references.ts';
import { changedFields, eventIfChanged } from '../src/kernel/aggregate/changed-fields.ts';
import { decider, mergeFields, evolveExisting } from '../src/kernel/aggregate/decider.ts';
import { eventType } from '../src/kernel/event-types.ts';
import { reject } from '../src/kernel/aggregate/rejections.ts';

const mapping = { simulatorId: uuid, trackLayoutId: uuid, simulatorIdentifier: text(0, 255) };
const Mapping = z.object(mapping);
const Identifier = z.object({ simulatorIdentifier: mapping.simulatorIdentifier });

const MapTrackLayoutBody = Mapping.omit({ simulatorId: true }).meta({ id: 'MapTrackLayout' });
const ChangeTrackLayoutMappingBody = Identifier.meta({ id: 'ChangeTrackLayoutMapping' });

export const simulatorLayoutEvents = {
  TrackLayoutMapped: eventType(Mapping),
  /** Mapped once more after it had been unmapped. */
  TrackLayoutRemapped: eventType(Mapping),
  TrackLayoutIdentifierChanged: eventType(Identifier),
  TrackLayoutUnmapped: eventType(z.object({})),
};

type Mapping = z.output<typeof Mapping>;
type SimulatorLayout = Mapping & { readonly mapped: boolean };

export type SimulatorLayoutCommand =
  | { readonly type: 'MapTrackLayout'; readonly data: Mapping }
  | { readonly type: 'ChangeTrackLayoutMapping'; readonly data: z.output<typeof Identifier> }
  | { readonly type: 'UnmapTrackLayout'; readonly data: Record<string, never> };

/** Streams have the id `mappingId(simulatorId, trackLayoutId)`. */
export const simulatorLayoutDecider = decider<
  SimulatorLayout | null,
  SimulatorLayoutCommand,
  typeof simulatorLayoutEvents
>({
  category: 'simulatorLayout',
  initial: null,
  events: simulatorLayoutEvents,
  evolve: {
    TrackLayoutMapped: (_, data) => ({ ...data, mapped: true }),
    TrackLayoutRemapped: evolveExisting((_, data) => ({ ...data, mapped: true })),
    TrackLayoutIdentifierChanged: mergeFields,
    TrackLayoutUnmapped: evolveExisting((state) => ({ ...state, mapped: false })),
  },
  decide: {
    MapTrackLayout: (state, data) => {
      if (state === null) return [{ type: 'TrackLayoutMapped', data }];
      if (!state.mapped) return [{ type: 'TrackLayoutRemapped', data }];
      return reject('TAKEN', 'The track layout is mapped to this simulator already.', '/trackLayoutId');
    },
    ChangeTrackLayoutMapping: whenMapped((state, change) => [
      ...eventIfChanged('TrackLayoutIdentifierChanged', changedFields(state, change, 'simulatorIdentifier')),
    ]),
    UnmapTrackLayout: whenMapped(() => [{ type: 'TrackLayoutUnmapped', data: {} }]),
  },
});

export const mapTrackLayout = bodyCommand({
  decider: simulatorLayoutDecider,
  body: MapTrackLayoutBody,
  references: references({ trackLayoutId: 'trackLayout' }),
  command: (data, { simulatorId }: { readonly simulatorId: string }): SimulatorLayoutCommand => ({
    type: 'MapTrackLayout',
    data: { simulatorId, ...data },
  }),
});

export const changeTrackLayoutMapping = bodyCommand({
  decider: simulatorLayoutDecider,
  body: ChangeTrackLayoutMappingBody,
  command: (data): SimulatorLayoutCommand => ({ type: 'ChangeTrackLayoutMapping', data }),
});

/** Takes a mapping back; it has no body. */
export const unmapTrackLayout: SimulatorLayoutCommand = { type: 'UnmapTrackLayout', data: {} };
