import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';

/** The name under which a module imports what this package exports. */
export const PACKAGE_NAME = 'sim-racing-timing';

/** URL of what a module gets for that import: source or compiled, as this process runs. */
export const API_URL = new URL(`./analysis${extname(import.meta.url)}`, import.meta.url).href;

/** File with the types of that import: the source, or where there are none, as in an image, its declarations. */
export function apiTypes(): string {
  const root = dirname(createRequire(import.meta.url).resolve(`${PACKAGE_NAME}/package.json`));
  const source = join(root, 'src/replay/analysis.ts');
  return existsSync(source) ? source : join(root, 'dist/src/replay/analysis.d.ts');
}
