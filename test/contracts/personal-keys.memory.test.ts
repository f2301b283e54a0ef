import { memoryKeys } from '../support/personal/memory-keys.ts';
import { personalKeysContract } from './personal-keys.ts';

const keys = memoryKeys();

personalKeysContract({ name: 'memory', open: async () => keys });
