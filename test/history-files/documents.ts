import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_IN_VERSION, builtInProjections } from '../../src/service/resources/built-in.ts';
import type { RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { projectedAtOnce, readAll } from '../support/kernel/projecting.ts';

/** A folder per release, relative to the root of the project, where npm runs the tests. */
export const HISTORY_FILES = join('test', 'history-files');

/** Advice for read models that differ from those of a release without a new version. */
export const VERSION_STAYED =
  'existing stores hold read models of this version, and would keep them: raise the version of the ' +
  'read model, and record the release anew (test/history-files/record.ts)';

/** Declarations of the read models by collection, with the types of the events that change it, and their version. */
export const readModels = {
  version: BUILT_IN_VERSION,
  collections: Object.fromEntries(
    builtInProjections.map(({ model: { collection, category, indexes, columns }, on }) => [
      collection,
      { category, indexes, ...(columns.length > 0 && { columns }), events: [...on.keys()].sort() },
    ]),
  ),
};

type ReadModels = typeof readModels;

export function recordedReleases(): readonly string[] {
  return readdirSync(HISTORY_FILES)
    .filter((name) => existsSync(join(HISTORY_FILES, name, 'events.ndjson')))
    .sort();
}

/** The recorded events of a release, one per line. */
export function eventsOf(release: string): readonly RecordedEvent[] {
  const lines = textOf(release, 'events.ndjson').trimEnd().split('\n');
  // Written by `ndjsonOf`.
  return lines.map((line) => JSON.parse(line) as RecordedEvent);
}

/** The recorded documents of a release, as text. */
export function documentsTextOf(release: string): string {
  return textOf(release, 'documents.json');
}

/** The read models of a release. */
export function readModelsOf(release: string): ReadModels {
  // Written by `jsonOf`.
  return JSON.parse(textOf(release, 'read-models.json')) as ReadModels;
}

function textOf(release: string, file: string): string {
  return readFileSync(join(HISTORY_FILES, release, file), 'utf8');
}

/** Read models as text. */
export function jsonOf(models: ReadModels): string {
  return `${JSON.stringify(models, null, 1)}\n`;
}

/** Events as text, one a line. */
export function ndjsonOf(events: readonly RecordedEvent[]): string {
  return events
    .map(
      ({ position, stream, revision, type, data, metadata, id }) =>
        `${JSON.stringify({ position, stream, revision, type, data, metadata, id })}\n`,
    )
    .join('');
}

/**
 * The documents that this release makes of events, sorted by `<collection>/<id>`, without internal fields.
 */
export async function documentsOf(
  events: readonly RecordedEvent[],
  collections = Object.keys(readModels.collections),
): Promise<string> {
  const { documents } = await readAll(await projectedAtOnce(events, builtInProjections), builtInProjections);
  const keys = [...documents.keys()].filter((key) => collections.includes(key.slice(0, key.indexOf('/')))).sort();
  const lines = keys.map((key) => `${JSON.stringify(key)}: ${JSON.stringify(shownOf(documents.get(key)), null, 1)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

function shownOf(document: JsonObject | undefined): object {
  const shown = Object.entries(document ?? {}).filter(([field]) => !field.startsWith('_'));
  return Object.fromEntries(shown.sort(([a], [b]) => (a < b ? -1 : 1)));
}
