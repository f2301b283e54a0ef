import { extname } from 'node:path';

/** The name under which a module imports what this package exports. */
export const PACKAGE_NAME = 'sim-racing-timing';

/** URL of what a module gets for that import: source or compiled, as this process runs. */
export const API_URL = new URL(`./analysis${extname(import.meta.url)}`, import.meta.url).href;
