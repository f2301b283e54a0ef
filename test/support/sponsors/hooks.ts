import type { ResolveHook } from 'node:module';
import { extname } from 'node:path';

const extension = extname(import.meta.url);
const urlOf = (path: string): string => new URL(`${path}${extension}`, import.meta.url).href;

/** Lists of the product, and what is loaded in the place of each. */
const REPLACED = new Map([
  [urlOf('../../../projections/all'), urlOf('./all')],
  [urlOf('../../../src/service/resources/index'), urlOf('./index')],
]);

/** Finds the replacements, which themselves find what they replace. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  const found = await next(specifier, context);
  const replacement = REPLACED.get(found.url);
  return replacement === undefined || replacement === context.parentURL ? found : { ...found, url: replacement };
};
