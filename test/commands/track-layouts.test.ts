import { expect } from 'chai';
import { trackLayoutDecider, trackLayoutEvents, type TrackLayout } from '../../commands/track-layouts.ts';
import { systemClock, systemIds } from '../../infra/system/system.ts';
import { createCommandHandler } from '../../src/kernel/aggregate/command-handler.ts';
import { upcast } from '../../src/kernel/event-types.ts';
import { gathered, newEvent } from '../support/event-store/events.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { happened, given } from '../support/kernel/given.ts';

const layout: TrackLayout = {
  displayName: 'Grand Prix',
  slug: 'grand-prix',
  type: 'PERMANENT_ROAD',
  trackId: '00000000-0000-7000-8000-0000000000a1',
  length: 7004,
  firstUsage: 2007,
  lastUsage: -1,
  cornerCount: 1,
  cornerNames: ['La Source'],
  trackMap: 'TRACK/grand-prix.svg',
  trackImages: [],
  enabled: true,
  minLapTime: null,
};

describe('a track layout', () => {
  it('has no minimum of lap times until it is given one', () => {
    given(trackLayoutDecider, happened('TrackLayoutAdded', layout))
      .when({ type: 'Change', data: { minLapTime: 60_000 } })
      .then(happened('TrackLayoutMinLapTimeChanged', { minLapTime: 60_000 }));
    given(trackLayoutDecider, happened('TrackLayoutAdded', layout))
      .when({ type: 'Change', data: { minLapTime: null } })
      .thenNothing();
  });

  it('that version 1 of its event added is read as version 2, and changed as one', async () => {
    const store = memoryEventStore();
    const handler = createCommandHandler({ store, clock: systemClock, ids: systemIds });
    const { minLapTime: _, ...version1 } = layout;
    await store.append('trackLayout-old', [newEvent('TrackLayoutAdded', version1)], 'no_stream');
    const origin = { correlationId: 'r', deadline: Infinity };
    const change = (minLapTime: number | null) => {
      const commands = [{ type: 'Change', data: { minLapTime } } as const];
      return handler.handle({ decider: trackLayoutDecider, id: 'old', commands, origin });
    };
    expect(await change(null)).to.deep.include({ state: layout, recorded: false });
    expect(await change(60_000)).to.deep.include({ state: { ...layout, minLapTime: 60_000 }, recorded: true });

    const commands = [{ type: 'Add', data: layout } as const];
    await handler.handle({ decider: trackLayoutDecider, id: 'new', commands, origin });
    const added = (await gathered(store.readAll(null))).filter(({ type }) => type === 'TrackLayoutAdded');
    expect(added.map(({ metadata }) => metadata.version)).to.deep.equal([1, 2]);
    for (const event of added) expect(upcast(trackLayoutEvents, event)).to.deep.equal(layout);
  });
});
