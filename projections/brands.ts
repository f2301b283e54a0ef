import { brandEvents, type Brand } from '../commands/brands.ts';
import { sets, type DocumentOf } from '../src/service/domain/documents.ts';
import { projection, readModel } from '../src/service/kernel/projection/projection.ts';

/** A sponsor as it is shown; with `logoUrl`, `logo` is an external URL (docs/interface.md#sponsor-brands). */
export type BrandDocument = DocumentOf<Brand>;

export const brands = readModel<BrandDocument>('brands', { category: 'brand', indexes: [['name']] });

export const brandsProjection = projection(
  brands,
  { own: brandEvents },
  {
    BrandAdded: ({ data, id, at }) => brands.insert(id, { ...data, createdAt: at, updatedAt: at }),
    BrandRenamed: sets(brands),
    BrandWebsiteChanged: sets(brands),
    BrandLogoChanged: sets(brands),
    BrandLogoScaled: sets(brands),
  },
);
