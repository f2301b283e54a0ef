import type { DriverAnswers, MatchedDriver, Participant } from '../../clients/import/drivers.ts';
import type { FileDriver, PlannedFile } from '../../clients/import/planned-file.ts';
import type { PreparedFile, PreparedImport, SentImport } from '../../clients/import/run-import.ts';
import { summaryOf, type SessionSummary } from '../../clients/import/session-summary.ts';
import type { LeftOut } from '../../clients/import/plan-files.ts';

/** What an import would send, for people: files, sessions, what is odd, what is not mapped, and drivers. */
export function previewOf({ files, drivers }: PreparedImport): string {
  return [...files.flatMap(linesOfFile), ...linesOfDrivers(drivers)].map((line) => `${line}\n`).join('');
}

function linesOfFile(prepared: PreparedFile): readonly string[] {
  const { file, importId, mappings, laps, recordedBefore, unmappedCars, unmappedLayouts, waiting } = prepared;
  const { format, encoding, sessions } = file.plan;
  const lines = [`${file.path} (${format}, ${encoding}), import ${importId}`];
  for (const session of sessions) lines.push(`  ${lineOfSession(summaryOf(session))}`);
  for (const note of file.notes) lines.push(`  Note: ${note}`);
  lines.push(
    `  To be sent: ${laps.length} laps. Recorded before: ${recordedBefore}. Waiting for mappings: ${waiting}.`,
  );
  if (mappings === null && file.laps.length > 0) {
    lines.push(`  There is no simulator for this game: add one, or choose one with --simulator.`);
  }
  const simulator = mappings?.simulatorName ?? 'the simulator';
  for (const [car, count] of unmappedCars) {
    lines.push(`  Not mapped in ${simulator}: car ${car ?? 'a car that the file does not name'}, ${count} laps wait.`);
  }
  for (const [layout, count] of unmappedLayouts) {
    lines.push(
      `  Not mapped in ${simulator}: layout ${layout ?? 'a layout that the file does not name'}, ${count} laps wait.`,
    );
  }
  return lines;
}

function lineOfSession({ session, name, track, layout, laps, drivers, cars }: SessionSummary): string {
  const where = layout === null ? (track ?? 'an unknown track') : `${track ?? 'an unknown track'}/${layout}`;
  const called = name === null ? session : `${session} (${name})`;
  const who = drivers.length === 0 ? '' : `; drivers: ${drivers.join(', ')}`;
  const what = cars.length === 0 ? '' : `; cars: ${cars.join(', ')}`;
  return `${called} at ${where}: ${laps} laps${who}${what}`;
}

/** Why a file is left out. */
export function lineOfLeftOut(file: LeftOut): string {
  if (file.why === 'unreadable') return `Left out: ${file.path} cannot be read: ${file.reason}\n`;
  return `Left out: ${file.path} has the same content as ${file.as}\n`;
}

function linesOfDrivers(drivers: readonly MatchedDriver[]): readonly string[] {
  const lines: string[] = [];
  for (const match of drivers) {
    const { name, key } = match.driver;
    const driver = `Driver ${name} (${key})`;
    if (match.outcome === 'new') {
      lines.push(`${driver} is new, and will be checked in.`);
    } else if (match.outcome === 'known') {
      lines.push(`${driver} is ${personOf(match.participant)}, as before.`);
    } else if (match.outcome === 'by-name') {
      lines.push(`${driver} is ${personOf(match.participant)}, by name.`);
    } else if (match.outcome === 'chosen') {
      lines.push(`${driver} is ${personOf(match.participant)}, as you say.`);
    } else {
      lines.push(`${driver} may be each of these, or somebody new:`);
      for (const candidate of match.candidates) {
        lines.push(
          `  ${personOf(candidate)}, of ${candidate.createdAt.slice(0, 10)}: --driver "${key}=${candidate.id}"`,
        );
      }
      lines.push(`  somebody new: --driver "${key}=new"`);
    }
  }
  return lines;
}

function personOf({ firstName, lastName, email }: Participant): string {
  const name = `${firstName} ${lastName}`.trim();
  return email === '' ? name : `${name} <${email}>`;
}

/** How many drivers have namesakes of whom nobody said which they are. */
export function doubtsIn({ drivers }: PreparedImport): number {
  return drivers.filter(({ outcome }) => outcome === 'namesakes').length;
}

/** Names and keys of answers that no driver of the files has. */
export function answersForNobody(files: readonly PlannedFile[], answers: DriverAnswers): readonly string[] {
  const drivers = new Set<string>();
  for (const { laps } of files) {
    for (const { driver } of laps) drivers.add(driver.key).add(driver.name);
  }
  return [...answers.keys()].filter((named) => !drivers.has(named));
}

/** Asks which participant a driver is: the id, null for somebody new, `unknown` when the answer is none of them. */
export async function driverAnswer(
  { name, key }: FileDriver,
  candidates: readonly Participant[],
  ask: (question: string) => Promise<string>,
): Promise<string | null> {
  const choices = candidates.map(
    (one, index) => `  ${index + 1}: ${personOf(one)}, of ${one.createdAt.slice(0, 10)}\n`,
  );
  const answer = await ask(`Who is ${name} (${key})?\n${choices.join('')}  n: somebody new\n> `);
  if (answer.toLowerCase() === 'n') return null;
  return candidates[Number(answer) - 1]?.id ?? 'unknown';
}

/** What an import has done, for people. */
export function reportOf({ files, checkedIn, notRemembered }: SentImport): string {
  const lines: string[] = [];
  for (const { prepared, eventId, recorded, recordedBefore, refused } of files) {
    const event = eventId === null ? '' : ` in event ${eventId}`;
    lines.push(`Import ${prepared.importId}: ${recorded} laps recorded${event}, ${recordedBefore} recorded before.`);
    if (prepared.waiting > 0) {
      lines.push(`  ${prepared.waiting} laps wait for mappings: map them, and import the file again.`);
    }
    for (const { reason, laps } of refused) lines.push(`  ${laps} laps refused: ${reason}`);
  }
  lines.push(`Checked in: ${checkedIn} drivers.`);
  for (const name of notRemembered) lines.push(`${name} is not remembered: their record is another licence's.`);
  return lines.map((line) => `${line}\n`).join('');
}
