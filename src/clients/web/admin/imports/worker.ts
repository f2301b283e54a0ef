import { connect, Refused, type Connection } from '../../../connection.ts';
import { peopleOf, type MatchedDriver, type Participant } from '../../../import/drivers.ts';
import { Budget, filesOf, type FoundFile } from '../../../import/found-file.ts';
import { ImportRig } from '../../../import/import-rig.ts';
import { pastImports } from '../../../import/past-imports.ts';
import { planFiles, type LeftOut } from '../../../import/plan-files.ts';
import type { PlannedFile } from '../../../import/planned-file.ts';
import {
  prepareImport,
  sendImport,
  type PreparedFile,
  type PreparedImport,
  type SentImport,
} from '../../../import/run-import.ts';
import { summaryOf } from '../../../import/session-summary.ts';
import { undoImport } from '../../../import/undo.ts';
import { UnreadableSource } from '../../../import/unreadable-source.ts';
import { MAX_FILE_BYTES } from '../../../results/text.ts';
import type {
  DriverPreview,
  FilePreview,
  GivenFile,
  NumberedRequest,
  Person,
  Report,
  WorkerAnswer,
  WorkerFailure,
  WorkerRequest,
  WorkerResult,
} from './messages.ts';

/*
 * Reads result files and imports them, beside the page, which stays free for people meanwhile. Files, plans and laps stay
 * here: the page gets what it shows. Requests are answered one at a time.
 */

type Progress = (done: number, of: number) => void;

let venue: Connection | null = null;
let files: readonly PlannedFile[] = [];
let prepared: PreparedImport | null = null;
let last: Promise<void> = Promise.resolve();

addEventListener('message', ({ data }: MessageEvent<NumberedRequest>) => {
  last = last.then(() => answer(data));
});

function say(message: WorkerAnswer): void {
  postMessage(message);
}

async function answer({ number, request }: NumberedRequest): Promise<void> {
  const onProgress: Progress = (done, of) => say({ number, outcome: 'progress', done, of });
  try {
    const result = await resultOf(request, onProgress);
    say({ number, outcome: 'done', result });
  } catch (error) {
    say({ number, outcome: 'failed', failure: failureOf(error) });
  }
}

function failureOf(error: unknown): WorkerFailure {
  const message = error instanceof Error ? error.message : String(error);
  return { status: error instanceof Refused ? error.status : null, message };
}

async function resultOf(request: WorkerRequest, onProgress: Progress): Promise<WorkerResult> {
  switch (request.kind) {
    case 'sign-in':
      venue = connect({ url: request.url, token: request.token, signal: new AbortController().signal });
      return { kind: 'sign-in' };
    case 'read':
      return read(request.files, onProgress);
    case 'prepare': {
      const simulators = new Map(request.simulators);
      const answers = new Map(request.answers.map((answer) => [answer.key, answer]));
      prepared = await prepareImport(signedIn(), files, (game) => simulators.get(game) ?? null, answers);
      const drivers = prepared.drivers.map(driverPreview);
      return { kind: 'prepare', preview: { files: prepared.files.map(filePreview), drivers } };
    }
    case 'send': {
      if (prepared === null) throw new Error('nothing was prepared');
      const { eventId, eventName, drivenAt } = request;
      const signal = new AbortController().signal;
      const sent = await sendImport(signedIn(), prepared, { eventId, eventName, drivenAt, signal, onProgress });
      return { kind: 'send', report: reportOf(sent) };
    }
    case 'past':
      return { kind: 'past', past: await pastImports(await ImportRig.find(signedIn()), request.pages) };
    case 'undo': {
      const rig = await ImportRig.find(signedIn());
      const { recorded, struck } = await undoImport(signedIn(), rig, request.importId, onProgress);
      return { kind: 'undo', recorded, struck };
    }
  }
}

function signedIn(): Connection {
  if (venue === null) throw new Error('nobody is signed in');
  return venue;
}

async function read(given: readonly GivenFile[], onProgress: Progress): Promise<WorkerResult> {
  const leftOut: LeftOut[] = [];
  const onLeftOut = (file: LeftOut): void => {
    leftOut.push(file);
  };
  files = [];
  prepared = null;
  files = await planFiles(found(given, onLeftOut, onProgress), onLeftOut);
  return { kind: 'read', files: files.length, leftOut };
}

/** The given files, and those in archives, one at a time. What cannot be read is left out. */
async function* found(
  given: readonly GivenFile[],
  onLeftOut: (file: LeftOut) => void,
  onProgress: Progress,
): AsyncGenerator<FoundFile> {
  const budget = new Budget(MAX_FILE_BYTES);
  let done = 0;
  for (const { path, file } of given) {
    onProgress(done, given.length);
    try {
      budget.spend(path, file.size);
      const bytes = new Uint8Array(await file.arrayBuffer());
      yield* filesOf({ path, bytes, changedAt: file.lastModified, isNamed: false }, budget);
    } catch (error) {
      if (error instanceof UnreadableSource) {
        onLeftOut({ path: error.path, why: 'unreadable', reason: error.reason });
      } else if (error instanceof DOMException) {
        // It was moved, or may not be read.
        onLeftOut({ path, why: 'unreadable', reason: 'it cannot be opened any more' });
      } else {
        throw error;
      }
    }
    done += 1;
  }
}

function filePreview(one: PreparedFile): FilePreview {
  const { file, importId, mappings, laps, recordedBefore, waiting, unmappedCars, unmappedLayouts } = one;
  return {
    path: file.path,
    importId,
    game: file.game,
    simulatorId: mappings?.simulatorId ?? '',
    simulatorName: mappings?.simulatorName ?? '',
    sessions: file.plan.sessions.map(summaryOf),
    notes: file.notes,
    timedLaps: file.laps.length,
    laps: laps.length,
    recordedBefore,
    waiting,
    unmappedCars: [...unmappedCars],
    unmappedLayouts: [...unmappedLayouts],
  };
}

function driverPreview(match: MatchedDriver): DriverPreview {
  const { driver, outcome } = match;
  const { key, name } = driver;
  return { key, name, outcome, people: peopleOf(match).map(personOf), insteadOf: insteadOf(match) };
}

/** The id of who a driver would be if nobody had said anything; null: not known. */
function insteadOf(match: MatchedDriver): string | null {
  const isSaid = match.outcome === 'chosen' || match.outcome === 'new';
  const [person] = isSaid ? match.insteadOf : peopleOf(match);
  return person?.id ?? null;
}

function personOf({ id, firstName, lastName, email, createdAt }: Participant): Person {
  return { id, name: `${firstName} ${lastName}`.trim(), email, createdAt };
}

function reportOf({ files: sent, checkedIn, notRemembered }: SentImport): Report {
  return {
    files: sent.map(({ prepared: one, eventId, recorded, recordedBefore, refused }) => ({
      path: one.file.path,
      importId: one.importId,
      eventId: eventId ?? '',
      recorded,
      recordedBefore,
      waiting: one.waiting,
      refused,
    })),
    checkedIn,
    notRemembered,
  };
}
