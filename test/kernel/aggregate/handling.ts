import { expect } from 'chai';
import type { WritableStore } from '../../../src/kernel/aggregate/claims.ts';
import {
  createCommandHandler,
  type CommandHandler,
  type CommandSuccess,
  type CommandOutcome,
  type CommandRequest,
} from '../../../src/kernel/aggregate/command-handler.ts';
import type { EventStore } from '../../../src/kernel/ports/event-store.ts';
import type { Clock, Ids } from '../../../src/kernel/ports/system.ts';
import { gathered } from '../../support/event-store/events.ts';
import { memoryEventStore } from '../../support/event-store/memory-event-store.ts';
import { thing, type Thing, type ThingCommand } from '../../support/simulation/things.ts';

/** When every test's commands happen, epoch ms and ISO 8601. */
export const NOW = Date.UTC(2026, 0, 1, 12);
export const NOW_ISO = '2026-01-01T12:00:00.000Z';

type ThingRequest = CommandRequest<Thing | null, ThingCommand>;

let ids = 0;

/** Counts: different ids, no more is asked of them. */
const counted: Ids = { next: () => `id-${ids++}`, random: () => `id-${ids++}`, derived: (...parts) => parts.join() };

/**
 * A handler over a store, at a moment that stands still unless `now` says otherwise. Pauses are over at once; `onPause` is
 * called with how many ms each would take.
 */
export function handlerOf(
  store: WritableStore,
  now: () => number = () => NOW,
  onPause: (ms: number) => void = () => undefined,
): CommandHandler {
  const after: Clock['after'] = (ms, run) => {
    onPause(ms);
    setImmediate(run);
    return () => undefined;
  };
  const clock: Clock = { now, monotonic: now, after };
  return createCommandHandler({ store, clock, ids: counted });
}

/** A store in which thing 1 was made, without a key unless one is said. */
export async function withThing(key: string | null = null): Promise<EventStore> {
  const store = memoryEventStore();
  await handlerOf(store).handle(making('1', key));
  return store;
}

/** A request to make a thing with a key, or without (null). */
export function making(id: string, key: string | null, more: Partial<ThingRequest> = {}): ThingRequest {
  return asking(id, { type: 'MakeThing', data: { key, note: 'made' } }, more);
}

/** A request to change a thing. */
export function changing(
  id: string,
  data: Extract<ThingCommand, { type: 'ChangeThing' }>['data'],
  more: Partial<ThingRequest> = {},
): ThingRequest {
  return asking(id, { type: 'ChangeThing', data }, more);
}

function asking(id: string, command: ThingCommand, more: Partial<ThingRequest>): ThingRequest {
  const origin = { correlationId: `request-${id}`, apiKeyId: 'key-1', role: 'CRUD', deadline: NOW + 1_000 };
  return { decider: thing, id, commands: [command], origin, ...more };
}

/** The store, but before the first append to a stream whose name starts so, something else happens. */
export function beforeAppend<S extends WritableStore>(store: S, stream: string, happen: () => Promise<unknown>): S {
  let happened = false;
  return {
    ...store,
    append: async (...args: Parameters<EventStore['append']>) => {
      if (!happened && args[0].startsWith(stream)) {
        happened = true;
        await happen();
      }
      return store.append(...args);
    },
  };
}

type Handle = (handler: CommandHandler) => Promise<unknown>;

/** A process that stops for ever before its first append to such a stream; resolves when it is there. */
export function stopBefore(store: WritableStore, stream: string, handle: Handle): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopped = beforeAppend(store, stream, () => {
      resolve();
      return new Promise(() => undefined);
    });
    handle(handlerOf(stopped)).then(() => reject(new Error(`never appended to ${stream}`)), reject);
  });
}

/** The outcome, which must be done. */
export function expectDone(outcome: CommandOutcome<Thing | null>): CommandSuccess<Thing | null> {
  if (!('outcome' in outcome) || outcome.outcome !== 'done') expect.fail(`not done: ${JSON.stringify(outcome)}`);
  return outcome;
}

/** What a stream holds, as `<type>:<note or key as JSON>`. */
export async function describeEvents(store: WritableStore, stream: string): Promise<readonly string[]> {
  const events = await gathered(store.readStream(stream));
  return events.map(({ type, data }) => `${type}:${JSON.stringify(data['note'] ?? data['key'] ?? data['to'] ?? null)}`);
}
