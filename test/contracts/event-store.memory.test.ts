import { memoryEvents, memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { eventStoreContract } from './event-store.ts';

const events = memoryEvents();

eventStoreContract({
  name: 'memory',
  open: async () => memoryEventStore(events),
  openEmpty: async () => memoryEventStore(),
});
