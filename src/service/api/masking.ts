import { EVERY_PRIVACY, fieldsMarked } from '../../domain/facts.ts';
import { KEY_CLAIMED } from '../../kernel/aggregate/claims.ts';
import type { RecordedEvent } from '../../kernel/ports/event-store.ts';
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { EVENT_TYPES, KNOWN_EVENTS } from '../resources/built-in.ts';

const MASK = '***';

/**
 * The event with its confidential fields masked: token hashes and licence keys always; personal data, and the reason that
 * somebody gave in their own words, unless `personal`.
 * The events inside claims are treated alike. Of an unknown type, written by a later release, all data is masked unless
 * `personal`.
 */
export function masked(event: RecordedEvent, personal: boolean): RecordedEvent {
  const { type, data, metadata } = event;
  const copy = { ...event, data: maskedData(type, data, personal) };
  if (metadata.reason === undefined || personal) return copy;
  return { ...copy, metadata: { ...metadata, reason: MASK } };
}

function maskedData(type: string, data: JsonObject, personal: boolean): JsonObject {
  if (!KNOWN_EVENTS.has(type)) return personal ? data : withMask(data, Object.keys(data));
  if (type === KEY_CLAIMED) return { ...data, events: claimed(data['events'], personal) };
  const schema = EVENT_TYPES[type]?.schema ?? {};
  return withMask(data, personal ? fieldsMarked(schema, 'secret') : fieldsMarked(schema, ...EVERY_PRIVACY));
}

function claimed(events: Json | undefined, personal: boolean): Json {
  if (!Array.isArray(events)) return MASK;
  const list: readonly Json[] = events;
  return list.map((event) => {
    if (!isObject(event) || typeof event['type'] !== 'string' || !isObject(event['data'])) return MASK;
    return { ...event, data: maskedData(event['type'], event['data'], personal) };
  });
}

function withMask(data: JsonObject, fields: readonly string[]): JsonObject {
  const present = fields.filter((field) => data[field] !== undefined && data[field] !== null);
  return present.length === 0 ? data : { ...data, ...Object.fromEntries(present.map((field) => [field, MASK])) };
}
