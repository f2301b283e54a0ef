import { KeyCache } from './key-cache.ts';
import { PersonalTypes, type PersonalValue } from './personal-values.ts';
import { openValue, sealedTextOf, sealValue } from './sealed-values.ts';
import type { EventTypes } from '../event-types.ts';
import type { Json } from '../json.ts';
import { StoreUnavailable, WrongExpectedRevision } from '../ports/errors.ts';
import type { AppendResult, Delivery, EventStore, ExpectedRevision } from '../ports/event-store.ts';
import type { NewEvent, RecordedEvent } from '../ports/event-store.ts';
import type { Cipher, PersonalKeys } from '../ports/personal-keys.ts';
import type { Clock } from '../ports/system.ts';

/** What a sealed store is made of. It closes the store and the keys with itself. */
export interface SealedStoreOptions {
  /** The store that keeps sealed values. */
  readonly store: EventStore;
  readonly types: EventTypes;
  readonly keys: PersonalKeys;
  readonly cipher: Cipher;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/**
 * Thrown where an append has personal values of somebody who was erased meanwhile; nothing was appended. As their stream
 * has moved on, the command is decided again, on what it holds now.
 */
export class SubjectErased extends WrongExpectedRevision {}

/** Thrown where a personal value is sealed under a key that the key store does not have. */
export class KeyMissing extends StoreUnavailable {
  constructor(subject: string) {
    super(
      `the key of ${subject} is not in the key store: restore the newest backup of the key store ` +
        '(docs/architecture.md#personal-data)',
    );
  }
}

type Keys = ReadonlyMap<string, Uint8Array | null | undefined>;

/**
 * An event store that seals personal values as they are appended, and opens them as they are read
 * (docs/architecture.md#personal-data). Whatever is sealed stays so in the store below, in its backups and copies. Values
 * that are stored as they are, by earlier releases, are returned as they are. Of somebody who was erased, every value is
 * the declared one. Events without personal values pass as they are, in the same turn.
 *
 * Reads throw {KeyMissing} where a value has no key, and {DamagedStore} where the key does not open it.
 */
export function sealedStore({ store, types, keys, cipher, clock }: SealedStoreOptions): EventStore {
  const personal = new PersonalTypes(types);
  const erasing = new Set(personal.erasing);
  const cache = new KeyCache(keys, clock);
  /** Appends whose values are being sealed. */
  const sealing = new Set<Promise<AppendResult>>();
  const hasPersonal = ({ type }: Pick<NewEvent, 'type'>): boolean => personal.has(type);

  async function appendSealed(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
  ): Promise<AppendResult> {
    const subjects = subjectsIn(events.map((event) => [stream, event]));
    const found = new Map(await cache.find(subjects));
    for (const subject of subjects) {
      const key = found.get(subject) ?? (await cache.create(subject));
      if (key === null) throw new SubjectErased(stream, expected);
      found.set(subject, key);
    }
    const seal = (value: PersonalValue): Json => sealValue(cipher, keyOf(found, value.subject), value);
    const sealed = events.map((event) => personal.replaced(stream, event, seal));
    return store.append(stream, sealed, expected);
  }

  function subjectsIn(events: readonly (readonly [string, NewEvent])[]): ReadonlySet<string> {
    const subjects = new Set<string>();
    for (const [stream, event] of events) {
      for (const { subject } of personal.valuesIn(stream, event)) subjects.add(subject);
    }
    return subjects;
  }

  async function opened(events: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> {
    const withValues = events.filter(hasPersonal);
    const subjects = subjectsIn(withValues.map((event) => [event.stream, event]));
    if (subjects.size === 0) return events;
    const found = new Map(await cache.find(subjects));
    // Another process may have made a key since this one was told that there is none.
    const absent = new Set<string>();
    for (const event of withValues) {
      for (const value of personal.valuesIn(event.stream, event)) {
        if (found.get(value.subject) === undefined && sealedTextOf(value) !== null) absent.add(value.subject);
      }
    }
    if (absent.size > 0) {
      for (const [subject, key] of await cache.findAgain([...absent])) found.set(subject, key);
    }
    return events.map((event) => (hasPersonal(event) ? openedEvent(event, found) : event));
  }

  function openedEvent(event: RecordedEvent, found: Keys): RecordedEvent {
    const open = (value: PersonalValue): Json => {
      if (found.get(value.subject) === null) return value.erased;
      const sealed = sealedTextOf(value);
      return sealed === null ? value.value : openValue(cipher, keyOf(found, value.subject), sealed, value);
    };
    const { data, metadata } = personal.replaced(event.stream, event, open);
    return { ...event, data, metadata };
  }

  /** Drops the keys of those whose erasure is among these events. */
  function noticeErasures(events: readonly RecordedEvent[]): void {
    for (const { type, stream } of events) {
      if (erasing.has(type)) cache.forget(stream);
    }
  }

  async function* openedBatches(batches: AsyncIterable<readonly RecordedEvent[]>) {
    for await (const events of batches) {
      noticeErasures(events);
      yield events.some(hasPersonal) ? await opened(events) : events;
    }
  }

  async function* openedDeliveries(deliveries: AsyncIterable<Delivery>): AsyncGenerator<Delivery> {
    for await (const delivery of deliveries) {
      noticeErasures(delivery.events);
      yield delivery.events.some(hasPersonal) ? { ...delivery, events: await opened(delivery.events) } : delivery;
    }
  }

  return {
    append(stream, events, expected) {
      if (!events.some(hasPersonal)) return store.append(stream, events, expected);
      const appended = appendSealed(stream, events, expected);
      sealing.add(appended);
      return appended.finally(() => sealing.delete(appended));
    },
    readStream: (stream, after) => openedBatches(store.readStream(stream, after)),
    async readNewest(stream) {
      const newest = await store.readNewest(stream);
      if (newest === null) return null;
      noticeErasures([newest]);
      if (!hasPersonal(newest)) return newest;
      const [event = null] = await opened([newest]);
      return event;
    },
    readAll: (after, wanted) => openedBatches(store.readAll(after, wanted)),
    subscribe: (after, filter, signal) => openedDeliveries(store.subscribe(after, filter, signal)),
    head: () => store.head(),
    async close() {
      await Promise.allSettled(sealing);
      try {
        await store.close();
      } finally {
        await keys.close();
      }
    },
  };
}

/** @throws {KeyMissing} */
function keyOf(keys: Keys, subject: string): Uint8Array {
  const key = keys.get(subject);
  if (key === undefined || key === null) throw new KeyMissing(subject);
  return key;
}

/**
 * Whether an event, as the store below keeps it, has values of a subject that anybody can read: stored as they are, by an
 * earlier release.
 */
export function hasPlainValues(types: PersonalTypes, { stream, ...event }: RecordedEvent, subject: string): boolean {
  return types
    .valuesIn(stream, event)
    .some((value) => value.subject === subject && value.value !== null && sealedTextOf(value) === null);
}
