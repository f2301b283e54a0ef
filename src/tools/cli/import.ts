import { connect, Refused, type Connection } from '../../clients/connection.ts';
import type { DriverAnswer, DriverAnswers } from '../../clients/import/drivers.ts';
import { fileAt, filesIn } from '../../clients/import/files.ts';
import { ImportRig } from '../../clients/import/import-rig.ts';
import { planFiles } from '../../clients/import/plan-files.ts';
import { prepareImport, sendImport, type PreparedImport } from '../../clients/import/run-import.ts';
import { undoImport } from '../../clients/import/undo.ts';
import { UnreadableSource } from '../../clients/import/unreadable-source.ts';
import { readResults } from '../../clients/results/read-results.ts';
import { MAX_FILE_BYTES } from '../../clients/results/text.ts';
import { command, EXIT, flag, localUrl, pastMoment, required, serviceUrl, text, UsageError } from './command.ts';
import type { Environment, Given, OptionValues } from './command.ts';
import { answersForNobody, doubtsIn, driverAnswer, lineOfLeftOut, previewOf, reportOf } from './import-report.ts';

const SYNTAX = {
  name: 'import',
  about: `
Reads result files of games, shows the sessions, laps, drivers, cars and layouts that it would send, and what is odd
about them, and sends the laps to the service. On a terminal it asks before it sends; elsewhere it sends with --send only.
Each lap is recorded once, however often a file is imported. docs/results.md lists the games.`,
  options: {
    send: flag('sends without asking'),
    plan: flag(
      'shows the plan of one file, one JSON document, on standard output, and sends nothing; needs no service',
    ),
    undo: text('ID', 'strikes the laps that the import with this id has recorded'),
    event: text('ID', 'the event of the laps; default: one is made for the files'),
    'event-name': text('NAME', 'the name of an event that is made; default: Imported results'),
    simulator: text('ID', 'the simulator whose mappings count; default: the one that is called as the game is'),
    driver: {
      ...text('NAME=ID', 'the participant that a driver is, or NAME=new; NAME: as shown; may be given several times'),
      multiple: true,
    },
    'driven-at': text(
      'TIME',
      'when the laps were driven, ISO 8601 with a zone; default: when each file was last changed',
    ),
    url: text('URL', 'the service; default: http://127.0.0.1:PORT, with 8080 as PORT'),
    token: text('TOKEN', 'a key of the venue, of role CRUD; default: BOOTSTRAP_ADMIN_TOKEN'),
  },
  notes: `
FILE is a result file, a folder or a zip archive. The game and the encoding are told from the content, never the name.
Exit codes: 0 a plan or a preview was shown, or all laps are recorded; 1 a file cannot be read, or some laps are not
recorded; 2 wrong usage.`,
  argument: 'FILE…',
} as const;

type Values = OptionValues<typeof SYNTAX.options>;
type Call = Given<typeof SYNTAX.options>;

export const run = command(SYNTAX, async (call) => {
  const { values, allArguments: paths, err, signal } = call;
  try {
    if (values.plan === true) return await plan(call);
    if (values.undo !== undefined) return await undo(call, values.undo);
    if (paths.length === 0) throw new UsageError('FILE is missing');
    return await importFiles(call);
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    if (!(error instanceof Refused || error instanceof UnreadableSource)) throw error;
    err.write(`${error.message}\n`);
    return EXIT.failed;
  }
});

/** Shows the plan of one file. @throws {UnreadableSource} */
async function plan({ out, values, allArguments: paths }: Call): Promise<number> {
  const [path] = paths;
  if (path === undefined) throw new UsageError('FILE is missing');
  if (paths.length > 1) throw new UsageError('--plan takes one FILE');
  if (values.send === true || values.undo !== undefined) throw new UsageError('--plan sends nothing');
  const results = readResults(await fileAt(path, MAX_FILE_BYTES));
  if (results.outcome === 'refused') throw new UnreadableSource(path, results.reason);
  out.write(`${JSON.stringify(results.plan, null, 2)}\n`);
  return EXIT.done;
}

/** @throws {Refused} */
async function undo({ out, err, env, values, allArguments: paths, signal, waiting }: Call, importId: string) {
  if (paths.length > 0) throw new UsageError('--undo takes the id of an import, and no FILE');
  if (values.send === true) throw new UsageError('--undo sends no laps');
  const venue = connect({ ...serviceOf(values, env), signal, waiting });
  const { recorded, struck } = await undoImport(venue, await ImportRig.find(venue), importId);
  if (recorded === 0) {
    err.write(`There is no import ${importId} that has recorded laps\n`);
    return EXIT.failed;
  }
  out.write(`Import ${importId} is undone: ${struck} laps are struck. The other ${recorded - struck} did not count.\n`);
  return EXIT.done;
}

/** @throws {UnreadableSource} @throws {Refused} */
async function importFiles(call: Call): Promise<number> {
  const { out, err, env, values, allArguments: paths, signal, waiting, ask } = call;
  const venue = connect({ ...serviceOf(values, env), signal, waiting });
  const answers = answersIn(values.driver ?? []);
  const written = values['driven-at'];
  const drivenAt = written === undefined ? null : new Date(pastMoment('driven-at', written)).toISOString();
  const files = await planFiles(filesIn(paths, MAX_FILE_BYTES), (file) => err.write(lineOfLeftOut(file)));
  if (files.length === 0) {
    err.write('There is no result file of a game that is known\n');
    return EXIT.failed;
  }
  const [nobody] = answersForNobody(files, answers);
  if (nobody !== undefined) throw new UsageError(`--driver: no driver of these files is called "${nobody}"`);
  const simulatorId = values.simulator ?? null;
  let prepared = await prepareImport(venue, files, () => simulatorId, answers);
  out.write(previewOf(prepared));
  if (values.send !== true && ask === undefined) {
    out.write('Nothing is sent: --send sends.\n');
    return EXIT.done;
  }
  if (doubtsIn(prepared) > 0 && ask !== undefined) {
    prepared = await withoutDoubts(prepared, venue, simulatorId, answers, ask);
  }
  if (doubtsIn(prepared) > 0) {
    err.write('Nothing is sent: say with --driver who each driver is that has namesakes\n');
    return EXIT.failed;
  }
  if (values.send !== true && ask !== undefined && (await ask('Send these laps? [y/N] ')).toLowerCase() !== 'y') {
    out.write('Nothing is sent.\n');
    return EXIT.done;
  }
  const eventName = values['event-name'] ?? 'Imported results';
  const sent = await sendImport(venue, prepared, { eventId: values.event ?? null, eventName, drivenAt, signal });
  out.write(reportOf(sent));
  const isComplete = sent.files.every((one) => one.refused.length === 0 && one.prepared.waiting === 0);
  return isComplete ? EXIT.done : EXIT.failed;
}

/** Asks who each driver is that has namesakes. */
async function withoutDoubts(
  prepared: PreparedImport,
  venue: Connection,
  simulatorId: string | null,
  answers: DriverAnswers,
  ask: (question: string) => Promise<string>,
): Promise<PreparedImport> {
  const all = new Map(answers);
  for (const match of prepared.drivers) {
    if (match.outcome !== 'namesakes') continue;
    const answer = await driverAnswer(match.driver, match.candidates, ask);
    if (answer === 'unknown') return prepared;
    all.set(match.driver.key, { participantId: answer, insteadOf: null });
  }
  const files = prepared.files.map(({ file }) => file);
  return prepareImport(venue, files, () => simulatorId, all);
}

function serviceOf(values: Values, env: Environment) {
  return {
    url: serviceUrl(values.url ?? localUrl(env)),
    token: required('token', values.token ?? env['BOOTSTRAP_ADMIN_TOKEN']),
  };
}

/** @throws {UsageError} */
function answersIn(options: readonly string[]): DriverAnswers {
  const answers = new Map<string, DriverAnswer>();
  for (const option of options) {
    const equals = option.lastIndexOf('=');
    const name = option.slice(0, Math.max(equals, 0));
    const id = option.slice(equals + 1).toLowerCase();
    if (name === '' || (id !== 'new' && !/^[0-9a-f-]{36}$/.test(id))) {
      throw new UsageError(`--driver takes NAME=ID or NAME=new, not "${option}"`);
    }
    answers.set(name, { participantId: id === 'new' ? null : id, insteadOf: null });
  }
  return answers;
}
