import { memoryReadStore } from '../support/memory-read-store.ts';
import { readStoreContract } from './read-store.ts';

const store = memoryReadStore();

readStoreContract({ name: 'memory', open: async () => store });
