import { objectOf, textOf, type JsonObject } from '../../shared/json.ts';
import type { Client } from '../api/client.ts';

/** Who takes a seat, in which event. */
export interface Sitting {
  readonly participantId: string;
  readonly eventId: string;
  /** Since when, ISO 8601; left out: from now on, or, if they sit there already, as before. */
  readonly from?: string;
}

/**
 * Seats somebody on a rig; whoever sat there leaves.
 * @returns since when they sit there, ISO 8601
 * @throws {Refused | Unanswered}
 */
export async function takeSeat(
  client: Pick<Client, 'send'>,
  rigId: string,
  { participantId, eventId, from }: Sitting,
): Promise<string> {
  const body: JsonObject = { participantId, eventId, from };
  const { json } = await client.send('PUT', seatOf(rigId), { body });
  return textOf(objectOf(json)['from']);
}

/** Ends who sits on a rig. @throws {Refused | Unanswered} */
export async function leaveSeat(client: Pick<Client, 'send'>, rigId: string): Promise<void> {
  await client.send('DELETE', seatOf(rigId));
}

function seatOf(rigId: string): string {
  return `/api/v1/rigs/${encodeURIComponent(rigId)}/seat`;
}
