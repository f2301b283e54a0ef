import { expect } from 'chai';
import type { CopyProgress, CopyResult } from '../../src/tools/history/copy.ts';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { copy, expectCopy, expectRefused, failingAfter, fill, historyOf } from '../support/history/copying.ts';
import { gathered, newEvent } from '../support/event-store/events.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { failureOf } from '../support/failure.ts';

describe('copy of a history', () => {
  let source: EventStore;
  let target: EventStore;
  beforeEach(() => {
    source = memoryEventStore();
    target = memoryEventStore();
  });

  it('keeps order, streams, revisions, ids, types, data and metadata; copies nothing of an empty store, and nothing twice', async () => {
    const none = { complete: true, there: 0, copied: 0, behind: false };
    expect(await copy(source, target)).to.deep.equal({ ...none, checked: { events: 0, streams: 0 } });
    await fill(source, 200);
    const history = await historyOf(source);
    const events = history.length;
    const streams = new Set(history.map(({ stream }) => stream)).size;
    expect(await copy(source, target)).to.deep.equal({ ...none, copied: events, checked: { events, streams } });
    expect(await copy(source, target)).to.deep.include({ ...none, there: events });
    await expectCopy(source, target);
  });

  it('can be resumed from every point', async () => {
    await fill(source, 30);
    const events = (await historyOf(source)).length;
    for (let appends = 0; appends < 30; appends++) {
      target = memoryEventStore();
      const failing = failingAfter(target, appends);
      expect(await failureOf(copy(source, failing))).to.be.instanceOf(StoreUnavailable);
      const before = (await historyOf(target)).length;
      expect(await copy(source, target)).to.deep.include({ there: before, copied: events - before });
      await expectCopy(source, target);
    }
  });

  for (const wavesInFlight of [1, 4]) {
    it(`stops at its signal with nothing in flight, and continues later (waves in flight: ${wavesInFlight})`, async () => {
      await fill(source, 1_100);
      const runs: CopyResult[] = [];
      do {
        const stop = new AbortController();
        const onProgress = ({ phase }: CopyProgress): void => {
          if (phase === 'copy' && runs.length < 3) stop.abort();
        };
        const run = await copy(source, target, { signal: stop.signal, onProgress, wavesInFlight });
        expect(run.there + run.copied).to.equal((await historyOf(target)).length);
        runs.push(run);
      } while (runs.at(-1)?.complete === false);
      expect(runs).to.have.lengthOf(4);
      for (const { complete, checked } of runs.slice(0, 3)) expect({ complete, checked }).to.include({ checked: null });
      await expectCopy(source, target);
    });
  }

  it('sends further waves before earlier ones are answered, within its limit of events in flight', async () => {
    await fill(source, 2_000);
    const inFlight = { events: 0, most: 0, pauses: 0 };
    const slow: EventStore = {
      ...target,
      append: async (...call) => {
        if (inFlight.events === 0) inFlight.pauses += 1;
        inFlight.events += call[1].length;
        inFlight.most = Math.max(inFlight.most, inFlight.events);
        const result = await target.append(...call);
        await new Promise((resolve) => setImmediate(resolve));
        inFlight.events -= call[1].length;
        return result;
      },
    };
    await copy(source, slow, { wavesInFlight: 4 });
    expect(inFlight.most).to.be.within(256, 512);
    expect(inFlight.pauses).to.equal(1);
    await expectCopy(source, target);
  });

  it('sends nothing more once an append has failed, and has nothing in flight then', async () => {
    await fill(source, 2_000);
    let appends = 0;
    let inFlight = 0;
    const failing: EventStore = {
      ...target,
      append: async (...call) => {
        appends += 1;
        inFlight += 1;
        const isBad = appends >= 700;
        await new Promise((resolve) => setImmediate(resolve));
        inFlight -= 1;
        if (isBad) throw new StoreUnavailable('away');
        return target.append(...call);
      },
    };
    expect(await failureOf(copy(source, failing, { wavesInFlight: 4 }))).to.be.instanceOf(StoreUnavailable);
    expect(inFlight).to.equal(0);
    expect(appends).to.be.below(700 + 512);
    expect(await copy(source, target)).to.deep.include({ complete: true });
    await expectCopy(source, target);
  });

  it('copies what arrives in the source meanwhile', async () => {
    await fill(source, 100);
    let arriving = 50;
    const onProgress = ({ phase }: CopyProgress): void => {
      if (phase === 'copy' && arriving-- > 0) void source.append('late', [newEvent()], 'any');
    };
    expect(await copy(source, target, { onProgress })).to.deep.include({ complete: true, behind: false });
    await expectCopy(source, target);
    expect((await historyOf(target)).filter(({ stream }) => stream === 'late')).not.to.be.empty;
  });

  describe('problems and progress', () => {
    beforeEach(() => fill(source, 20));

    it('refuses a target that was written to after an earlier copy', async () => {
      await copy(source, target);
      const foreign = newEvent('Foreign');
      await target.append('thing-0', [foreign], 'any');
      await expectRefused(copy(source, target), foreign.id, 'source has no event there');
      await source.append('thing-0', [newEvent()], 'any');
      await expectRefused(copy(source, target), foreign.id, 'where the source has');
    });

    it('refuses a target with the same ids and other contents', async () => {
      const [first = expect.fail('no event'), ...rest] = await gathered(source.readAll(null));
      for (const changed of [
        { type: 'Other' },
        { data: {} },
        { metadata: { ...first.metadata, correlationId: 'x' } },
      ]) {
        const other = memoryEventStore();
        await other.append(first.stream, [{ ...first, ...changed }], 'no_stream');
        await expectRefused(copy(source, other), 'other contents');
      }
      expect(rest).not.to.be.empty;
    });

    it('refuses, naming the stream, when someone else writes to the target meanwhile', async () => {
      const racing: EventStore = {
        ...target,
        append: async (stream, events, expected) => {
          await target.append(stream, [newEvent('Foreign')], 'any');
          return target.append(stream, events, expected);
        },
      };
      await expectRefused(copy(source, racing), 'stream thing-0 of the target should be absent');
    });

    it('notices in its final check a stream that someone else wrote to the target', async () => {
      let written = false;
      const onProgress = ({ phase }: CopyProgress): void => {
        if (phase === 'copy' && !written) void target.append('other', [newEvent('Foreign')], 'no_stream');
        written = true;
      };
      await expectRefused(copy(source, target, { onProgress }), 'stream other');
    });

    it('says when the source was written to during the final check', async () => {
      const onProgress = ({ phase }: CopyProgress): void => {
        if (phase === 'check') void source.append('late', [newEvent()], 'any');
      };
      expect(await copy(source, target, { onProgress })).to.deep.include({ complete: true, behind: true });
      expect(await copy(source, target)).to.deep.include({ complete: true, behind: false });
    });

    it('reports the progress of each phase, up to its end', async () => {
      const steps: CopyProgress[] = [];
      for (let runs = 0; runs < 2; runs += 1) await copy(source, target, { onProgress: (step) => steps.push(step) });
      const events = (await historyOf(source)).length;
      expect([...new Set(steps.map(({ phase }) => phase))]).to.deep.equal(['copy', 'check', 'compare']);
      for (const phase of ['copy', 'check', 'compare'] as const) {
        expect(steps.filter((step) => step.phase === phase).at(-1)).to.deep.equal({ phase, events, share: 1 });
      }
    });
  });
});
