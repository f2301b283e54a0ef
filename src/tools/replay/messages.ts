import type { Position, RecordedEvent } from '../../service/kernel/ports/event-store.ts';
import type { StoreSettings } from '../../service/stores/stores.ts';
import type { Bound } from '../history/bounds.ts';
import type { ModuleSource } from './module.ts';
import type { OutputTarget, WrittenCollection } from './output.ts';

/** Destination of the documents of a replay. */
export type Destination =
  | { readonly kind: 'namespace'; readonly name: string; readonly fresh: boolean }
  | { readonly kind: 'output'; readonly target: OutputTarget; readonly fresh: boolean };

/** A replay to be run by a worker. */
export interface ReplayTask {
  readonly source: ModuleSource;
  readonly fingerprint: string;
  /** Settings of the event store to read. */
  readonly events: Pick<StoreSettings, 'dataDir' | 'eventStoreUrl' | 'storeTimeoutMs'>;
  /** The same store as text for people, without a password. */
  readonly from: string;
  /** The stores that the environment names: a destination of kind `namespace` is in its read store. */
  readonly settings: StoreSettings;
  readonly destination: Destination;
  readonly until: Bound | null;
  readonly follow: boolean;
}

/** Result of a replay. */
export interface ReplaySummary {
  /** False when it was interrupted; another run can resume it. */
  readonly complete: boolean;
  /** Events handled by this run. */
  readonly events: number;
  /** Checkpoints at which this run began and ended. */
  readonly from: Position | null;
  readonly position: Position | null;
  /** Documents by collection. */
  readonly written: readonly WrittenCollection[];
}

/** Why a replay failed. */
export interface ReplayFailure {
  readonly message: string;
  /** The event on which the module failed. */
  readonly event: Pick<RecordedEvent, 'type' | 'stream' | 'position'> | null;
}

/** A message from the worker to the command. */
export type WorkerMessage =
  | { readonly kind: 'started'; readonly from: Position | null; readonly head: Position | null }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'done'; readonly summary: ReplaySummary }
  | { readonly kind: 'failed'; readonly failure: ReplayFailure }
  /** A fault of this program: its stack. */
  | { readonly kind: 'fault'; readonly stack: string };

/** The data that a worker is started with. */
export interface WorkerData {
  readonly task: ReplayTask;
  /** Of a `SharedReplayState`. */
  readonly buffer: SharedArrayBuffer;
}
