import { objectOf, objectsOf, textOf, type JsonObject } from '../../shared/json.ts';
import type { Client } from '../api/client.ts';
import type { Resource } from '../api/model.ts';
import { zoneOfEvent } from '../zone.ts';
import { copyOf, repeatedToday } from './repeat.ts';

/** Changes an event, and waits until the change shows. */
export async function changeEvent(client: Client, id: string, body: JsonObject): Promise<void> {
  await client.written(await client.send('PATCH', `/api/v1/events/${id}`, { body }));
}

interface Repeating {
  readonly client: Client;
  readonly events: Resource;
  /** Null: there are none, or the key may not make any. */
  readonly signupFields: Resource | null;
}

/** An attempt to repeat an event: with the same one, nothing is made twice. */
export interface Attempt {
  /** Name of the request. */
  readonly key: string;
  /** When it began, ISO 8601. */
  readonly now: string;
}

/**
 * Schedules an event again today, with the fields of its signup form.
 * @returns the id of the new event
 */
export async function repeatEvent(
  { client, events, signupFields }: Repeating,
  event: JsonObject,
  { key, now }: Attempt,
): Promise<string> {
  const body = repeatedToday(event, events.create?.body ?? [], now, zoneOfEvent(event));
  const created = await client.send('POST', events.path, { body, headers: { 'Idempotency-Key': key } });
  const eventId = textOf(objectOf(created.json)['id']);
  const fields = signupFields?.create?.body ?? [];
  if (signupFields !== null && fields.length > 0) {
    const list = await client.get(`${signupFields.path}?eventId=${textOf(event['id'])}`);
    for (const field of objectsOf(list.json)) {
      await client.send('POST', signupFields.path, {
        body: { ...copyOf(field, fields), eventId },
        headers: { 'Idempotency-Key': `${key}-${textOf(field['id'])}` },
      });
    }
  }
  await client.written(created);
  return eventId;
}
