/** `src/service/resources/index.ts` with pit stops. */
import { RESOURCES as BUILT_IN_RESOURCES } from '../../../src/service/resources/index.ts';
import { pitStopResource } from './resource.ts';

export { PARTS } from '../../../src/service/resources/index.ts';

export const RESOURCES = [...BUILT_IN_RESOURCES, pitStopResource];
