import { memoryEvents, memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { eventStoreContract } from './event-store.ts';

const events = memoryEvents();

// Twice on the same events: a law leaves nothing behind that another run of it, on one server, would stumble on.
for (const name of ['memory', 'memory, once more'])
  eventStoreContract({ name, open: async () => memoryEventStore(events), openEmpty: async () => memoryEventStore() });
