import { carClassEvents } from '../commands/car-classes.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';
import type { DocumentMeta } from '../src/kernel/ports/read-store.ts';

/** A car class as it is shown (SPEC.md "CarClass"). */
export type CarClassDocument = DocumentMeta & {
  readonly displayName: string;
  readonly shortName: string;
  readonly logo: string;
  readonly svg: boolean;
  readonly enabled: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const carClasses = readModel<CarClassDocument>('carClasses', {
  category: 'carClass',
  indexes: [['enabled', 'displayName'], ['displayName']],
});

export const carClassesProjection = projection(
  carClasses,
  { own: carClassEvents },
  {
    CarClassAdded: ({ data, id, at }) => carClasses.insert(id, { ...data, createdAt: at, updatedAt: at }),
    CarClassRenamed: ({ data, id, at }) => carClasses.set(id, { ...data, updatedAt: at }),
    CarClassShortNameChanged: ({ data, id, at }) => carClasses.set(id, { ...data, updatedAt: at }),
    CarClassLogoChanged: ({ data, id, at }) => carClasses.set(id, { ...data, updatedAt: at }),
    CarClassEnabled: ({ id, at }) => carClasses.set(id, { enabled: true, updatedAt: at }),
    CarClassDisabled: ({ id, at }) => carClasses.set(id, { enabled: false, updatedAt: at }),
  },
);
