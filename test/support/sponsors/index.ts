/** `src/service/resources/index.ts` with sponsors. */
import { RESOURCES as BUILT_IN_RESOURCES } from '../../../src/service/resources/index.ts';
import { sponsorResource } from './resource.ts';

export { PARTS } from '../../../src/service/resources/index.ts';

export const RESOURCES = [...BUILT_IN_RESOURCES, sponsorResource];
