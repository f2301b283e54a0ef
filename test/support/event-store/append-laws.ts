import { expect } from 'chai';
import { AppendTooLarge, WrongExpectedRevision } from '../../../src/kernel/ports/errors.ts';
import {
  appendSizeOf,
  MAX_APPEND_BYTES,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
} from '../../../src/kernel/ports/event-store.ts';
import type { JsonObject } from '../../../src/kernel/json.ts';
import { failureOf } from '../failure.ts';
import { gathered, idsOf, newEvent, newEvents, newStream } from './events.ts';

/** Length of the stream of the longest hardwareId: 255 characters of 4 bytes each, in base64url. */
const LONGEST_STREAM_CHARS = 'rigHardware-'.length + 1_360;

/** JSON that a careless encoding changes. `JSON.parse` makes `__proto__` an own key, as a body parser does. */
const AWKWARD = parsed(`{
  "constructor": {"prototype": 1}, "__proto__": {"polluted": true}, "toString": "text",
  "$x": 1, "a.b": 2, "": {"": null},
  "emoji": "🏁 ü \\u0000 \\u2028 \\ud83d",
  "numbers": [0, -1, 0.1, 1e300, 5e-324, 9007199254740993, 4294967296, -2147483649],
  "nested": [[], {}, [null, [null]], {"deep": {"__proto__": null, "list": [true, false]}}], "_id": "x", "\\ud800": 1
}`);

/** An event that counts as so many bytes in an append; its text is this one, over and over. */
function eventOfBytes(bytes: number, text: string): NewEvent {
  const event = newEvent('LargeHappened', { text: '', rest: '' });
  const left = bytes - appendSizeOf(event);
  const each =
    JSON.stringify(text).length - 2 > text.length ? JSON.stringify(text).length - 2 : Buffer.byteLength(text);
  const times = Math.floor(left / each);
  return { ...event, data: { text: text.repeat(times), rest: 'x'.repeat(left - times * each) } };
}

/** The laws of appends. */
export const appendLaws = {
  'returns an event as it was appended, whatever its keys and values': async (store) => {
    const stream = newStream();
    const event = newEvent('AwkwardHappened "quoted",[]', AWKWARD);
    const appended = await store.append(stream, [event], 'no_stream');
    const [read] = await gathered(store.readStream(stream));
    expect(read).to.deep.equal({ ...event, stream, ...appended });
    expect(JSON.stringify(read?.data)).to.equal(JSON.stringify(AWKWARD));
    expect(Object.hasOwn(read?.data ?? {}, '__proto__')).to.equal(true);
    expect(Object.hasOwn(Object.prototype, 'polluted')).to.equal(false);
  },

  'accepts the expected revision and refuses every other': async (store) => {
    const stream = newStream();
    await refuses(store, stream, 0);
    expect((await store.append(stream, [newEvent()], 'no_stream')).revision).to.equal(0);
    await refuses(store, stream, 'no_stream');
    await refuses(store, stream, 1);
    expect((await store.append(stream, [newEvent()], 0)).revision).to.equal(1);
    await refuses(store, stream, 0);
    await refuses(store, stream, 'no_stream');
    expect((await store.append(stream, [newEvent()], 1)).revision).to.equal(2);
  },

  'takes 1 MiB at once, to the byte, and refuses more, whatever it is made of': async (store) => {
    for (const text of ['x', 'é', '🏁', '"', '\u0001']) {
      const fitting = eventOfBytes(MAX_APPEND_BYTES, text);
      const excessive = eventOfBytes(MAX_APPEND_BYTES + 1, text);
      const stream = newStream();
      expect(await failureOf(store.append(stream, [excessive], 'no_stream')), text).to.be.instanceOf(AppendTooLarge);
      expect(await store.readNewest(stream)).to.equal(null);
      expect((await store.append(stream, [fitting], 'no_stream')).revision).to.equal(0);
      expect((await gathered(store.readStream(stream)))[0]?.data).to.deep.equal(fitting.data);
      expect((await store.readNewest(stream))?.data).to.deep.equal(fitting.data);
    }
    const three = [1, 2, 3].map(() => eventOfBytes(400_000, 'x'));
    expect(await failureOf(store.append(newStream(), three, 'any')), 'together').to.be.instanceOf(AppendTooLarge);
  },

  'appends several events together, contiguous, each at its own position, and answers with the last': async (store) => {
    const stream = newStream();
    await store.append(stream, [newEvent()], 'no_stream');
    const events = newEvents(5);
    const appended = await store.append(stream, events, 0);
    const read = (await gathered(store.readStream(stream))).slice(1);
    expect(idsOf(read)).to.deep.equal(idsOf(events));
    expect(read.map(({ revision }) => revision)).to.deep.equal([1, 2, 3, 4, 5]);
    expect(isIncreasing(read.map(({ position }) => position))).to.equal(true);
    expect({ revision: read.at(-1)?.revision, position: read.at(-1)?.position }).to.deep.equal(appended);
  },

  'lets one of 100 appends at the same revision succeed': async (store) => {
    const stream = newStream();
    await store.append(stream, [newEvent()], 'no_stream');
    const attempts = Array.from({ length: 100 }, () => store.append(stream, newEvents(2), 0));
    const results = await Promise.allSettled(attempts);
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).to.have.lengthOf(99);
    for (const { reason } of refused) expect(reason).to.be.instanceOf(WrongExpectedRevision);
    expect(await gathered(store.readStream(stream))).to.have.lengthOf(3);
  },

  'commits appends that are made together in the order of the calls, over streams and within one': async (store) => {
    const after = await store.head();
    const stream = newStream();
    const events = newEvents(600);
    const calls = events.map((event, n) => {
      const expected = n < 3 ? ('no_stream' as const) : n / 3 - 1;
      return n % 3 === 0 ? store.append(stream, [event], expected) : store.append(newStream(), [event], 'no_stream');
    });
    const positions = (await Promise.all(calls)).map(({ position }) => position);
    expect(positions).to.deep.equal([...positions].sort((a, b) => a - b));
    expect(idsOf(await gathered(store.readAll(after)))).to.deep.equal(idsOf(events));
  },

  'does not let a refused append touch those made at the same time': async (store) => {
    const [taken, ...free] = Array.from({ length: 20 }, () => newStream());
    if (taken === undefined) throw new Error('no stream');
    await store.append(taken, [newEvent()], 'no_stream');
    const results = await Promise.allSettled([
      ...free.flatMap((stream) => [
        store.append(stream, [newEvent()], 'no_stream'),
        store.append(taken, [newEvent()], 'no_stream'),
      ]),
    ]);
    expect(results.map(({ status }) => status)).to.deep.equal(free.flatMap(() => ['fulfilled', 'rejected']));
    expect(await gathered(store.readStream(taken))).to.have.lengthOf(1);
  },

  'keeps streams with similar and with long names apart': async (store) => {
    const name = newStream('rigHardware');
    const streams = [
      name,
      `${name} `,
      `${name}A`,
      `${name}_-`,
      name.slice(0, -1),
      `${name}ü🏁`,
      name.padEnd(LONGEST_STREAM_CHARS, 'A'),
    ];
    for (const stream of streams) await store.append(stream, [newEvent('Named', { stream })], 'no_stream');
    for (const stream of streams) {
      expect((await gathered(store.readStream(stream))).map(({ data }) => data)).to.deep.equal([{ stream }]);
    }
  },

  'keeps at least the newest event of a stream that asks for no more, and goes on counting': async (store) => {
    const stream = newStream();
    const positions: number[] = [];
    for (let revision = 0; revision < 5; revision++) {
      const appended = await store.append(stream, [newEvent('Used', { revision })], 'newest_only');
      expect(appended.revision).to.equal(revision);
      positions.push(appended.position);
    }
    expect(isIncreasing(positions)).to.equal(true);
    expect((await store.readNewest(stream))?.data).to.deep.equal({ revision: 4 });
    expect((await gathered(store.readStream(stream))).at(-1)?.revision).to.equal(4);
    await refuses(store, stream, 'no_stream');
  },
} satisfies Record<string, (store: EventStore) => Promise<void>>;

function parsed(text: string): JsonObject {
  // Only ever called with the text of an object.
  return JSON.parse(text) as JsonObject;
}

async function refuses(store: EventStore, stream: string, expected: ExpectedRevision): Promise<void> {
  const before = await gathered(store.readStream(stream));
  const error = await failureOf(store.append(stream, newEvents(2), expected));
  expect(error).to.be.instanceOf(WrongExpectedRevision);
  expect(error).to.include({ stream, expected });
  expect(await gathered(store.readStream(stream))).to.deep.equal(before);
}

function isIncreasing(numbers: readonly number[]): boolean {
  return numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? Infinity));
}
