import { extname } from 'node:path';

/** URL of what a module gets for `import … from 'sim-racing-timing'`: source or compiled, as this process runs. */
export const API_URL = new URL(`./analysis${extname(import.meta.url)}`, import.meta.url).href;
