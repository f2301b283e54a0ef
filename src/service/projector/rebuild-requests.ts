import { BUILT_IN } from '../../../projections/index.ts';
import { rebuildDecider, type Rebuild, type RebuildCommand } from '../../../commands/rebuilds.ts';
import { createCommandHandler, type CommandHandler, type CommandOutcome } from '../kernel/aggregate/command-handler.ts';
import { Rejection, streamOf } from '../kernel/aggregate/decider.ts';
import type { Origin } from '../kernel/event-types.ts';
import { StoreFull, StoreUnavailable } from '../kernel/ports/errors.ts';
import type { EventMetadata, Revision } from '../kernel/ports/event-store.ts';
import type { ProjectionStores } from './generations.ts';
import type { GenerationState } from './generation-state.ts';

/** A rebuild that was asked for over the API, as its events tell it. Times are ISO 8601. */
export interface RequestedRebuild {
  readonly id: string;
  readonly requestedAt: string;
  /** `X-Request-Id` of the request. */
  readonly requestId: string;
  /** Key of the request and its licence. */
  readonly apiKeyId: string | null;
  readonly licenseId: string | null;
  /** When a process first started it; null until then. */
  readonly startedAt: string | null;
  /** Namespace of the read models that it makes. */
  readonly generation: string | null;
  readonly endedAt: string | null;
  /** Why it was given up; null: it was not. */
  readonly error: string | null;
}

type Ports = Pick<ProjectionStores, 'store' | 'clock' | 'ids'>;

/** Longest time, in ms, to record that a rebuild has started or ended. */
const RECORD_TIMEOUT_MS = 5_000;

/** The stream of the requests. */
const STREAM = streamOf(rebuildDecider.category, BUILT_IN);

/** Most characters that are kept of an error. */
const MAX_ERROR_LENGTH = 500;

/**
 * The rebuilds of the built-in read models that are asked for over the API: events in a stream of their own, so that
 * any process can ask, the one that projects carries out what was asked for, and another goes on with it after a crash.
 */
export class RebuildRequests {
  readonly #handler: CommandHandler;
  readonly #clock: Ports['clock'];
  readonly #ids: Ports['ids'];
  readonly #store: Ports['store'];
  /** The newest revision of the stream (null: it has none) after which nothing was under way; undefined: not known yet. */
  #restsAt: Revision | null | undefined;

  constructor({ store, clock, ids }: Ports) {
    this.#store = store;
    this.#handler = createCommandHandler({ store, clock, ids });
    this.#clock = clock;
    this.#ids = ids;
  }

  /**
   * Asks for a rebuild; while one is under way nothing is recorded.
   * @throws {StoreUnavailable}
   */
  async request(origin: Origin): Promise<void> {
    await this.#handle({ type: 'RequestRebuild', data: { rebuildId: this.#ids.next() } }, origin);
  }

  /** The one that was asked for last; null: none was yet. @throws {StoreUnavailable} */
  async newest(): Promise<RequestedRebuild | null> {
    let [state, newest]: [Rebuild | null, RequestedRebuild | null] = [rebuildDecider.initial, null];
    for await (const batch of this.#handler.readEvents(STREAM)) {
      for (const event of batch) {
        state = rebuildDecider.replay(state, event);
        if (state !== null) newest = followed(newest, state, event.metadata);
      }
    }
    return newest;
  }

  /**
   * Whether one is under way that has yet to be built: a look at one event, as long as there is no later one. Of one that
   * is current by now, it is recorded that it has ended.
   * @throws {StoreUnavailable}
   */
  async isWanted({ current }: GenerationState): Promise<boolean> {
    const newest = (await this.#store.readNewest(STREAM))?.revision ?? null;
    if (newest === this.#restsAt) return false;
    const found = await this.#underWay();
    if (found === null) {
      this.#restsAt = newest;
      return false;
    }
    if (found.generation !== current.namespace) return true;
    await this.#record(found, { type: 'EndRebuild', data: { rebuildId: found.id, error: null } });
    return false;
  }

  /**
   * Carries one out that is under way, if any: what `build` makes in a namespace is what was asked for.
   * @throws {StoreUnavailable} what `build` throws, too: it is recorded then, except where another attempt may succeed.
   */
  async carryOut<T>(generation: string, build: () => Promise<T>): Promise<T> {
    const found = await this.#underWay();
    if (found === null) return build();
    const { id: rebuildId } = found;
    await this.#record(found, { type: 'StartRebuild', data: { rebuildId, generation } });
    return build().catch(async (error: unknown) => {
      const mayPass = error instanceof StoreUnavailable && !(error instanceof StoreFull);
      if (!mayPass) await this.#record(found, { type: 'EndRebuild', data: { rebuildId, error: textOf(error) } });
      throw error;
    });
  }

  async #underWay(): Promise<RequestedRebuild | null> {
    const newest = await this.newest();
    return newest === null || newest.endedAt !== null ? null : newest;
  }

  /** In the name of the process, under the request that asked for it. */
  async #record({ requestId }: RequestedRebuild, command: RebuildCommand): Promise<void> {
    await this.#handle(command, { correlationId: requestId, deadline: this.#clock.now() + RECORD_TIMEOUT_MS });
  }

  async #handle(command: RebuildCommand, origin: Origin): Promise<void> {
    requireSuccess(await this.#handler.handle({ decider: rebuildDecider, id: BUILT_IN, command, origin }));
  }
}

/** @throws {Error} for a refusal, of which the decider has none. */
function requireSuccess(outcome: CommandOutcome<unknown>): void {
  if (outcome instanceof Rejection) throw new Error(outcome.detail);
}

/** A rebuild after one of its events. */
function followed(
  before: RequestedRebuild | null,
  { id, generation, ended, error }: Rebuild,
  metadata: EventMetadata,
): RequestedRebuild {
  const { occurredAt } = metadata;
  const known = before?.id === id ? before : asked(id, metadata);
  return {
    ...known,
    startedAt: known.startedAt ?? (generation === null ? null : occurredAt),
    generation,
    endedAt: ended ? occurredAt : null,
    error,
  };
}

function asked(id: string, { occurredAt, apiKeyId, licenseId, correlationId }: EventMetadata): RequestedRebuild {
  return {
    id,
    requestedAt: occurredAt,
    requestId: correlationId,
    apiKeyId: apiKeyId ?? null,
    licenseId: licenseId ?? null,
    startedAt: null,
    generation: null,
    endedAt: null,
    error: null,
  };
}

function textOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_LENGTH);
}
