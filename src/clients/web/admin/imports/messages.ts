import type { DriverAnswer } from '../../../import/drivers.ts';
import type { LeftOut } from '../../../import/plan-files.ts';
import type { PastImports } from '../../../import/past-imports.ts';
import type { Game } from '../../../import/planned-file.ts';
import type { SessionSummary } from '../../../import/session-summary.ts';

/** A file that somebody has given to the page. */
export interface GivenFile {
  /** Its path in the folder that was given, else its name. */
  readonly path: string;
  readonly file: File;
}

/** An answer to who the driver of a key is. */
export interface GivenAnswer extends DriverAnswer {
  readonly key: string;
}

/** The simulator that somebody has chosen for the files of a game. */
export type SimulatorChoice = readonly [game: Game, simulatorId: string];

/** What the page asks of the worker. */
export type WorkerRequest =
  | { readonly kind: 'sign-in'; readonly url: string; readonly token: string }
  | { readonly kind: 'read'; readonly files: readonly GivenFile[] }
  | {
      readonly kind: 'prepare';
      readonly simulators: readonly SimulatorChoice[];
      readonly answers: readonly GivenAnswer[];
    }
  | {
      readonly kind: 'send';
      readonly eventId: string | null;
      readonly eventName: string;
      /** ISO 8601; null: when each file was last changed. */
      readonly drivenAt: string | null;
    }
  | { readonly kind: 'past'; readonly pages: number }
  | { readonly kind: 'undo'; readonly importId: string };

/** A request with its number, by which its answers are told from others. */
export interface NumberedRequest {
  readonly number: number;
  readonly request: WorkerRequest;
}

/** Laps that wait for a mapping: what the game calls the car or the layout (null: the file does not say), and how many. */
export type Unmapped = readonly [identifier: string | null, laps: number];

/** A file, as the page shows it before it is sent. */
export interface FilePreview {
  readonly path: string;
  readonly importId: string;
  readonly game: Game;
  /** Empty: the service has no simulator of the game. */
  readonly simulatorId: string;
  readonly simulatorName: string;
  readonly sessions: readonly SessionSummary[];
  /** What is odd, in sentences of the parsers. */
  readonly notes: readonly string[];
  /** Laps with a time and a driver. */
  readonly timedLaps: number;
  /** Those of them that can be sent now. */
  readonly laps: number;
  readonly recordedBefore: number;
  readonly waiting: number;
  readonly unmappedCars: readonly Unmapped[];
  readonly unmappedLayouts: readonly Unmapped[];
}

/** A participant who may be a driver. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** When they were entered, ISO 8601. */
  readonly createdAt: string;
}

/** A driver of the files, and who that is. `people`: those who may be meant; one, where it is known. */
export interface DriverPreview {
  readonly key: string;
  readonly name: string;
  readonly outcome: 'known' | 'by-name' | 'chosen' | 'new' | 'namesakes';
  readonly people: readonly Person[];
  /** The id of who it would be if nobody had said anything; null: not known. */
  readonly insteadOf: string | null;
}

export interface Preview {
  readonly files: readonly FilePreview[];
  readonly drivers: readonly DriverPreview[];
}

/** What has become of the laps of a file. */
export interface FileReport {
  readonly path: string;
  readonly importId: string;
  readonly eventId: string;
  readonly recorded: number;
  readonly recordedBefore: number;
  readonly waiting: number;
  readonly refused: readonly { readonly reason: string; readonly laps: number }[];
}

export interface Report {
  readonly files: readonly FileReport[];
  readonly checkedIn: number;
  /** Drivers whose records are another licence's. */
  readonly notRemembered: readonly string[];
}

/** Why a request failed. */
export interface WorkerFailure {
  /** The status of the service's answer; null: the service has not refused anything. */
  readonly status: number | null;
  /** What went wrong, in words of the service or of programs. */
  readonly message: string;
}

/** What the worker answers. */
export type WorkerResult =
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'read'; readonly files: number; readonly leftOut: readonly LeftOut[] }
  | { readonly kind: 'prepare'; readonly preview: Preview }
  | { readonly kind: 'send'; readonly report: Report }
  | { readonly kind: 'past'; readonly past: PastImports }
  | { readonly kind: 'undo'; readonly recorded: number; readonly struck: number };

export type WorkerAnswer =
  | { readonly number: number; readonly outcome: 'progress'; readonly done: number; readonly of: number }
  | { readonly number: number; readonly outcome: 'done'; readonly result: WorkerResult }
  | { readonly number: number; readonly outcome: 'failed'; readonly failure: WorkerFailure };
