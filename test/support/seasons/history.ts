import { expect } from 'chai';
import { z } from 'zod';
import type { Json, JsonObject } from '../../../src/kernel/json.ts';
import type { EventMetadata, RecordedEvent } from '../../../src/kernel/ports/event-store.ts';
import type { Numbered } from '../completeness.ts';
import { jsonLines } from '../json-lines.ts';
import { isList } from '../model/fields.ts';
import { KINDS, type Kind } from '../model/kinds.ts';
import { membersOf, ROOT_LICENSE, Things, type Thing } from '../model/things.ts';
import { callCommand } from '../processes/command-process.ts';
import { entryOf, referencesOf, textIn } from '../resources/entries.ts';
import type { EventContent } from '../resources/entry.ts';

const ExportedEvent = z.object({
  position: z.number(),
  stream: z.string(),
  type: z.string(),
  metadata: z.looseObject({ occurredAt: z.string(), licenseId: z.string().optional() }),
  data: z.record(z.string(), z.json()),
});

/** An event as a calculation takes it. */
export type Exported = Pick<RecordedEvent, 'position' | 'stream' | 'type' | 'data'> & {
  readonly metadata: Pick<EventMetadata, 'occurredAt'> & { readonly licenseId?: string | undefined };
};

/** Exports the history of a service that runs. */
export async function exportHistory(dataDir: string): Promise<readonly Exported[]> {
  const { code, out, err } = await callCommand(['events', '--personal', '--format', 'ndjson'], { DATA_DIR: dataDir });
  expect(code, err).to.equal(0);
  return jsonLines(out).map((event) => ExportedEvent.parse(event));
}

const BY_CATEGORY: ReadonlyMap<string, Kind> = new Map(
  [...KINDS.values()].filter(({ maps }) => maps === undefined).map((kind) => [kind.category, kind]),
);

/** What an event is of: its kind and id; null where it is of no resource. */
export function subjectOf({ stream }: Exported): { readonly kind: Kind; readonly id: string } | null {
  const dash = stream.indexOf('-');
  const kind = BY_CATEGORY.get(stream.slice(0, dash));
  const id = stream.slice(dash + 1);
  // The model does not contain the root licence.
  return kind === undefined || id === ROOT_LICENSE ? null : { kind, id };
}

/** Every resource as some events leave it, by what test/resources says that each event carries. */
export function thingsOf(events: readonly Exported[]): Things {
  const things = new Things();
  for (const event of events) {
    const subject = subjectOf(event);
    if (subject === null) continue;
    const thing = things.find(subject.kind.name, subject.id) ?? created(subject, event);
    things.add(thing);
    thing.values = { ...thing.values, ...valuesAfter(subject.kind.events[event.type], event.data) };
    thing.updatedAt = event.metadata.occurredAt;
  }
  return things;
}

function created({ kind, id }: { readonly kind: Kind; readonly id: string }, { metadata }: Exported): Thing {
  const learned = { createdAt: metadata.occurredAt };
  const creator = { licenseId: metadata.licenseId ?? '', role: 'ADMIN' } as const;
  const fresh = { struckBy: null, etags: [], seen: null, mapped: true, scope: 0 };
  return { kind, id, values: kind.initial ?? {}, learned, updatedAt: metadata.occurredAt, creator, ...fresh };
}

/** The fields that have another value after an event, by the names of requests. */
export function valuesAfter(content: EventContent | undefined, data: JsonObject): JsonObject {
  if (content === undefined) throw new Error('test/resources does not have the event');
  if (content === 'special') return {};
  if (content === 'all' || Array.isArray(content)) return data;
  if (typeof content === 'object' && 'clears' in content) return { [String(content.clears)]: null };
  const [[field, target] = ['', false]] = Object.entries<string | boolean>(content);
  return typeof target === 'boolean' ? { [field]: target } : { [target]: data['to'] ?? null };
}

/** Of a row of a list: the position of the last event that changed it, be it of what the row names. */
export function positionsOf(events: readonly Exported[]): (kind: Kind, view: JsonObject) => number {
  const positions = new Map<string, number>();
  for (const event of events) {
    const subject = subjectOf(event);
    if (subject === null) continue;
    const values = valuesAfter(subject.kind.events[event.type], event.data);
    for (const field of ['id', ...Object.keys(values)]) positions.set(`${subject.id} ${field}`, event.position);
  }
  const of = (id: Json = null, field: string): number => positions.get(`${textIn(id)} ${field}`) ?? 0;
  return (kind, view) => {
    const named = referencesOf(entryOf(kind.name)).flatMap(({ name, field: { shownAs = name, shows = {} } }) =>
      Object.values(shows).flatMap((fields) => fields.split(' ').map((field) => of(view[shownAs], field))),
    );
    return Math.max(of(view['id'], 'id'), ...named);
  };
}

/** What a history says of numbered laps. */
export function numberedIn(events: readonly Exported[]): Numbered {
  const laps: Numbered['laps'][number][] = [];
  const said: Numbered['said'][number][] = [];
  for (const { type, data, position, metadata } of events) {
    const rigId = textIn(data['rigId']);
    const at = metadata.occurredAt;
    const { boot, number } = membersOf(data['sequence']);
    if (type === 'SequenceAnnounced') said.push({ rigId, at, boot: textIn(data['boot']), upTo: Number(data['upTo']) });
    if (type !== 'LapRecorded' || boot === undefined) continue;
    const eventId = textIn(data['eventId']);
    laps.push({ rigId, at, boot: textIn(boot), number: Number(number), eventId, place: position });
  }
  return { laps, said };
}

/** All values of a field of some views; of lists, each. */
export function valuesIn(views: readonly JsonObject[], field: string): readonly Json[] {
  return views.map((view) => view[field] ?? null).flatMap((value) => (isList(value) ? value : [value]));
}
