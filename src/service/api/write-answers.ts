import { z } from 'zod';
import { component } from '../../domain/component.ts';
import { EXAMPLES } from '../../domain/examples.ts';
import { described } from '../../domain/fields.ts';
import type { Query } from '../../domain/query.ts';
import { sameJson, type Json, type JsonObject } from '../../kernel/json.ts';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { Position, Revision } from '../../kernel/ports/event-store.ts';
import type { Document } from '../../kernel/ports/read-store.ts';
import type { Clock } from '../../kernel/ports/system.ts';
import type { CheckpointReader } from '../../kernel/projection/checkpoint-waiter.ts';
import type { ApiRequest, EndpointResponse, Headers } from '../http/endpoint.ts';
import { documentOf, oneViewOf, showsContact, updatedAtOf, type ReadSources } from './views.ts';

/** Header of a response that repeats that to an earlier request with the same `Idempotency-Key`. */
export const REPLAYED = { 'Idempotency-Replayed': 'true' } as const;

/** Seconds after which a client may ask for the resource of a 202 response. */
export const ACCEPTED_RETRY_AFTER_SECONDS = '1';

export const AcceptedView = z
  .object({
    id: described(z.string(), 'Id of the resource; of a mapping both ids, with a colon between them.', EXAMPLES.lap.id),
    status: described(
      z.literal('accepted').meta(component('AcceptedStatus', 'Accepted.')),
      'Distinguishes this answer from the resource.',
      'accepted',
    ),
  })
  .meta({ id: 'Accepted', description: 'The change is stored, and shows a little later at `Location`.' });

/** The answer of writes, for the API document. */
export const ANSWERED =
  'Returns the resource as `GET` will show it, or 202 with its id if the read models are still behind.';

/** The answer of requests that the projector carries out. */
export const ANSWERED_LATER = 'Returns the result, or 202 with the id if that takes longer.';

interface WriteAnswersOptions {
  readonly reads: ReadSources;
  /** Checkpoint of the built-in read models. */
  readonly checkpointWaiter: CheckpointReader;
  readonly clock: Pick<Clock, 'now'>;
  /** Longest wait, in ms, for the read models. */
  readonly projectionWaitMs: number;
}

/** A resource that was written, and the properties of the response. */
interface WrittenResource {
  readonly query: Query;
  readonly id: string;
  readonly location: string;
  readonly position: Position;
  /** Revision of a change: a document at an older one waits for an event that is a dead letter. */
  readonly revision?: Revision;
  readonly status: 200 | 201;
  readonly headers?: Headers;
  /** The body that was sent to create it, where it existed already. Its owners learn whether that is the same. */
  readonly sent?: object;
}

/** A resource as a response shows it. */
interface ShownResource {
  readonly revision: Revision;
  readonly updatedAt: string | null;
  readonly body: JsonObject;
  readonly headers: Headers;
}

/** Answers to writes: what the next GET will return. */
export class WriteAnswers {
  readonly #options: WriteAnswersOptions;

  constructor(options: WriteAnswersOptions) {
    this.#options = options;
  }

  /**
   * Waits until the read models have reached a position; false when they do not in time, or when the client does not want
   * to wait.
   */
  async waitUntilReadable(
    position: Position,
    { headers, deadline }: Pick<ApiRequest, 'headers' | 'deadline'>,
  ): Promise<boolean> {
    if (headers.respondAsync) return false;
    return this.#options.checkpointWaiter.waitFor(position, this.#waitMs(deadline));
  }

  /**
   * The response to a write: what the next GET will return, or 202 when the read models have not reached the write
   * (docs/interface.md#answers-with-202).
   */
  async answer(
    request: Pick<ApiRequest, 'headers' | 'deadline' | 'caller'>,
    written: WrittenResource,
  ): Promise<EndpointResponse> {
    const { id, location, position, revision = 0, status } = written;
    const headers: Headers = status === 201 ? { ...written.headers, Location: location } : { ...written.headers };
    if (request.headers.respondAsync) return acceptedResponse(id, location, headers);
    const shown = await this.#options.checkpointWaiter.readAt(position, this.#waitMs(request.deadline), () =>
      this.#read(request.caller, written),
    );
    if (shown === null || shown === false || shown.revision < revision) return acceptedResponse(id, location, headers);
    return {
      kind: 'resource',
      status,
      revision: shown.revision,
      updatedAt: shown.updatedAt,
      body: shown.body,
      headers: { ...shown.headers, ...headers },
    };
  }

  /** The resource as the read models have it; null: they have none, or cannot be read. */
  async #read(reader: ApiRequest['caller'], { query, id, sent }: WrittenResource): Promise<ShownResource | null> {
    const { reads } = this.#options;
    try {
      const document = await documentOf(reads, query, id);
      if (document === null) return null;
      const body = await oneViewOf(reads, query, document, reader);
      const isCompared = sent !== undefined && showsContact(reads, document, reader);
      return {
        revision: document._revision,
        updatedAt: updatedAtOf(query, document),
        body,
        headers: isCompared ? existingHeaders(sent, document) : {},
      };
    } catch (error) {
      // The write is on disk and must not look lost.
      if (error instanceof StoreUnavailable) return null;
      throw error;
    }
  }

  #waitMs(deadline: number): number {
    const { clock, projectionWaitMs } = this.#options;
    return Math.min(projectionWaitMs, deadline - clock.now());
  }
}

/** The response to a write that the read models do not show yet. */
export function acceptedResponse(id: string, location: string, headers: Headers = {}): EndpointResponse {
  return {
    kind: 'json',
    status: 202,
    body: { id, status: 'accepted' },
    headers: { ...headers, Location: location, 'Retry-After': ACCEPTED_RETRY_AFTER_SECONDS },
  };
}

/** Whether what was sent is what is kept: JSON is compared as JSON. */
function existingHeaders(sent: object, document: Document): Headers {
  const isSame = Object.entries(sent).every(([field, value]: [string, Json]) => sameJson(value, document[field]));
  return { 'Existing-Resource': isSame ? 'same' : 'different' };
}
