import { carBrandEvents } from '../commands/car-brands.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';
import type { DocumentMeta } from '../src/kernel/ports/read-store.ts';

export type CarBrandDocument = DocumentMeta & {
  readonly displayName: string;
  readonly slug: string;
  readonly logo: string;
  readonly svg: boolean;
  readonly country: string;
  readonly enabled: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const carBrands = readModel<CarBrandDocument>('carBrands', {
  category: 'carBrand',
  indexes: [['enabled', 'displayName'], ['displayName']],
});

export const carBrandsProjection = projection(
  carBrands,
  { own: carBrandEvents },
  {
    CarBrandAdded: ({ data, id, at }) => carBrands.insert(id, { ...data, createdAt: at, updatedAt: at }),
    CarBrandRenamed: ({ data, id, at }) => carBrands.set(id, { ...data, updatedAt: at }),
    CarBrandSlugChanged: ({ data, id, at }) => carBrands.set(id, { ...data, updatedAt: at }),
    CarBrandLogoChanged: ({ data, id, at }) => carBrands.set(id, { ...data, updatedAt: at }),
    CarBrandCountryChanged: ({ data, id, at }) => carBrands.set(id, { ...data, updatedAt: at }),
    CarBrandEnabled: ({ id, at }) => carBrands.set(id, { enabled: true, updatedAt: at }),
    CarBrandDisabled: ({ id, at }) => carBrands.set(id, { enabled: false, updatedAt: at }),
  },
);
