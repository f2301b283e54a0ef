import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { EVENT_TYPES } from '../../src/service/resources/built-in.ts';
import { upcast } from '../../src/kernel/event-types.ts';
import {
  documentsOf,
  documentsTextOf,
  eventsOf,
  readModels,
  readModelsOf,
  recordedReleases,
  VERSION_STAYED,
} from '../history-files/documents.ts';
import { typesMissingIn } from '../history-files/recording.ts';

/** Advice for a recorded history that gives other documents than before. */
const DIFFERENT = `existing stores hold such events: fix the upcaster; if the documents are meant to differ: ${VERSION_STAYED}`;

describe('recorded histories', () => {
  for (const release of recordedReleases()) {
    it(`of release ${release} give the recorded documents`, async () => {
      const collections = Object.keys(readModelsOf(release).collections);
      expect(await documentsOf(eventsOf(release), collections), DIFFERENT).to.equal(documentsTextOf(release));
    });

    it(`of release ${release} hold events that match their present schemas`, () => {
      for (const event of eventsOf(release)) {
        const data = upcast(EVENT_TYPES, event);
        expect(EVENT_TYPES[event.type]?.schema.parse(data), `${event.type} at ${event.position}`).to.deep.equal(data);
      }
    });

    it(`of release ${release} have a version of the read models that rises whenever the documents change`, () => {
      const recorded = readModelsOf(release);
      const isSame = isDeepStrictEqual({ ...recorded, version: readModels.version }, readModels);
      expect(readModels.version, VERSION_STAYED).to.be.at.least(recorded.version + (isSame ? 0 : 1));
    });
  }

  it('are there for each release', () => {
    // package.json always has a version.
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
    expect(recordedReleases(), 'run test/history-files/record').to.include(version);
  });

  it('hold every version of every type of event', () => {
    const advice = 'record a history with it (docs/adding-a-resource.md#later-changes)';
    expect(typesMissingIn(recordedReleases().flatMap(eventsOf)), advice).to.deep.equal([]);
  });

  it('hold version 1 and version 2 of a layout event, and both are read as version 2', () => {
    const added = eventsOf('0.2.0-pre.2').filter(({ type }) => type === 'TrackLayoutAdded');
    expect(new Set(added.map(({ metadata }) => metadata.version))).to.deep.equal(new Set([1, 2]));
    for (const event of added) {
      const stored = Object.keys(event.data).includes('minLapTime');
      expect(stored, 'whether it is stored with minLapTime').to.equal(event.metadata.version === 2);
      expect(upcast(EVENT_TYPES, event)).to.have.property('minLapTime');
    }
  });
});
