import { carBrandEvents, type CarBrand } from '../commands/car-brands.ts';
import { sets, type DocumentOf } from '../src/service/domain/documents.ts';
import { projection, readModel } from '../src/service/kernel/projection/projection.ts';

export type CarBrandDocument = DocumentOf<CarBrand>;

export const carBrands = readModel<CarBrandDocument>('carBrands', {
  category: 'carBrand',
  indexes: [['enabled', 'displayName'], ['displayName']],
});

export const carBrandsProjection = projection(
  carBrands,
  { own: carBrandEvents },
  {
    CarBrandAdded: ({ data, id, at }) => carBrands.insert(id, { ...data, createdAt: at, updatedAt: at }),
    CarBrandRenamed: sets(carBrands),
    CarBrandSlugChanged: sets(carBrands),
    CarBrandLogoChanged: sets(carBrands),
    CarBrandCountryChanged: sets(carBrands),
    CarBrandEnabled: sets(carBrands, { enabled: true }),
    CarBrandDisabled: sets(carBrands, { enabled: false }),
  },
);
