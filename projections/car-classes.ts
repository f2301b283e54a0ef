import { carClassEvents, type CarClass } from '../commands/car-classes.ts';
import { sets, type DocumentOf } from '../src/service/domain/documents.ts';
import { projection, readModel } from '../src/service/kernel/projection/projection.ts';

/** A car class as it is shown (docs/interface.md#car-classes). */
export type CarClassDocument = DocumentOf<CarClass>;

export const carClasses = readModel<CarClassDocument>('carClasses', {
  category: 'carClass',
  indexes: [['enabled', 'displayName'], ['displayName']],
});

export const carClassesProjection = projection(
  carClasses,
  { own: carClassEvents },
  {
    CarClassAdded: ({ data, id, at }) => carClasses.insert(id, { ...data, createdAt: at, updatedAt: at }),
    CarClassRenamed: sets(carClasses),
    CarClassShortNameChanged: sets(carClasses),
    CarClassLogoChanged: sets(carClasses),
    CarClassEnabled: sets(carClasses, { enabled: true }),
    CarClassDisabled: sets(carClasses, { enabled: false }),
  },
);
