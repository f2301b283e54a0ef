import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, Failure, Refused, type Connection, type WaitObserver } from '../connection.ts';
import { LapQueue } from '../delivery/lap-queue.ts';
import type { SeatSettings } from '../delivery/send-laps.ts';
import { ServiceClock } from '../delivery/service-clock.ts';
import { nodeFetch } from '../node-fetch.ts';
import type { BridgeStatus } from './bridge-status.ts';
import type { GameName } from './games/games.ts';
import { holdDirectory } from './hold-directory.ts';
import { LapJournal } from './lap-journal.ts';
import { LapKeeper } from './lap-keeper.ts';
import { LapSender } from './lap-sender.ts';
import { GameMappings } from './mappings.ts';
import { nameOfCapture } from './replay-capture.ts';

/** How long, in ms, it waits before it asks again of which rig a key is. */
const RETRY_MS = 10_000;
/** What is waited for longer than this, in ms, is shown. */
const PATIENCE_MS = 2_000;
/** What the name of a rig's key begins with; behind it is the id of its hardware. */
const KEY_NAME = /^Rig (.+)$/;

/** Hears what a game sends, or a capture, until it ends or the signal aborts. */
export interface Source {
  /** The capture that is played; null: the game is heard. */
  readonly capture: string | null;
  /** When the capture was begun, epoch ms; null: what is played is driven now. */
  readonly startedAt: number | null;
  /** How many times as fast as it was recorded a capture is played; 1 for a game. */
  readonly speed: number;
  readonly hear: (
    signal: AbortSignal,
    onPayload: (payload: Uint8Array, at: number) => void,
    onTick: (at: number) => void,
  ) => Promise<void>;
}

/** A bridge that sends laps. */
export interface BridgeOptions {
  readonly game: GameName;
  readonly source: Source;
  /** Where laps are kept. */
  readonly directory: string;
  readonly server: string;
  readonly key: string;
  /** Null: it is the one that the key was issued to. */
  readonly rigId: string | null;
  /** The simulator whose mappings count; null: those that are called as the game is. */
  readonly simulatorId: string | null;
  readonly withoutSeat: SeatSettings | null;
  /** Only laps of this driver or car are kept; null: all. */
  readonly only: string | null;
  readonly status: BridgeStatus;
  readonly signal: AbortSignal;
  readonly waiting: WaitObserver;
}

/**
 * Hears a game, or plays a capture, and sends the laps in it: each is on disk before it is sent, and sent until the service
 * has given its final answer. It ends when the signal aborts, and with a capture also once all of it is sent that can be.
 * @throws {Failure} when another bridge uses the directory, or the source cannot be read.
 */
export async function runBridge(options: BridgeOptions): Promise<void> {
  const { directory, source, signal, status } = options;
  mkdirSync(directory, { recursive: true });
  const release = await holdDirectory(directory);
  const stop = new AbortController();
  const running = { ...options, signal: AbortSignal.any([signal, stop.signal]) };
  try {
    const journal = new LapJournal(directory);
    const boot = new Date().toISOString().replaceAll(/[-:.]/g, '');
    const runName = source.capture === null ? boot : await nameOfCapture(source.capture, signal);
    for (const ended of await Promise.allSettled(startBoth(running, journal, boot, runName, stop))) {
      if (ended.status === 'rejected' && !isAbort(ended.reason)) throw ended.reason;
    }
  } finally {
    stop.abort();
    release();
    status.running = () => [];
  }
}

/** Hears and sends at the same time; once one of them fails, `stop` ends the other one. */
function startBoth(
  options: BridgeOptions,
  journal: LapJournal,
  boot: string,
  runName: string,
  stop: AbortController,
): readonly Promise<void>[] {
  const { source, signal, status } = options;
  const clock = new ServiceClock();
  const momentOf = momentsBy(clock, source);
  let sender: LapSender | null = null;
  let hasEnded = false;
  const onChange = (): void => {
    if (sender === null) status.unmapped = journal.waitingLaps;
    else sender.wake();
  };
  // Laps of earlier starts wait, too.
  onChange();
  const keeper = new LapKeeper({ ...options, journal, runName, momentOf, onChange });
  const hear = async (): Promise<void> => {
    try {
      await hearAll(source, keeper, signal);
      keeper.finish();
    } finally {
      hasEnded = true;
      sender?.wake();
    }
  };
  const send = async (): Promise<void> => {
    sender = await readySender(options, journal, clock, boot);
    await sender.run(() => hasEnded);
  };
  return [hear(), send()].map(async (work) => {
    try {
      await work;
    } catch (error) {
      stop.abort();
      throw error;
    }
  });
}

/** Hears a source to its end. A packet that cannot be kept, on a full disk, say, ends it. */
async function hearAll(source: Source, keeper: LapKeeper, signal: AbortSignal): Promise<void> {
  const broken = new AbortController();
  const guarded = (work: () => void): void => {
    try {
      if (!broken.signal.aborted) work();
    } catch (error) {
      broken.abort(error);
    }
  };
  await source.hear(
    AbortSignal.any([signal, broken.signal]),
    (payload, at) => guarded(() => keeper.hear(payload, at)),
    (at) => guarded(() => keeper.tick(at)),
  );
  if (broken.signal.aborted) throw broken.signal.reason;
}

/** When something came at `at`, epoch ms, while it is `now`, both in ms since the start. */
type MomentOf = (at: number, now: number) => number;

/** Moments by the clock of the service, or as many ms after the start of a capture. */
function momentsBy(clock: ServiceClock, { startedAt, speed }: Source): MomentOf {
  if (startedAt !== null) return (at) => startedAt + at;
  return (at, now) => clock.now() - (now - at) / speed;
}

/** A sender, once it is known of which rig the laps are. While the service does not say, laps are kept. */
async function readySender(
  options: BridgeOptions,
  journal: LapJournal,
  clock: ServiceClock,
  boot: string,
): Promise<LapSender> {
  const { game, directory, server, key, simulatorId, source, status, signal } = options;
  const client = connect({ url: server, token: key, signal, waiting: watchedBy(options), send: nodeFetch });
  client.use({ onResponse: ({ request, response }) => clock.learn(request, response) });
  const queue = new LapQueue(directory);
  status.queued = queue.sendable;
  const mappings = new GameMappings(client, server, game, simulatorId);
  let { rigId } = options;
  while (rigId === null) {
    try {
      rigId = await rigOfKey(client);
    } catch (error) {
      if (!(error instanceof Failure) || source.capture !== null) throw error;
      status.hasProblem(error.message);
      await pause(RETRY_MS, undefined, { signal });
    }
  }
  return new LapSender({ ...options, rigId, client, clock, journal, queue, mappings, boot });
}

/** The rig that a key was issued to. @throws {Failure} when the service does not say. */
async function rigOfKey(client: Connection): Promise<string> {
  const { data: key } = await client.answered(() => client.GET('/api/v1/api-keys/current'));
  const hardwareId = KEY_NAME.exec(key.name)?.[1];
  const unknown = `The service does not say of which rig the key "${key.name}" is: give --rig`;
  if (hardwareId === undefined) throw new Failure(unknown);
  const params = { path: { hardwareId } };
  try {
    const { data: rig } = await client.answered(() => client.GET('/api/v1/rigs/hardwareId/{hardwareId}', { params }));
    return rig.id;
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404) throw error;
    throw new Failure(unknown, { cause: error });
  }
}

/** Shows what is waited for. */
function watchedBy({ waiting, status }: BridgeOptions): WaitObserver {
  return {
    async during(what, work) {
      const since = performance.now();
      status.awaited = () => (performance.now() - since < PATIENCE_MS ? null : `waiting for ${what()}`);
      try {
        return await waiting.during(what, work);
      } finally {
        status.awaited = () => null;
      }
    },
  };
}

/** Whether somebody has ended the work that failed. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
