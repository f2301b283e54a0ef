import { expect } from 'chai';
import { z } from 'zod';
import { participantEvents } from '../../../commands/participants.ts';
import { aesCipher } from '../../../infra/system/cipher.ts';
import { fieldsMarked, marked, Text } from '../../../src/domain/facts.ts';
import { erasingEvent, personalEvents } from '../../../src/domain/personal-events.ts';
import { claimEvents, claimToJson } from '../../../src/kernel/aggregate/claims.ts';
import { eventType, type EventTypes } from '../../../src/kernel/event-types.ts';
import type { JsonObject } from '../../../src/kernel/json.ts';
import { applyErasures } from '../../../src/kernel/personal/apply-erasures.ts';
import { KEY_CACHE_MS } from '../../../src/kernel/personal/key-cache.ts';
import { PersonalTypes } from '../../../src/kernel/personal/personal-values.ts';
import { hasPlainValues, sealedStore } from '../../../src/kernel/personal/sealed-store.ts';
import type { EventStore, NewEvent, RecordedEvent } from '../../../src/kernel/ports/event-store.ts';
import type { PersonalKeys } from '../../../src/kernel/ports/personal-keys.ts';
import { EVENT_TYPES } from '../../../src/service/resources/built-in.ts';
import { eventStoreContract } from '../../contracts/event-store.ts';
import { deliveriesUntil, gathered, newEvent, never } from '../../support/event-store/events.ts';
import { memoryEvents, memoryEventStore, type MemoryEvents } from '../../support/event-store/memory-event-store.ts';
import { failureOf } from '../../support/failure.ts';
import { manualClock, type ManualClock } from '../../support/kernel/manual-clock.ts';
import { memoryKeys } from '../../support/personal/memory-keys.ts';

const ERASED = { name: 'Erased', email: '' };
const ADA: JsonObject = { name: 'Ada Canary', email: 'ada@canary.example', size: 'M' };
const STREAM = 'person-1';
const OTHER = 'person-2';
const ERASED_AT = '2026-03-01T18:00:00.000Z';

const TYPES: EventTypes = {
  ...personalEvents(ERASED, {
    PersonAdded: eventType(z.object({ name: marked('personal', Text), email: marked('contact', Text), size: Text })),
    PersonErased: erasingEvent(),
  }),
  // Of two people: of the stream's, and of the one who looks after them.
  GuardianNamed: {
    ...eventType(z.object({ name: Text, guardianId: Text, guardianName: Text })),
    personal: [
      { subject: 'stream', erased: { name: 'Erased' } },
      { subject: { category: 'person', field: 'guardianId' }, erased: { guardianName: 'Erased' } },
    ],
  },
  ThingHappened: eventType(z.object({})),
  ...claimEvents,
};

/** An event with the fingerprint of the body that it came from. */
function withFingerprint(event: NewEvent): NewEvent {
  return { ...event, metadata: { ...event.metadata, fingerprint: 'canary-fingerprint' } };
}

describe('sealed event store', () => {
  let events: MemoryEvents;
  let below: EventStore;
  let keys: PersonalKeys;
  let clock: ManualClock;
  let store: EventStore;
  beforeEach(() => {
    events = memoryEvents();
    below = memoryEventStore(events);
    keys = memoryKeys();
    clock = manualClock();
    store = open();
  });

  /** The store as another process opens it. */
  function open(): EventStore {
    return sealedStore({ store: below, types: TYPES, keys, cipher: aesCipher, clock });
  }

  const storedText = (): string => JSON.stringify(events.all);

  async function only(from: EventStore, stream = STREAM): Promise<RecordedEvent> {
    const [event] = await gathered(from.readStream(stream));
    if (event === undefined) throw new Error(`there is no event in ${stream}`);
    return event;
  }

  it('keeps no personal value that can be read, and returns each by every read', async () => {
    const added = withFingerprint(newEvent('PersonAdded', ADA));
    await store.append(STREAM, [added], 'no_stream');
    expect(storedText()).not.to.match(/canary/i);
    expect(events.all[0]?.data['size']).to.equal('M');
    const subscribed = await deliveriesUntil(store.subscribe(null, null, never()), ({ caughtUp }) => caughtUp);
    const reads = [
      await only(store),
      await only(open()),
      await store.readNewest(STREAM),
      (await gathered(store.readAll(null)))[0],
      subscribed.flatMap((delivery) => delivery.events)[0],
    ];
    for (const event of reads) expect(event).to.deep.equal({ ...added, stream: STREAM, revision: 0, position: 1 });
  });

  it('seals what a claim announces, under the key of the stream that it is for', async () => {
    const added = withFingerprint(newEvent('PersonAdded', ADA));
    const claim = claimToJson({ owner: STREAM, revision: 'no_stream', events: [added] });
    await store.append('personEmail-1', [newEvent('KeyClaimed', claim)], 'no_stream');
    expect(storedText()).not.to.match(/canary/i);
    const found = await open().readNewest('personEmail-1');
    expect(found?.data).to.deep.equal(claim);
    await keys.erase(STREAM, ERASED_AT);
    const erased = await open().readNewest('personEmail-1');
    expect(JSON.stringify(erased?.data)).not.to.match(/canary/i);
  });

  it('passes events without personal values as they are, and claims of such events', async () => {
    const thing = newEvent('ThingHappened', { name: 'a thing' });
    const claim = newEvent('KeyClaimed', claimToJson({ owner: 'thing-1', revision: 'no_stream', events: [thing] }));
    await store.append('thing-1', [thing], 'no_stream');
    await store.append('thingName-1', [claim], 'no_stream');
    expect(events.all.map(({ data }) => data)).to.deep.equal([thing.data, claim.data]);
    expect((await gathered(store.readAll(null)))[1]?.data).to.deep.equal(claim.data);
  });

  it('reads values of earlier releases as they are, until the person is erased', async () => {
    await below.append(STREAM, [newEvent('PersonAdded', ADA)], 'no_stream');
    expect((await only(store)).data).to.deep.equal(ADA);
    await keys.erase(STREAM, ERASED_AT);
    expect((await only(open())).data).to.deep.equal({ ...ERASED, size: 'M' });
  });

  it('shows the declared values of an erased person, and no fingerprint', async () => {
    await store.append(STREAM, [withFingerprint(newEvent('PersonAdded', ADA))], 'no_stream');
    await keys.erase(STREAM, ERASED_AT);
    const { data, metadata } = await only(open());
    expect(data).to.deep.equal({ ...ERASED, size: 'M' });
    expect(metadata.fingerprint).to.equal('');
  });

  it('keeps the fields of two people under the key of each', async () => {
    const named = { name: 'Kim Canary', guardianId: '2', guardianName: 'Pat Canary' };
    await store.append(STREAM, [newEvent('GuardianNamed', named)], 'no_stream');
    expect(storedText()).not.to.match(/canary/i);
    await keys.erase(OTHER, ERASED_AT);
    expect((await only(open())).data).to.deep.equal({ ...named, guardianName: 'Erased' });
  });

  it('drops a key as soon as it has read of the erasure', async () => {
    await store.append(STREAM, [newEvent('PersonAdded', ADA)], 'no_stream');
    await below.append(STREAM, [newEvent('PersonErased')], 0);
    await keys.erase(STREAM, ERASED_AT);
    expect((await only(store)).data, 'the read that tells of it').to.deep.equal({ ...ERASED, size: 'M' });
  });

  it('uses a key that it has in memory for a bounded time', async () => {
    await store.append(STREAM, [newEvent('PersonAdded', ADA)], 'no_stream');
    await keys.erase(STREAM, ERASED_AT);
    expect((await only(store)).data).to.deep.equal(ADA);
    clock.pass(KEY_CACHE_MS);
    expect((await only(store)).data).to.deep.equal({ ...ERASED, size: 'M' });
  });

  it('writes nothing new of an erased person: the command is decided again', async () => {
    await keys.erase(STREAM, ERASED_AT);
    const failure = await failureOf(store.append(STREAM, [newEvent('PersonAdded', ADA)], 'no_stream'));
    expect(failure).to.include({ name: 'WrongExpectedRevision' });
    expect(events.all).to.deep.equal([]);
  });

  it('finds a key that another process has made since it found none', async () => {
    await below.append(STREAM, [newEvent('PersonAdded', ADA)], 'no_stream');
    await only(store);
    await open().append(STREAM, [newEvent('PersonAdded', { ...ADA, name: 'Ada Second' })], 0);
    expect((await store.readNewest(STREAM))?.data['name']).to.equal('Ada Second');
  });

  it('fails where a key is missing, and where a value was moved to another place', async () => {
    await store.append(STREAM, [newEvent('PersonAdded', ADA)], 'no_stream');
    const withoutKeys = sealedStore({ store: below, types: TYPES, keys: memoryKeys(), cipher: aesCipher, clock });
    const missing = await failureOf(only(withoutKeys));
    expect(missing).to.include({ name: 'StoreUnavailable' });
    expect(String(missing)).to.contain(`the key of ${STREAM} is not in the key store`);
    const [sealed] = events.all;
    const moved = { ...newEvent('PersonAdded', sealed?.data) };
    await below.append(STREAM, [moved], 0);
    expect(String(await failureOf(gathered(store.readStream(STREAM))))).to.contain('cannot be decrypted');
  });

  it('says which events hold values that anybody can read', async () => {
    const types = new PersonalTypes(TYPES);
    await below.append(STREAM, [newEvent('PersonAdded', ADA)], 'no_stream');
    await store.append(OTHER, [newEvent('PersonAdded', ADA)], 'no_stream');
    const [plain, sealed] = events.all;
    if (plain === undefined || sealed === undefined) throw new Error('two events were appended');
    expect(hasPlainValues(types, plain, STREAM)).to.equal(true);
    expect(hasPlainValues(types, plain, OTHER)).to.equal(false);
    expect(hasPlainValues(types, sealed, OTHER)).to.equal(false);
  });

  describe('applied erasures', () => {
    it('reach a key store that was restored from before them', async () => {
      await store.append(STREAM, [newEvent('PersonAdded', ADA)], 'no_stream');
      await store.append(STREAM, [newEvent('PersonErased')], 0);
      await applyErasures(below, TYPES, keys);
      expect((await only(open())).data).to.deep.equal({ ...ERASED, size: 'M' });
      expect(await keys.appliedUpTo()).to.deep.equal({ history: events.all[0]?.id, position: 2 });
      await store.append(OTHER, [newEvent('PersonAdded', ADA), newEvent('PersonErased')], 'no_stream');
      await applyErasures(below, TYPES, keys);
      expect((await keys.find([OTHER])).get(OTHER)).to.equal(null);
    });

    it('are read from the start where the key store is of another history', async () => {
      await keys.setAppliedUpTo({ history: 'another', position: 1_000 });
      await below.append(STREAM, [newEvent('PersonErased')], 'no_stream');
      await applyErasures(below, TYPES, keys);
      expect((await keys.find([STREAM])).get(STREAM)).to.equal(null);
    });
  });
});

describe('personal fields of participants', () => {
  it('are declared for every field that is marked as personal or contact', () => {
    for (const [name, type] of Object.entries(EVENT_TYPES)) {
      if (!(name in participantEvents)) continue;
      const fields = fieldsMarked(type.schema, 'personal', 'contact');
      const declared = (type.personal ?? []).flatMap(({ erased }) => Object.keys(erased));
      expect(declared, name).to.have.members([...fields]);
    }
    expect(EVENT_TYPES['ParticipantRegistered']?.personal).to.have.length(1);
    expect(new PersonalTypes(EVENT_TYPES).erasing).to.deep.equal(['ParticipantErased']);
  });
});

const contractEvents = memoryEvents();
const contractKeys = memoryKeys();
const SEALED_THINGS: EventTypes = {
  ThingHappened: { ...eventType(z.object({})), personal: [{ subject: 'stream', erased: { n: null } }] },
};

eventStoreContract({
  name: 'memory, sealed',
  open: async () => sealedThings(memoryEventStore(contractEvents), contractKeys),
  openEmpty: async () => sealedThings(memoryEventStore(), memoryKeys()),
});

/** A store that seals what the events of the contract hold. */
function sealedThings(store: EventStore, keys: PersonalKeys): EventStore {
  return sealedStore({ store, types: SEALED_THINGS, keys, cipher: aesCipher, clock: manualClock() });
}
