import { expect } from 'chai';
import { lapDecider, Lap, lapEvents, type LapCommand } from '../../commands/laps.ts';
import { createCommandHandler } from '../../src/kernel/aggregate/command-handler.ts';
import { InvalidNewEvent } from '../../src/kernel/aggregate/new-event.ts';
import { EVENT_TYPES } from '../../src/service/resources/built-in.ts';
import { faultOf } from '../../src/kernel/event-types.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { systemClock, systemIds } from '../../infra/system/system.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { recorded } from '../support/kernel/projecting.ts';
import { failureOf } from '../support/failure.ts';

const id = '00000000-0000-7000-8000-0000000000a1';
const lap = {
  participantId: id,
  rigId: id,
  eventId: id,
  carId: id,
  trackId: id,
  sectors: [31_000],
  totalTime: 108_000,
  valid: true,
};

describe('the schemas of events', () => {
  it('take what was stored when the bounds of bodies were others', () => {
    const stored = { ...lap, sectors: Array.from({ length: 100 }, () => -1), totalTime: -5, rigId: 'RIG 7' };
    expect(lapEvents.LapRecorded.schema.parse(stored)).to.deep.equal(stored);
    const faulty = new Set(Lap.safeParse(stored).error?.issues.map(({ path: [field] }) => field));
    expect([...faulty]).to.have.members(['rigId', 'sectors', 'totalTime']);
  });

  it('hold for each event that a command records', async () => {
    const handler = createCommandHandler({ store: memoryEventStore(), clock: systemClock, ids: systemIds });
    const origin = { correlationId: 'test', deadline: Infinity };
    for (const more of [{ totalTime: '108' }, { colour: 'red' }]) {
      // What a fault of ours would make, past the compiler.
      const command = { type: 'RecordLap', data: { ...lap, ...more } } as unknown as LapCommand;
      const failed = handler.handle({ decider: lapDecider, id, commands: [command], origin, fresh: true });
      expect(await failureOf(failed)).to.be.instanceOf(InvalidNewEvent);
    }
  });

  it('say what is wrong with an event from elsewhere, and judge none of another release', () => {
    const fault = (type: string, data: JsonObject, version = 1) =>
      recorded([{ stream: 'lap-1', type, data, version }]).map((event) => faultOf(EVENT_TYPES, event))[0];
    expect(fault('LapRecorded', lap)).to.equal(null);
    expect(fault('LapRecorded', { ...lap, valid: 'yes' })).to.match(/valid/);
    expect(fault('KeyClaimed', { owner: 'rig-1', revision: 0, events: [{}] })).to.match(/events/);
    expect(fault('LapRecorded', {}, 2)).to.equal(null);
    expect(fault('LapPainted', {})).to.equal(null);
  });
});
