import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openLmdbEventStore } from '../../../infra/lmdb/event-store.ts';
import { BUILT_IN } from '../../../src/service/resources/built-in.ts';
import type { GenerationState } from '../../../src/service/projector/generation-state.ts';
import { openStores } from '../../../src/service/stores/stores.ts';
import { withGenerations, type ProjectionStores } from '../../../src/service/projector/generations.ts';
import { callCommand, runCommand, startCommand } from './command-process.ts';
import { newEvent } from '../event-store/events.ts';
import type { HistoryEvent } from '../kernel/projecting.ts';
import { expectSameAsRebuilt } from './rebuild.ts';
import { PATIENCE_MS, until } from './waits.ts';
import { preloading, RETIRE_AFTER_MS, type Ending, type Running } from './world.ts';
import { appendLaps, world } from '../simulation/laps.ts';
import { recorded } from '../history/lap-events.ts';
import { chancesOf } from '../simulation/random.ts';

/** Laps that are appended at once. */
const WAVE = 2_000;

const settingsOf = (dataDir: string) => ({
  dataDir,
  eventStoreUrl: null,
  mongodbUrl: null,
  storeTimeoutMs: PATIENCE_MS,
});

/** Appends a varied history of laps, and then `more` laps that are never changed. */
export async function recordLaps(dataDir: string, more: number): Promise<void> {
  const store = await openLmdbEventStore({ path: join(dataDir, 'events') });
  await appendLaps(store, chancesOf(5), 200);
  for (let made = 0; made < more; made += WAVE) {
    const length = Math.min(WAVE, more - made);
    const laps = Array.from({ length }, (_, n) => lap(made + n));
    await Promise.all(laps.map(({ stream, type, data }) => store.append(stream, [newEvent(type, data)], 'no_stream')));
  }
  await store.close();
}

function lap(n: number): HistoryEvent {
  const pick = (ids: readonly string[]): string => ids[n % ids.length] ?? '';
  const { participantIds, rigIds, eventIds, carIds, trackIds } = world;
  const ids = { participantId: pick(participantIds), rigId: pick(rigIds), eventId: pick(eventIds) };
  return recorded(randomUUID(), [30_000, 30_000 + n], { ...ids, carId: pick(carIds), trackId: pick(trackIds) });
}

/** Opens the stores of a data directory, as another process would, while `work` runs. */
export async function withStores<T>(dataDir: string, work: (stores: ProjectionStores) => Promise<T>): Promise<T> {
  const stores = await withGenerations(await openStores(settingsOf(dataDir)), { retireAfterMs: RETIRE_AFTER_MS });
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
}

/** Waits for a state of the generations. */
export function untilState(dataDir: string, wanted: (state: GenerationState) => boolean): Promise<GenerationState> {
  return withStores(dataDir, ({ generations }) => until(() => generations.refresh(), wanted));
}

/** Checkpoint of a namespace; null if it does not exist. */
export function checkpointOf(dataDir: string, namespace: string): Promise<number | null> {
  return withStores(dataDir, async ({ generations }) => (await generations.open(namespace)).checkpoint());
}

const environmentOf = (dataDir: string) => ({ DATA_DIR: dataDir, RETIRE_AFTER_MS: String(RETIRE_AFTER_MS) });

export function startTiming(dataDir: string, ...args: readonly string[]): Running {
  return startCommand(args, environmentOf(dataDir));
}

/** Environment of a process that pauses right before it writes past a position into its nth read models. */
export const stoppingBefore = (position: number, models = 1) =>
  preloading('./stop-point', {
    STOP_BEFORE: String(position),
    STOP_IN: String(models),
    // Its lease outlives the pause.
    LEASE_TERM_MS: '600000',
  });

/** Starts a command and waits until it has paused right before it writes past a position. */
export async function startStopping(dataDir: string, position: number, ...args: readonly string[]): Promise<Running> {
  const running = startCommand(args, { ...environmentOf(dataDir), ...stoppingBefore(position) });
  await running.said(/^Stopped$/m);
  return running;
}

/** Sends a signal to a paused process, resumes it, and waits for its end. */
export function endStopped(running: Running, signal: NodeJS.Signals): Promise<Ending> {
  const ended = running.end(signal);
  running.child.kill('SIGCONT');
  return ended;
}

/** Runs a command to its end in a separate process. */
export function timingApart(dataDir: string, ...args: readonly string[]) {
  return runCommand(args, environmentOf(dataDir));
}

/** Runs a command to its end in this process. */
export function timing(dataDir: string, ...args: readonly string[]) {
  return callCommand(args, environmentOf(dataDir));
}

/** The current read models equal a rebuild; resolves to the number of documents. */
export function expectAsRebuilt(dataDir: string): Promise<number> {
  return expectSameAsRebuilt(settingsOf(dataDir));
}

/** The n-th generation. */
export function generation(n: number): string {
  return n === 1 ? BUILT_IN : `${BUILT_IN}-${n}`;
}
