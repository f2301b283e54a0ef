import { memoryReadStore } from '../support/read-store/memory-read-store.ts';
import { readStoreContract } from './read-store.ts';

const store = memoryReadStore();

readStoreContract({ name: 'memory', open: async () => store, many: 600 });
