import { brandEvents, type Brand } from '../commands/brands.ts';
import { resourceProjection, type DocumentOf } from '../src/domain/documents.ts';
import { readModel } from '../src/kernel/projection/projection.ts';

/** A sponsor as it is shown; with `logoUrl`, `logo` is an external URL (docs/interface.md#sponsor-brands). */
export type BrandDocument = DocumentOf<Brand>;

export const brands = readModel<BrandDocument>('brands', { category: 'brand', indexes: [['name']] });

export const brandsProjection = resourceProjection(
  brands,
  { own: brandEvents },
  { BrandAdded: ({ data, id, at }) => brands.insert(id, { ...data, createdAt: at, updatedAt: at }) },
);
