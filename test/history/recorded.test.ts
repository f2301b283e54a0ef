import { expect } from 'chai';
import { builtInProjections } from '../../projections/index.ts';
import { DEAD_LETTER_RETRIED } from '../../src/kernel/projection/dead-letters.ts';
import { upcast, type EventTypes } from '../../src/kernel/event-types.ts';
import { KNOWN_EVENTS } from '../../projections/known-events.ts';
import { documentsOf, documentsTextOf, eventsOf, recordedReleases } from '../history-files/documents.ts';

/** What to do when a recorded history gives other documents than it did. */
const DIFFERENT =
  'stores out there hold such events: mend the upcaster; or, if other documents are wanted, raise ' +
  'BUILT_IN_VERSION and run test/history-files/record';

describe('recorded histories', () => {
  for (const release of recordedReleases()) {
    it(`of release ${release} give the recorded documents`, async () => {
      expect(await documentsOf(eventsOf(release)), DIFFERENT).to.equal(documentsTextOf(release));
    });

    it(`of release ${release} hold events that are true to their schemas by now`, () => {
      const types: EventTypes = Object.fromEntries(builtInProjections.flatMap(({ events }) => Object.entries(events)));
      for (const event of eventsOf(release).filter(({ type }) => Object.hasOwn(types, type))) {
        const data = upcast(types, event);
        expect(types[event.type]?.schema.parse(data), `${event.type} at ${event.position}`).to.deep.equal(data);
      }
    });
  }

  it('hold every type of event that there is', () => {
    const seen = new Set(recordedReleases().flatMap((release) => eventsOf(release).map(({ type }) => type)));
    // Retries change no document, and need something parked.
    const missing = [...KNOWN_EVENTS].filter((type) => type !== DEAD_LETTER_RETRIED && !seen.has(type));
    expect(missing, 'add it to test/history-files/record, and record this release').to.deep.equal([]);
  });
});
