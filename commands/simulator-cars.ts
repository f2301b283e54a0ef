import { z } from 'zod';
import { bodyCommand } from '../src/domain/body-command.ts';
import { text, uuid } from '../src/domain/fields.ts';
import { whenMapped } from '../src/domain/mappings.ts';
import { references } from '../src/domain/references.ts';
import { changedFields, eventIfChanged } from '../src/kernel/aggregate/changed-fields.ts';
import { decider, mergeFields, evolveExisting } from '../src/kernel/aggregate/decider.ts';
import { eventType } from '../src/kernel/event-types.ts';
import { reject } from '../src/kernel/aggregate/rejections.ts';

/** SPEC.md names no bounds here: the identifier has that of a track layout's, and so has `contentId` (DESIGN §5). */
const mapping = {
  simulatorId: uuid,
  carId: uuid,
  simulatorIdentifier: text(0, 255),
  contentId: text(0, 255).nullable(),
};
const Mapping = z.object(mapping);

const MapCarBody = z
  .object({ ...mapping, contentId: mapping.contentId.default(null) })
  .omit({ simulatorId: true })
  .meta({ id: 'MapCar' });
const ChangeCarMappingBody = z
  .object({ simulatorIdentifier: mapping.simulatorIdentifier, contentId: mapping.contentId.optional() })
  .meta({ id: 'ChangeCarMapping' });

export const simulatorCarEvents = {
  CarMapped: eventType(Mapping),
  /** Mapped once more after it had been unmapped. */
  CarRemapped: eventType(Mapping),
  CarIdentifierChanged: eventType(z.object({ simulatorIdentifier: mapping.simulatorIdentifier })),
  CarContentChanged: eventType(z.object({ contentId: mapping.contentId })),
  CarUnmapped: eventType(z.object({})),
};

type Mapping = z.output<typeof Mapping>;
type SimulatorCar = Mapping & { readonly mapped: boolean };

export type SimulatorCarCommand =
  | { readonly type: 'MapCar'; readonly data: Mapping }
  | { readonly type: 'ChangeCarMapping'; readonly data: z.output<typeof ChangeCarMappingBody> }
  | { readonly type: 'UnmapCar'; readonly data: Record<string, never> };

/** Streams have the id `mappingId(simulatorId, carId)`. */
export const simulatorCarDecider = decider<SimulatorCar | null, SimulatorCarCommand, typeof simulatorCarEvents>({
  category: 'simulatorCar',
  initial: null,
  events: simulatorCarEvents,
  evolve: {
    CarMapped: (_, data) => ({ ...data, mapped: true }),
    CarRemapped: evolveExisting((_, data) => ({ ...data, mapped: true })),
    CarIdentifierChanged: mergeFields,
    CarContentChanged: mergeFields,
    CarUnmapped: evolveExisting((state) => ({ ...state, mapped: false })),
  },
  decide: {
    MapCar: (state, data) => {
      if (state === null) return [{ type: 'CarMapped', data }];
      if (!state.mapped) return [{ type: 'CarRemapped', data }];
      return reject('TAKEN', 'The car is mapped to this simulator already.', '/carId');
    },
    ChangeCarMapping: whenMapped((state, change) => [
      ...eventIfChanged('CarIdentifierChanged', changedFields(state, change, 'simulatorIdentifier')),
      ...eventIfChanged('CarContentChanged', changedFields(state, change, 'contentId')),
    ]),
    UnmapCar: whenMapped(() => [{ type: 'CarUnmapped', data: {} }]),
  },
});

export const mapCar = bodyCommand({
  decider: simulatorCarDecider,
  body: MapCarBody,
  references: references({ carId: 'car' }),
  command: (data, { simulatorId }: { readonly simulatorId: string }): SimulatorCarCommand => ({
    type: 'MapCar',
    data: { simulatorId, ...data },
  }),
});

export const changeCarMapping = bodyCommand({
  decider: simulatorCarDecider,
  body: ChangeCarMappingBody,
  command: (data): SimulatorCarCommand => ({ type: 'ChangeCarMapping', data }),
});

/** Takes a mapping back; it has no body. */
export const unmapCar: SimulatorCarCommand = { type: 'UnmapCar', data: {} };
