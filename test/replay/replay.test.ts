import { expect } from 'chai';
import { PoisonEvent } from '../../src/kernel/projection/unit-of-work.ts';
import type { Effects, Lookup } from '../../src/kernel/projection/projection.ts';
import { gatheringLaps, lapEvents, projection, table } from '../../src/tools/replay/analysis.ts';
import { replayLineage } from '../../src/tools/replay/namespace.ts';
import { project } from '../../src/tools/replay/project.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { recorded } from '../support/history/lap-events.ts';
import { laps } from '../support/history/replaying.ts';
import { givenHistory } from '../support/kernel/projecting.ts';
import { memoryReadModels } from '../support/read-store/memory-read-store.ts';

/** A handler as in a module, whose return value is not checked by a compiler. */
const best = table<{ readonly ms: number }>('best');
const NOBODYS = table('x');

/** Behaviour of a faulty handler. */
type Stumble = (look: Lookup, data: object) => unknown;

const STUMBLES: readonly (readonly [what: string, stumble: Stumble, message: RegExp])[] = [
  ['throws', () => fail(), /^seven$/],
  ['returns nonsense', () => ({ kind: 'x' }), /not an effect/],
  ['makes no JSON', () => best.set('x', { ms: 1 / 0 }), /ms is Infinity: JSON/],
  ['gives no fields', () => ({ kind: 'insert', collection: 'best', id: 'x', fields: 1e999 }), /must be an obj/],
  ['gives null as fields', () => ({ kind: 'insert', id: 'x', fields: null }), /are null; they must be an obj/],
  ['gives a document no id', () => best.insert('', { ms: 1 }), /must be a text of 1 to/],
  ['forgets to await', (look) => [look(best, 'x')], /is an await missing/],
  ['looks up what nobody keeps', (look) => look(NOBODYS, 'y'), /no projection of the/],
  ['reads a field by another name', (_, data) => read(data, 'car'), /no car here; did you mean carId\?/],
  ['reads a layout by another name', (_, data) => read(data, 'layoutId'), /did you mean trackId\?/],
];

/** A field as a module in JavaScript may read it. */
const read = (from: object, field: string): unknown => Reflect.get(from, field);

function fail(): never {
  throw new RangeError('seven');
}

describe('a module that gathers laps', () => {
  it('learns what a shown lap calls the car', async () => {
    const { LapRecorded } = gatheringLaps({
      idOf: (facts) => String(read(facts, 'carId')),
      rewrite: () => Promise.resolve(null),
    });
    const module = projection(best, { own: {}, others: lapEvents }, { LapRecorded });
    const replayed = await givenHistory([module], recorded('1', [1])).catch((error: unknown) => error);
    expect(replayed)
      .to.be.instanceOf(PoisonEvent)
      .with.nested.property('cause.message')
      .that.matches(/no carId here; did you mean car\?/);
  });
});

describe('a replay whose module', () => {
  for (const [what, stumble, message] of STUMBLES) {
    it(`${what} ends at that event, and says why`, async () => {
      const store = memoryEventStore();
      for (const { stream, event } of laps(10)) await store.append(stream, [event], 'no_stream');
      const models = memoryReadModels();
      const module = projection(
        best,
        { own: {}, others: lapEvents },
        {
          // A module in JavaScript may return what the compiler would refuse.
          LapRecorded: ({ recorded, data }, look) =>
            recorded.position === 7 ? (stumble(look, data) as Effects) : null,
        },
      );
      const failed: unknown = await project({
        store,
        models,
        projections: [module],
        lineage: replayLineage(store),
        until: null,
        follow: false,
        signal: new AbortController().signal,
        onProjected: () => undefined,
        onCaughtUp: () => Promise.resolve(),
      }).catch((error: unknown) => error);
      expect(failed).to.be.instanceOf(PoisonEvent);
      if (!(failed instanceof PoisonEvent)) return;
      expect(failed.event).to.include({ type: 'LapRecorded', stream: 'lap-6', position: 7 });
      expect(failed.cause).to.be.instanceOf(Error).with.property('message').that.matches(message);
      expect(await models.checkpoint(), 'nothing of what is not whole').to.equal(null);
    });
  }
});
