import { expect } from 'chai';
import { PoisonEvent } from '../../src/service/kernel/projection/dispatch.ts';
import type { Effects, Lookup } from '../../src/service/kernel/projection/projection.ts';
import { lapEvents, projection, table } from '../../src/tools/replay/analysis.ts';
import { project } from '../../src/tools/replay/project.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { laps } from '../support/history/replaying.ts';
import { memoryReadModels } from '../support/read-store/memory-read-store.ts';

/** A handler as in a module, whose return value is not checked by a compiler. */
const best = table<{ readonly ms: number }>('best');
const NOBODYS = table('x');

/** Behaviour of a faulty handler. */
type Stumble = (look: Lookup) => unknown;

const STUMBLES: readonly (readonly [what: string, stumble: Stumble, message: RegExp])[] = [
  ['throws', () => fail(), /^seven$/],
  ['returns nonsense', () => ({ kind: 'x' }), /no effect/],
  ['makes no JSON', () => best.set('x', { ms: 1 / 0 }), /ms is Infinity: JSON/],
  ['gives no fields', () => ({ kind: 'insert', collection: 'best', id: 'x', fields: 1e999 }), /must be an obj/],
  ['gives a document no id', () => best.insert('', { ms: 1 }), /must be a text of 1 to/],
  ['forgets to await', (look) => [look(best, 'x')], /is an await missing/],
  ['looks up what nobody keeps', (look) => look(NOBODYS, 'y'), /no projection of the/],
];

function fail(): never {
  throw new RangeError('seven');
}

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
          LapRecorded: ({ recorded }, look) => (recorded.position === 7 ? (stumble(look) as Effects) : null),
        },
      );
      const failed: unknown = await project({
        store,
        models,
        projections: [module],
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
