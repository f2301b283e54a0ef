import { expect } from 'chai';
import { laps } from '../../projections/laps.ts';
import { WideChanges } from '../../src/service/api/wide-changes.ts';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { ReadModels } from '../../src/kernel/ports/read-store.ts';
import { createCheckpointNotifier } from '../../src/kernel/projection/checkpoint-waiter.ts';
import type { ProjectionEvent } from '../../src/kernel/projection/projection.ts';
import { FAN_OUTS } from '../../src/service/resources/fan-outs.ts';
import { builtInProjections } from '../../src/service/resources/built-in.ts';
import { failureOf } from '../support/failure.ts';
import { manualClock, passing, settled } from '../support/kernel/manual-clock.ts';
import { memoryReadModels } from '../support/read-store/memory-read-store.ts';

const ID = '00000000-0000-7000-8000-000000000001';

/** A fan-out by something else than the id of what has changed: the few keys of a rig. */
const BY_OTHERS: ReadonlySet<string> = new Set(['RigMovedToLicense']);

/** What the projections do with any event: all values of its data are the same text. */
async function fanOutsByType(): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  const data: Record<string, unknown> = new Proxy({}, { get: () => 'value' });
  // An event of no type, of which handlers read only data and id; those of laps need more, and reach no other document.
  const event = { data, id: ID, at: '', recorded: { revision: 1, metadata: {} } } as unknown as ProjectionEvent<never>;
  for (const { model, on } of builtInProjections) {
    for (const [type, run] of on) {
      if (type.startsWith('Lap') || BY_OTHERS.has(type)) continue;
      const effects = await run(
        event,
        () => null,
        async function* () {},
      );
      for (const effect of [effects ?? []].flat()) {
        if (effect.kind !== 'setWhere') continue;
        expect(effect.value, `${type} in ${model.collection}`).to.equal(ID);
        (found[type] ??= []).push(`${model.collection}.${effect.field}`);
      }
    }
  }
  return found;
}

/** Changes over read models in which everything is named by so many laps. */
function changesOf(count: number | Error) {
  const clock = manualClock();
  const checkpointWaiter = createCheckpointNotifier(clock, 0);
  const charged: number[] = [];
  const models: ReadModels = {
    ...memoryReadModels(),
    count: async (collection) => {
      if (count instanceof Error) throw count;
      return collection === laps.collection ? count : 0;
    },
  };
  const changes = new WideChanges({ models, checkpointWaiter, clock });
  let position = 0;
  const changeUsage = { requireShare: () => undefined, charge: (documents: number) => void charged.push(documents) };
  const record = (id: string, { licenseId = 'a', type = 'ParticipantRenamed', deadline = Infinity } = {}) =>
    changes.record(
      { caller: { licenseId }, deadline, changeUsage },
      { category: 'participant', id, commands: [] },
      async () => {
        position += 1;
        return { position, events: [type] };
      },
    );
  return { clock, checkpointWaiter, charged, record };
}

describe('changes that reach many records', () => {
  it('are exactly the changes that projections fan out', async () => {
    const declared: Record<string, readonly string[]> = {};
    for (const byType of Object.values(FAN_OUTS)) {
      for (const [type, reached] of Object.entries(byType))
        declared[type] = reached.map(({ collection, field }) => `${collection}.${field}`).sort();
    }
    const found = await fanOutsByType();
    for (const reached of Object.values(found)) reached.sort();
    expect(declared).to.deep.equal(found);
  });

  it('are charged for the affected records, unless nothing was recorded', async () => {
    const { record, charged } = changesOf(400);
    await record('p1');
    await record('p1');
    await record('p2', { type: 'ParticipantContactChanged' });
    expect(charged).to.deep.equal([400, 400]);
  });

  it('wait for many earlier ones of their licence, but not for those of other licences', async () => {
    const { record, clock, checkpointWaiter } = changesOf(4_000);
    await record('p1');
    await record('p2');
    await record('p3', { licenseId: 'b' });
    let isRecorded = false;
    const third = record('p3').then(() => (isRecorded = true));
    await passing(clock, 800);
    expect(isRecorded, 'before the others are written').to.equal(false);
    checkpointWaiter.advance(3);
    await passing(clock, 100);
    await third;
  });

  it('are limited per second and licence, whatever else it does and however often it repeats one change', async () => {
    const { record, clock, checkpointWaiter } = changesOf(2_000);
    const startedAt = clock.monotonic();
    const times: number[] = [];
    let position = 0;
    const all = (async () => {
      for (let n = 0; n < 10; n += 1) {
        await record('p1');
        times.push(clock.monotonic() - startedAt);
        // It is written at once.
        checkpointWaiter.advance((position += 1));
      }
    })();
    await passing(clock, 4_000);
    await all;
    // 2,000 documents are 400 ms, and those of 1 s come at once.
    expect(times.filter((ms) => ms <= 100)).to.have.length(3);
    expect(times.at(-1)).to.be.within(9 * 400 - 1_000, 9 * 400 - 1_000 + 200);
    await record('p2', { licenseId: 'b' });
  });

  it('leave their share to others if nothing was recorded', async () => {
    const { record, checkpointWaiter } = changesOf(9_000);
    for (let n = 0; n < 5; n += 1) {
      await record(`p${n}`, { type: 'ParticipantContactChanged' });
      checkpointWaiter.advance(n + 1);
    }
    await record('p9');
  });

  it('are refused when earlier ones take too long, or too many wait', async () => {
    const { record, clock } = changesOf(20_000);
    await record('p1');
    const waiting = Array.from({ length: 20 }, (_, n) => failureOf(record(`q${n}`)));
    await settled();
    expect(await failureOf(record('one more'))).to.include({ code: 'TOO_MANY_REQUESTS' });
    await passing(clock, 1_200);
    for (const error of await Promise.all(waiting)) expect(error).to.include({ code: 'TOO_MANY_REQUESTS' });
  });

  it('do not need the read store while it is unavailable', async () => {
    const { record, charged } = changesOf(new StoreUnavailable('away'));
    await record('p1');
    expect(charged).to.deep.equal([]);
  });
});
