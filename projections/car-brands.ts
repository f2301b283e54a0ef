import { carBrandEvents, type CarBrand } from '../commands/car-brands.ts';
import { resourceProjection, type DocumentOf } from '../src/domain/documents.ts';
import { readModel } from '../src/kernel/projection/projection.ts';

export type CarBrandDocument = DocumentOf<CarBrand>;

export const carBrands = readModel<CarBrandDocument>('carBrands', {
  category: 'carBrand',
  indexes: [['enabled', 'displayName'], ['displayName']],
});

export const carBrandsProjection = resourceProjection(
  carBrands,
  { own: carBrandEvents },
  { CarBrandAdded: ({ data, id, at }) => carBrands.insert(id, { ...data, createdAt: at, updatedAt: at }) },
);
