import { brandEvents } from '../commands/brands.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';
import type { DocumentMeta } from '../src/kernel/ports/read-store.ts';

/** A sponsor as it is shown; with `logoUrl`, `logo` is an external URL (SPEC.md "Brand"). */
export type BrandDocument = DocumentMeta & {
  readonly name: string;
  readonly websiteUrl: string;
  readonly logo: string;
  readonly logoScalePercent: number;
  readonly logoUrl: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const brands = readModel<BrandDocument>('brands', { category: 'brand', indexes: [['name']] });

export const brandsProjection = projection(
  brands,
  { own: brandEvents },
  {
    BrandAdded: ({ data, id, at }) => brands.insert(id, { ...data, createdAt: at, updatedAt: at }),
    BrandRenamed: ({ data, id, at }) => brands.set(id, { ...data, updatedAt: at }),
    BrandWebsiteChanged: ({ data, id, at }) => brands.set(id, { ...data, updatedAt: at }),
    BrandLogoChanged: ({ data, id, at }) => brands.set(id, { ...data, updatedAt: at }),
    BrandLogoScaled: ({ data, id, at }) => brands.set(id, { ...data, updatedAt: at }),
  },
);
