import { expect } from 'chai';
import type { Delivery } from '../../src/kernel/ports/event-store.ts';
import { systemProcesses } from '../../infra/system/processes.ts';
import { inSmallBatches } from '../../src/service/projector/generation-runner.ts';
import { PROJECTOR_LEASE } from '../../src/service/projector/leases.ts';
import { newEvents } from '../support/event-store/events.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { memoryReadStore } from '../support/read-store/memory-read-store.ts';

const EVENTS = 200;

/** The deliveries of a whole history, which the store hands out in one. */
async function delivered(holder: string | null): Promise<Delivery[]> {
  const store = memoryEventStore(undefined, EVENTS);
  const registers = memoryReadStore();
  await store.append('thing-1', newEvents(EVENTS), 'no_stream');
  await registers.writeRegister(PROJECTOR_LEASE, { holder, fence: 1 }, 0);
  const enough = new AbortController();
  const all: Delivery[] = [];
  const inParts = inSmallBatches({ readStore: registers, processes: systemProcesses });
  for await (const delivery of store.subscribe(null, null, enough.signal)) {
    for await (const part of inParts(delivery, enough.signal)) all.push(part);
    if (delivery.caughtUp) enough.abort();
  }
  return all;
}

const sizes = (deliveries: readonly Delivery[]): number[] => deliveries.map(({ events }) => events.length);

describe('projecting beside another process', () => {
  it('projects complete deliveries while no other process projects', async () => {
    expect(sizes(await delivered(null))).to.deep.equal([EVENTS]);
    const ended = systemProcesses.newName();
    systemProcesses.retire(ended);
    expect(sizes(await delivered(ended))).to.deep.equal([EVENTS]);
  });

  it('projects in small batches while another process projects', async () => {
    const parts = await delivered(systemProcesses.newName());
    expect(sizes(parts)).to.deep.equal([64, 64, 64, 8]);
    expect(parts.map(({ upTo }) => upTo)).to.deep.equal([64, 128, 192, EVENTS]);
    expect(parts.flatMap(({ events }) => events.map(({ position }) => position))).to.deep.equal(
      Array.from({ length: EVENTS }, (_, n) => n + 1),
    );
    expect(parts.map(({ caughtUp }) => caughtUp)).to.deep.equal([false, false, false, true]);
  });
});
