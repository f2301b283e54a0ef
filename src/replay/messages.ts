import type { Position } from '../kernel/ports/event-store.ts';
import type { StoreSettings } from '../stores/stores.ts';
import type { Bound } from '../history/bounds.ts';
import type { ModuleSource } from './module.ts';
import type { Target, Written } from './output.ts';

/** Where documents go. */
export type Destination =
  | { readonly kind: 'namespace'; readonly name: string; readonly fresh: boolean }
  | { readonly kind: 'output'; readonly target: Target; readonly fresh: boolean };

/** What a replay's worker is told. */
export interface Task {
  readonly source: ModuleSource;
  readonly fingerprint: string;
  /** Where the events are. */
  readonly events: Pick<StoreSettings, 'dataDir' | 'eventStoreUrl' | 'storeTimeoutMs'>;
  /** The same in words, without a password. */
  readonly from: string;
  /** The stores of the environment: its read store takes a namespace. */
  readonly settings: StoreSettings;
  readonly destination: Destination;
  readonly until: Bound | null;
  readonly follow: boolean;
}

/** What came of a replay. */
export interface Summary {
  /** False: told to stop, to be resumed. */
  readonly complete: boolean;
  /** Events handled by this run. */
  readonly events: number;
  /** Where this run began, and where it ended. */
  readonly from: Position | null;
  readonly position: Position | null;
  /** Documents by collection: of output, those that were written. */
  readonly written: readonly Written[];
}

/** An event that a module could not digest. */
export interface Stumble {
  readonly type: string;
  readonly stream: string;
  readonly position: Position;
}

/** Why a replay failed. */
export interface Failure {
  readonly message: string;
  readonly event: Stumble | null;
}

/** What a worker says. */
export type Told =
  | { readonly kind: 'begun'; readonly from: Position | null; readonly head: Position | null }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'done'; readonly summary: Summary }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** A fault of our own: its stack. */
  | { readonly kind: 'broken'; readonly stack: string };

/** What a worker is made with. */
export interface WorkerData {
  readonly task: Task;
  /** Of a `Place`. */
  readonly buffer: SharedArrayBuffer;
}
