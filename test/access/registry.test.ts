import { expect } from 'chai';
import { systemClock } from '../../infra/system/system.ts';
import { apiKeys, apiKeysProjection } from '../../projections/api-keys.ts';
import { createRegistryDocuments, KeyRegistry, ROOT_KEY_ID } from '../../src/service/access/registry.ts';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import { UnknownEvent } from '../../src/kernel/event-types.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import type { ReadModels } from '../../src/kernel/ports/read-store.ts';
import { deadLetterOf, deadLetters } from '../../src/kernel/projection/dead-letters.ts';
import { createUnitOfWork, dispatch, handlersByType } from '../../src/kernel/projection/unit-of-work.ts';
import { parkingCollectionsOf } from '../../src/kernel/projection/projection-runner.ts';
import { runGeneration } from '../../src/service/projector/generation-runner.ts';
import { builtInProjections } from '../../src/service/resources/built-in.ts';
import { failureOf } from '../support/failure.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { givenHistory, recorded, type HistoryEvent } from '../support/kernel/projecting.ts';
import { memoryReadModels, memoryReadStore } from '../support/read-store/memory-read-store.ts';

const ACME = 'acme';
const BETA = 'beta';
const RIG = 'rig';
const OTHER = 'other';

function issued(id: string, rigId: string | null): HistoryEvent {
  const data = {
    licenseId: ACME,
    name: 'Timing',
    role: 'CRUD',
    keyPrefix: `srt_${id}`,
    tokenHash: id,
    registration: id,
  };
  return { stream: `apiKey-${id}`, type: 'ApiKeyIssued', data: { ...data, rigId } };
}

const moved = { stream: `rig-${RIG}`, type: 'RigMovedToLicense', data: { from: ACME, to: BETA } };
const KEYS = [issued('1', RIG), issued('2', OTHER), issued('3', RIG), issued('4', null)];

/** The documents of a registry that starts from read models of a history. */
async function startedFrom(...history: readonly HistoryEvent[]) {
  const { models } = await givenHistory([apiKeysProjection], ...history);
  const changed: string[] = [];
  const sources = { models, store: memoryEventStore(), lineage: { expectSame: () => Promise.resolve() } };
  const documents = createRegistryDocuments(sources, (_, id) => changed.push(id));
  return { models, documents, changed };
}

describe('documents of the key registry', () => {
  it('end each key of a rig that moves to another licence', async () => {
    const { documents, changed } = await startedFrom(...KEYS);
    expect(await documents.checkpoint()).to.equal(KEYS.length);
    const unit = createUnitOfWork(documents);
    const events = recorded([...KEYS, moved]).slice(KEYS.length);
    expect(await dispatch(events, { handlers: handlersByType([apiKeysProjection]), unit })).to.equal(null);
    await unit.commit(KEYS.length + 1);
    expect(changed).to.deep.equal(['1', '3']);
    const enabled = [...documents.keys()].map((key) => [key.id, key.enabled]);
    expect(enabled).to.deep.equal([
      ['1', false],
      ['2', true],
      ['3', false],
      ['4', true],
    ]);
  });

  /** The documents of a registry that starts from read models beside which an event waits as a dead letter. */
  async function startedBeside(waiting: HistoryEvent) {
    const { models, documents } = await startedFrom(...KEYS);
    const [event] = recorded([...KEYS, waiting]).slice(KEYS.length);
    if (event === undefined) throw new Error('the history has no such event');
    const document = deadLetterOf(event, new Error('poison'));
    await models.apply([{ kind: 'insert', collection: deadLetters.collection, document }], null);
    return documents;
  }

  const revoked = { stream: 'apiKey-1', type: 'ApiKeyRevoked', data: {} };
  const disabled = { stream: `license-${ACME}`, type: 'LicenseDisabled', data: {} };
  for (const waiting of [moved, revoked, disabled]) {
    it(`are read from the events while a ${waiting.type} waits as a dead letter`, async () => {
      const documents = await startedBeside(waiting);
      expect(await documents.checkpoint()).to.equal(null);
      expect([...documents.keys()]).to.deep.equal([]);
    });
  }

  const used = { stream: 'apiKeyUsage-1', type: 'ApiKeyUsed', data: { licenseId: ACME, rigId: RIG } };
  const registered = { stream: `rig-${RIG}`, type: 'RigRegistered', data: { licenseId: ACME, hardwareId: 'hw' } };
  const renamed = { stream: 'participant-p', type: 'ParticipantRenamed', data: { firstName: 'A', lastName: 'B' } };
  for (const waiting of [used, registered, renamed]) {
    it(`are loaded while a ${waiting.type} waits as a dead letter`, async () => {
      const documents = await startedBeside(waiting);
      expect(await documents.checkpoint()).to.equal(KEYS.length);
      expect([...documents.keys()]).to.have.length(KEYS.length);
    });
  }

  it('are read from the events where a document lacks the newest event of its stream', async () => {
    const { models } = await givenHistory([apiKeysProjection], ...KEYS);
    const store = memoryEventStore();
    const [first, second] = recorded([issued('4', null), { ...revoked, stream: 'apiKey-4' }]);
    if (first === undefined || second === undefined) throw new Error('the history has two events');
    for (const { stream, position: _, revision: __, ...event } of [first, second])
      await store.append(stream, [event], 'any');
    const sources = { models, store, lineage: { expectSame: () => Promise.resolve() } };
    const documents = createRegistryDocuments(sources, () => undefined);
    expect(await documents.checkpoint()).to.equal(null);
    expect([...documents.keys()]).to.deep.equal([]);
  });

  it('are read from the events where an event of an unknown type came before the newest one of a key', async () => {
    const { models, store } = await projectedByService(issued('1', null), suspended, renamedKey);
    const sources = { models, store, lineage: { expectSame: () => Promise.resolve() } };
    const documents = createRegistryDocuments(sources, () => undefined);
    expect(await documents.checkpoint()).to.equal(null);
    expect([...documents.keys()]).to.deep.equal([]);
  });

  it('are read from the events where the read models do not say which rig a key was issued to', async () => {
    const { models, documents } = await startedFrom(...KEYS);
    const unset = { kind: 'unset', collection: apiKeys.collection, fields: ['_rigOfLicense'], position: 9 } as const;
    await models.apply(
      KEYS.map((_, n) => ({ ...unset, id: `${n + 1}` })),
      null,
    );
    expect(await documents.checkpoint()).to.equal(null);
    expect([...documents.keys()]).to.deep.equal([]);
  });
});

/** Ends the key, in a way that only a newer release knows. */
const suspended = { stream: 'apiKey-1', type: 'ApiKeySuspended', data: {} };
const renamedKey = { stream: 'apiKey-1', type: 'ApiKeyRenamed', data: { name: 'Renamed' } };

/** Read models as the service's own projector makes them of a history, and the events. */
async function projectedByService(...history: readonly HistoryEvent[]) {
  const store = memoryEventStore();
  let head = 0;
  for (const { stream, position: _, revision: __, ...event } of recorded(history))
    ({ position: head } = await store.append(stream, [event], 'any'));
  const collections = parkingCollectionsOf(builtInProjections);
  const models = await memoryReadStore().namespace('built-in', collections);
  const generations = { open: () => Promise.resolve(models) };
  const generation = await runGeneration({ store, generations, clock: systemClock, events: {} }, 'built-in');
  expect(await generation.checkpoint.waitFor(head, 10_000)).to.equal(true);
  await generation.stop();
  return { models, store };
}

describe('key registry', () => {
  const failAt = (error: Error): never => {
    throw error;
  };
  const registryOf = (
    store: EventStore,
    models: ReadModels = memoryReadModels(),
    onError: (error: Error) => void = failAt,
  ) => new KeyRegistry({ store, models, clock: systemClock, onError });

  it('admits nobody after a start if a newer release ended a key that this release has renamed', async () => {
    const { models, store } = await projectedByService(
      issued(ROOT_KEY_ID, null),
      issued('1', null),
      suspended,
      renamedKey,
    );
    const errors: Error[] = [];
    const registry = registryOf(store, models, (error) => errors.push(error));
    const stop = new AbortController();
    const running = registry.runner.run(stop.signal);
    const looked = await failureOf(registry.waitUntilUpToDate());
    expect(registry.isCurrent()).to.equal(false);
    expect(looked).to.be.instanceOf(StoreUnavailable);
    expect(errors[0]).to.have.property('cause').that.is.instanceOf(UnknownEvent);
    stop.abort();
    await running;
  });

  it('is current only once it has read the key of the root licence', async () => {
    const store = memoryEventStore();
    const registry = registryOf(store);
    const stop = new AbortController();
    const running = registry.runner.run(stop.signal);
    const current: boolean[] = [];
    for (const { stream, position: _, revision: __, ...event } of recorded([
      issued('1', null),
      issued(ROOT_KEY_ID, null),
    ])) {
      await store.append(stream, [event], 'no_stream');
      await registry.waitUntilUpToDate();
      current.push(registry.isCurrent());
    }
    expect(current).to.deep.equal([false, true]);
    stop.abort();
    await running;
  });

  it('continues after an unknown event of key usage, which cannot change rights', async () => {
    const store = memoryEventStore();
    const registry = registryOf(store);
    const stop = new AbortController();
    const running = registry.runner.run(stop.signal);
    const used = { stream: `apiKeyUsage-${ROOT_KEY_ID}`, type: 'ApiKeyUsed', data: { somethingElse: true } };
    const history = recorded([issued(ROOT_KEY_ID, null), used, { ...used, type: 'ApiKeySeen' }]);
    for (const { stream, position: _, revision: __, ...event } of history) {
      const metadata = { ...event.metadata, version: event.type === 'ApiKeyUsed' ? 2 : 1 };
      await store.append(stream, [{ ...event, metadata }], 'any');
    }
    await registry.waitUntilUpToDate();
    expect(registry.isCurrent()).to.equal(true);
    stop.abort();
    await running;
  });

  it('reads newer events once for all callers that ask before it begins', async () => {
    const looks: (() => void)[] = [];
    const head = () => new Promise<null>((resolve) => looks.push(() => resolve(null)));
    const registry = registryOf({ ...memoryEventStore(), head });
    const first = registry.waitUntilUpToDate();
    await new Promise(setImmediate);
    const others = [registry.waitUntilUpToDate(), registry.waitUntilUpToDate()];
    looks[0]?.();
    await first;
    await new Promise(setImmediate);
    expect(looks).to.have.length(2);
    looks[1]?.();
    await Promise.all(others);
    expect(looks).to.have.length(2);
  });
});
