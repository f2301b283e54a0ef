import { expect } from 'chai';
import { StoreUnavailable } from '../../../src/kernel/ports/errors.ts';
import type { EventStore } from '../../../src/kernel/ports/event-store.ts';
import { UnknownEvent } from '../../../src/kernel/event-types.ts';
import { deadLetters, DEAD_LETTER_RETRIED, retryStreamOf } from '../../../src/kernel/projection/dead-letters.ts';
import { projection, readModel } from '../../../src/kernel/projection/projection.ts';
import { PoisonEvent } from '../../../src/kernel/projection/unit-of-work.ts';
import { ProjectionRunner } from '../../../src/kernel/projection/projection-runner.ts';
import type { ReadModels } from '../../../src/kernel/ports/read-store.ts';
import { newEvent } from '../../support/event-store/events.ts';
import { memoryEventStore } from '../../support/event-store/memory-event-store.ts';
import { memoryReadModels } from '../../support/read-store/memory-read-store.ts';
import { leagueProjections, teamEvents, type TeamDocument } from '../../support/simulation/league.ts';
import { manualClock, settled } from '../../support/kernel/manual-clock.ts';

/** Starts runners that run until the test is over. */
function useRunners() {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  return (
    store: EventStore,
    models: ReadModels,
    { projections = leagueProjections, ...more }: Partial<ConstructorParameters<typeof ProjectionRunner>[0]> = {},
  ) => {
    const clock = manualClock();
    const stopping = new AbortController();
    const batches: number[] = [];
    const onBatch = (events: number): unknown => batches.push(events);
    const runner = new ProjectionRunner({ store, models, projections, clock, onBatch, ...more });
    const ended = runner.run(stopping.signal);
    const stop = (): void => stopping.abort();
    ends.push(() => {
      stop();
      return ended;
    });
    return { runner, clock, batches, stop, ended };
  };
}

type EventTuple = readonly [type: string, data?: object];

async function append(store: EventStore, stream: string, ...events: readonly EventTuple[]): Promise<number> {
  const added = events.map(([type, data]) => newEvent(type, { ...data }));
  return (await store.append(stream, added, 'any')).position;
}

const found = (store: EventStore, team = 'a') => append(store, `team-${team}`, ['TeamFounded', { name: team }]);
const rename = (store: EventStore, name: string) => append(store, 'team-a', ['TeamRenamed', { name }]);

describe('projection runner', () => {
  const running = useRunners();

  it('projects past and new events, and reports its checkpoint', async () => {
    const store = memoryEventStore();
    const models = memoryReadModels();
    const position = await found(store);
    const { runner, stop, ended, batches } = running(store, models);
    expect(await runner.waitFor(position, 1_000)).to.equal(true);
    expect(await models.checkpoint()).to.equal(position);
    expect(runner.status()).to.include({ state: 'running', checkpoint: position, caughtUp: true, error: null });
    const waiting = runner.waitFor(position + 1, 1_000);
    await rename(store, 'b');
    expect(await waiting).to.equal(true);
    expect(await models.get('teams', 'a')).to.include({ name: 'b', _position: 2, _revision: 1 });
    expect(runner.status().lastEventAt).to.equal('2026-01-02T03:04:05.678Z');
    stop();
    await ended;
    expect(runner.status().state).to.equal('stopped');
    expect(batches).to.deep.equal([1, 1]);
    expect(await runner.waitFor(99, 1_000), 'after the end').to.equal(false);
  });

  it('skips events that it does not handle, and moves its checkpoint', async () => {
    const store = memoryEventStore();
    const models = memoryReadModels();
    const { runner } = running(store, models);
    const position = await append(store, 'other-1', ['SomethingElse']);
    expect(await runner.waitFor(position, 1_000)).to.equal(true);
    expect(await models.checkpoint()).to.equal(position);
  });

  it('continues from its checkpoint', async () => {
    const store = memoryEventStore();
    const models = memoryReadModels();
    await found(store);
    await models.apply([], 1);
    await rename(store, 'b');
    await found(store, 'c');
    const { runner, batches } = running(store, models);
    expect(await runner.waitFor(3, 1_000)).to.equal(true);
    expect(batches).to.deep.equal([2]);
    expect(await models.get('teams', 'a'), 'inserted before the checkpoint').to.equal(null);
    expect(await models.get('teams', 'c')).to.include({ name: 'c' });
  });

  it('moves a document to the revision of its stream by every event there, and by no other', async () => {
    const store = memoryEventStore();
    const models = memoryReadModels();
    await found(store);
    await append(store, 'team-a', ['TeamCelebrated']);
    const joined = ['PlayerJoined', { teamId: 'a', name: 'P' }] as const;
    const last = await append(store, 'player-p', joined, ['PlayerMovedToTeam', { from: 'a', to: 'a' }]);
    const { runner } = running(store, models);
    expect(await runner.waitFor(last, 1_000)).to.equal(true);
    expect(await models.get('teams', 'a')).to.include({ lastLeft: 'p', _revision: 1, _position: 4 });
    expect(await models.get('players', 'p')).to.include({ teamName: 'a', _revision: 1, _position: 4 });
  });

  it('keeps its internal fields of a document when an event has fields of the same names', async () => {
    const store = memoryEventStore();
    const models = memoryReadModels();
    const foreign = { _created: 7, _position: 8, _revision: 9 };
    const last = await append(store, 'team-a', ['TeamFounded', { name: 'a', ...foreign }]);
    const { runner } = running(store, models);
    expect(await runner.waitFor(last, 1_000)).to.equal(true);
    expect(await models.get('teams', 'a')).to.include({ name: 'a', _created: 1, _position: 1, _revision: 0 });
  });
});

describe('projection runner after failures', () => {
  const running = useRunners();
  const named = readModel<TeamDocument>('named', { category: 'team', indexes: [] });
  const picky = projection(
    named,
    { own: teamEvents },
    {
      TeamFounded: ({ data, id }) => named.insert(id, { ...data, lastLeft: null }),
      TeamRenamed: ({ data, id }) => {
        if (data.name === 'poison') throw new Error('cannot project that');
        return named.set(id, data);
      },
      TeamCelebrated: () => null,
      CaptainNamed: () => null,
    },
  );

  it('stops at a poison event, reports type, stream and position, and ends all waits', async () => {
    const store = memoryEventStore();
    const models = memoryReadModels();
    const errors: Error[] = [];
    await found(store);
    const onError = (error: Error): unknown => errors.push(error);
    const { runner, ended } = running(store, models, { projections: [picky], onError });
    expect(await runner.waitFor(1, 1_000)).to.equal(true);
    const waiting = runner.waitFor(3, 1_000);
    await rename(store, 'poison');
    await rename(store, 'later');
    await ended;
    expect(await waiting).to.equal(false);
    const { state, error } = runner.status();
    expect(state).to.equal('stopped');
    expect(error).to.be.instanceOf(PoisonEvent);
    expect(error?.message).to.equal('TeamRenamed at position 2 of team-a could not be projected');
    expect(error?.cause).to.be.instanceOf(Error).with.property('message', 'cannot project that');
    expect(errors).to.deep.equal([error]);
    expect(await models.checkpoint()).to.equal(1);
    expect(await models.get('named', 'a')).to.include({ name: 'a' });
  });

  it('keeps what came before a poison event, even when both were delivered together', async () => {
    const store = memoryEventStore();
    const models = memoryReadModels();
    await found(store);
    await rename(store, 'good');
    await rename(store, 'poison');
    const { ended } = running(store, models, { projections: [picky] });
    await ended;
    expect(await models.checkpoint()).to.equal(2);
    expect(await models.get('named', 'a')).to.include({ name: 'good' });
  });

  it('stops at an event of an unknown version, and reports no outage of the store', async () => {
    const store = memoryEventStore();
    const models = memoryReadModels();
    const event = newEvent('TeamFounded', { name: 'a' });
    await store.append('team-a', [{ ...event, metadata: { ...event.metadata, version: 2 } }], 'any');
    const { runner, ended } = running(store, models, { projections: [picky] });
    await ended;
    expect(runner.status().error).to.be.instanceOf(PoisonEvent).with.property('cause').that.is.instanceOf(UnknownEvent);
  });

  it('skips events of unknown types, and reports those in its own streams', async () => {
    const store = memoryEventStore();
    const models = memoryReadModels();
    await found(store);
    await append(store, 'team-a', ['TeamSold'], ['CaptainNamed', { playerId: 'p' }]);
    await append(store, 'elsewhere-1', ['SomethingElse']);
    const last = await append(store, 'team-a', ['TeamMeasured']);
    const unknown: string[] = [];
    const { runner } = running(store, models, {
      unknown: {
        known: new Set([...Object.keys(teamEvents), 'TeamMeasured']),
        onUnknown: ({ type, position }) => unknown.push(`${type} at ${position}`),
      },
    });
    expect(await runner.waitFor(last, 1_000)).to.equal(true);
    expect(unknown).to.deep.equal(['TeamSold at 2']);
    expect(await models.get('teams', 'a')).to.include({ name: 'a', _revision: 2 });
  });

  it('parks events of unknown types in categories where none may be skipped, also on retry', async () => {
    const store = memoryEventStore();
    const models = memoryReadModels();
    await found(store);
    await append(store, 'team-a', ['TeamSold']);
    await rename(store, 'b');
    await append(store, 'elsewhere-1', ['SomethingElse']);
    const last = await append(store, retryStreamOf('g'), [DEAD_LETTER_RETRIED, { letter: 'team-a:1' }]);
    const unknown: string[] = [];
    const { runner } = running(store, models, {
      deadLetterStore: models,
      complete: ['team'],
      unknown: { known: new Set(Object.keys(teamEvents)), onUnknown: ({ type }) => unknown.push(type) },
    });
    expect(await runner.waitFor(last, 1_000)).to.equal(true);
    expect(unknown).to.deep.equal([]);
    expect(await models.get('teams', 'a')).to.include({ name: 'a', _revision: 0 });
    expect(await models.get(deadLetters.collection, 'team-a:1')).to.include({
      type: 'TeamSold',
      unknown: true,
      projection: null,
      retries: 1,
      waiting: true,
    });
    expect(await models.get(deadLetters.collection, 'team-a:2')).to.include({ type: 'TeamRenamed', waiting: true });
  });

  it('continues from the checkpoint when a store comes back, with longer pauses between attempts', async () => {
    const store = memoryEventStore();
    const models = memoryReadModels();
    let away = 5;
    const errors: Error[] = [];
    const failing: ReadModels = {
      ...models,
      apply: async (changes, checkpoint) => {
        // What is written before the failure is written again.
        if (away-- > 0) await models.apply(changes.slice(0, 1), (await models.checkpoint()) ?? 0);
        if (away >= 0) throw new StoreUnavailable('away');
        return models.apply(changes, checkpoint);
      },
    };
    await found(store);
    await rename(store, 'b');
    const { runner, clock } = running(store, failing, { projections: [picky], onError: (error) => errors.push(error) });
    const waits: number[] = [];
    await settled();
    while (clock.pending().length > 0) {
      expect(runner.status()).to.include({ state: 'retrying', checkpoint: waits.length === 0 ? null : 0 });
      const [wait = 0] = clock.pending();
      waits.push(wait);
      clock.pass(wait);
      await settled();
    }
    expect(waits).to.deep.equal([50, 50, 100, 200, 400]);
    expect(errors).to.have.lengthOf(5);
    expect(await runner.waitFor(2, 1_000)).to.equal(true);
    expect(runner.status()).to.include({ state: 'running', error: null, checkpoint: 2 });
    expect(await models.get('named', 'a')).to.include({ name: 'b', _revision: 1, _position: 2 });
  });

  it('halves its batches while a read store is too slow for them, and enlarges them once it is quick', async () => {
    const store = memoryEventStore();
    const models = memoryReadModels();
    let most = 3;
    const slow: ReadModels = {
      ...models,
      apply: async (changes, checkpoint) => {
        if (changes.length > most) throw new StoreUnavailable('too slow for so many');
        await models.apply(changes, checkpoint);
      },
    };
    for (let n = 0; n < 200; n++) await found(store, `t${n}`);
    const { runner, clock, batches } = running(store, slow);
    const largestUntil = async (position: number): Promise<number> => {
      const before = batches.length;
      for (let failures = 0; !(await runner.waitFor(position, 0)) && failures < 100; failures++) {
        await settled();
        clock.pass(clock.pending()[0] ?? 0);
      }
      return Math.max(...batches.slice(before));
    };
    expect(await largestUntil(64)).to.equal(3);
    most = Infinity;
    expect(await largestUntil(200)).to.be.greaterThan(6);
    expect(runner.status()).to.include({ state: 'running', checkpoint: 200 });
  });

  it('waits one second at most, and not at all once it is stopped', async () => {
    const models = memoryReadModels();
    const gone: ReadModels = { ...models, checkpoint: () => Promise.reject(new StoreUnavailable('gone')) };
    const { clock, stop, ended, runner } = running(memoryEventStore(), gone);
    for (let tries = 0; tries < 12; tries++) {
      await settled();
      clock.pass(clock.pending()[0] ?? 0);
    }
    await settled();
    expect(clock.pending()).to.deep.equal([1_000]);
    stop();
    await ended;
    expect(runner.status().state).to.equal('stopped');
    expect(clock.pending()).to.deep.equal([]);
  });
});
