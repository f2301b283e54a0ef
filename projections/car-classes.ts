import { carClassEvents, type CarClass } from '../commands/car-classes.ts';
import { resourceProjection, type DocumentOf } from '../src/domain/documents.ts';
import { readModel } from '../src/kernel/projection/projection.ts';

/** A car class as it is shown (docs/interface.md#cars). */
export type CarClassDocument = DocumentOf<CarClass>;

export const carClasses = readModel<CarClassDocument>('carClasses', {
  category: 'carClass',
  indexes: [['enabled', 'displayName'], ['displayName']],
});

export const carClassesProjection = resourceProjection(
  carClasses,
  { own: carClassEvents },
  { CarClassAdded: ({ data, id, at }) => carClasses.insert(id, { ...data, createdAt: at, updatedAt: at }) },
);
