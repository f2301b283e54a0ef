import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInProjections } from '../../projections/index.ts';
import type { RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { rebuild } from '../support/simulation/projectors.ts';

/** A folder for each release; tests run from the root of the project, as npm does. */
export const HISTORY_FILES = join('test', 'history-files');

/** The releases whose history is recorded. */
export function recordedReleases(): readonly string[] {
  return readdirSync(HISTORY_FILES).filter((name) => existsSync(join(HISTORY_FILES, name, 'events.ndjson'))).sort();
}

/** The events of a release, one a line, as they were recorded. */
export function eventsOf(release: string): readonly RecordedEvent[] {
  const lines = readFileSync(join(HISTORY_FILES, release, 'events.ndjson'), 'utf8').trimEnd().split('\n');
  // Written by `ndjsonOf`.
  return lines.map((line) => JSON.parse(line) as RecordedEvent);
}

/** The documents that a release made of them, as text. */
export function documentsTextOf(release: string): string {
  return readFileSync(join(HISTORY_FILES, release, 'documents.json'), 'utf8');
}

export function ndjsonOf(events: readonly RecordedEvent[]): string {
  return events.map(({ position, stream, revision, type, data, metadata, id }) => (
    `${JSON.stringify({ position, stream, revision, type, data, metadata, id })}\n`)).join('');
}

/**
 * The documents that this release makes of events, by `<collection>/<id>` in order, without what is internal to them.
 */
export async function documentsOf(events: readonly RecordedEvent[]): Promise<string> {
  const { documents, checkpoint } = await rebuild(events, builtInProjections);
  if (checkpoint !== events.at(-1)?.position) throw new Error(`the projections stopped after position ${checkpoint}`);
  const keys = [...documents.keys()].sort();
  const lines = keys.map((key) => `${JSON.stringify(key)}: ${JSON.stringify(shownOf(documents.get(key)), null, 1)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

function shownOf(document: JsonObject | undefined): object {
  const shown = Object.entries(document ?? {}).filter(([field]) => !field.startsWith('_'));
  return Object.fromEntries(shown.sort(([a], [b]) => (a < b ? -1 : 1)));
}
