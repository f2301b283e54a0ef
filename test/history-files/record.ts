/**
 * Records the history of a release: every type of event, made through its API, and the resulting documents. Run it for
 * each release from the root, and, as a pre-release, when there is a new type of event: `npm run build && node
 * dist/test/history-files/record.js 0.2.0`. If the events exist, only the documents are made anew, as users' stores keep
 * such events for ever.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  documentsOf,
  documentsTextOf,
  eventsOf,
  HISTORY_FILES,
  jsonOf,
  ndjsonOf,
  readModels,
  readModelsOf,
  recordedReleases,
  VERSION_STAYED,
} from './documents.ts';
import { recordedHistory, typesMissingIn } from './recording.ts';

const [, , release] = process.argv;
if (release === undefined) throw new Error('name the release: 0.2.0');
const directory = join(HISTORY_FILES, release);
const isNew = !recordedReleases().includes(release);
if (isNew) {
  const events = await recordedHistory();
  const missing = typesMissingIn(events);
  if (missing.length > 0) throw new Error(`no event of type ${missing.join(', ')}`);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'events.ndjson'), ndjsonOf(events));
}
const documents = await documentsOf(eventsOf(release));
const differ = !isNew && (documents !== documentsTextOf(release) || jsonOf(readModels) !== jsonOf(readModelsOf(release)));
if (differ && readModels.version <= readModelsOf(release).version) throw new Error(VERSION_STAYED);
writeFileSync(join(directory, 'documents.json'), documents);
writeFileSync(join(directory, 'read-models.json'), jsonOf(readModels));
