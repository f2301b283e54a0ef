import { Refused, type Connection } from '../connection.ts';
import type { components } from '../generated/api.ts';
import type { QueuedLap } from '../delivery/lap-queue.ts';
import { sendWaiting } from '../delivery/send-laps.ts';
import { ServiceClock } from '../delivery/service-clock.ts';
import { checkIn, forget, matchDrivers, remember, type DriverAnswers, type MatchedDriver } from './drivers.ts';
import { ImportRig } from './import-rig.ts';
import { LapBuffer, type Refusals } from './lap-buffer.ts';
import { SimulatorMappings, type ChosenSimulator, type Mappings } from './mappings.ts';
import type { FileDriver, PlannedFile, TimedLap } from './planned-file.ts';

type RacingEvent = components['schemas']['Event'];

/** Length of a key that is made by chance. */
const KEY_BYTES = 16;

/** A lap whose car and layout are mapped. */
export interface MappedLap {
  readonly lap: TimedLap;
  readonly carId: string;
  readonly trackId: string;
}

/** A result file, with what the service knows of it. */
export interface PreparedFile {
  readonly file: PlannedFile;
  /** The name of this import: undo takes it. */
  readonly importId: string;
  /** Null: the service has no simulator of the game. */
  readonly mappings: Mappings | null;
  /** The laps that can be sent, and have not been recorded. */
  readonly laps: readonly MappedLap[];
  readonly recordedBefore: number;
  /** How many laps wait for a mapping, by what the game calls the car (null: the file does not name it). */
  readonly unmappedCars: ReadonlyMap<string | null, number>;
  /** The same for layouts. */
  readonly unmappedLayouts: ReadonlyMap<string | null, number>;
  /** Laps of which the car or the layout is not mapped, or not known. */
  readonly waiting: number;
}

/** What an import would send. */
export interface PreparedImport {
  readonly rig: ImportRig;
  readonly files: readonly PreparedFile[];
  /** The drivers of the laps that can be sent. */
  readonly drivers: readonly MatchedDriver[];
}

/** Asks the service what an import of files would send. Nothing is changed. @throws {Refused} */
export async function prepareImport(
  venue: Connection,
  files: readonly PlannedFile[],
  simulatorOf: ChosenSimulator,
  answers: DriverAnswers,
): Promise<PreparedImport> {
  const rig = await ImportRig.find(venue);
  const simulators = new SimulatorMappings(venue, simulatorOf);
  const prepared: PreparedFile[] = [];
  for (const file of files) {
    const importId = await rig.importIdOf(file.id);
    prepared.push(preparedFile(file, importId, await simulators.of(file), await rig.recordedIn(importId)));
  }
  const drivers = new Map<string, FileDriver>();
  for (const { laps } of prepared) {
    for (const { lap } of laps) drivers.set(lap.driver.key, lap.driver);
  }
  return { rig, files: prepared, drivers: await matchDrivers(venue, [...drivers.values()], answers) };
}

function preparedFile(
  file: PlannedFile,
  importId: string,
  mappings: Mappings | null,
  recorded: ReadonlySet<number>,
): PreparedFile {
  const laps: MappedLap[] = [];
  const unmappedCars = new Map<string | null, number>();
  const unmappedLayouts = new Map<string | null, number>();
  let recordedBefore = 0;
  let waiting = 0;
  for (const lap of file.laps) {
    if (recorded.has(lap.number)) {
      recordedBefore += 1;
      continue;
    }
    const carId = mappings?.cars.get(lap.car ?? '') ?? null;
    const trackId = mappings?.layouts.get(lap.layout ?? '') ?? null;
    if (carId !== null && trackId !== null) {
      laps.push({ lap, carId, trackId });
      continue;
    }
    waiting += 1;
    if (carId === null) countUnder(unmappedCars, lap.car);
    if (trackId === null) countUnder(unmappedLayouts, lap.layout);
  }
  return { file, importId, mappings, laps, recordedBefore, unmappedCars, unmappedLayouts, waiting };
}

function countUnder(counts: Map<string | null, number>, name: string | null): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** What is sent, and where. */
export interface SendOptions {
  /** The event; null: one is made for the laps of each simulator. */
  readonly eventId: string | null;
  /** The name of an event that is made. */
  readonly eventName: string;
  /** When the laps were driven, ISO 8601; null: when each file was last changed. */
  readonly drivenAt: string | null;
  readonly signal: AbortSignal;
  /** Called while laps are sent: how many of all of them the service has answered for. */
  readonly onProgress?: (answered: number, of: number) => void;
}

/** What has become of the laps of a file. */
export interface SentFile {
  readonly prepared: PreparedFile;
  readonly eventId: string | null;
  readonly recorded: number;
  readonly recordedBefore: number;
  readonly refused: readonly Refusals[];
}

/** What an import has done. */
export interface SentImport {
  readonly files: readonly SentFile[];
  readonly checkedIn: number;
  /** Drivers that could not be remembered, as the caller may not change them. */
  readonly notRemembered: readonly string[];
}

/**
 * Sends what was prepared, in which no driver may be left who has namesakes: checks in who is new, remembers who was
 * matched, and records the laps. It can be ended at any time and run again: what is recorded is not sent again.
 * @throws {Refused} when the service refuses more than single laps.
 */
export async function sendImport(
  venue: Connection,
  { rig, files, drivers }: PreparedImport,
  { eventId, eventName, drivenAt, signal, onProgress }: SendOptions,
): Promise<SentImport> {
  const clock = new ServiceClock();
  venue.use({ onResponse: ({ request, response }) => clock.learn(request, response) });
  const isAnythingSent = files.some(({ laps }) => laps.length > 0);
  const rigId = isAnythingSent ? await rig.register() : '';
  const chosen = eventId === null || !isAnythingSent ? null : await joinedEvent(venue, eventId, rigId);
  const participants = new Map<string, string>();
  const notRemembered: string[] = [];
  let checkedIn = 0;
  for (const match of drivers) {
    const { driver } = match;
    if (match.outcome === 'namesakes') throw new Error(`nobody said which participant ${driver.name} is`);
    if (match.outcome === 'new') {
      participants.set(driver.key, await checkIn(venue, driver, match.insteadOf));
      checkedIn += 1;
    } else {
      participants.set(driver.key, match.participant.id);
    }
    if (!(await isRemembered(venue, match))) notRemembered.push(driver.name);
  }
  const made = new Map<string, RacingEvent>();
  const sent: SentFile[] = [];
  const all = files.reduce((sum, { laps }) => sum + laps.length, 0);
  let answered = 0;
  const onSettled = (laps: number): void => {
    answered += laps;
    onProgress?.(answered, all);
  };
  for (const prepared of files) {
    const { laps, mappings, recordedBefore } = prepared;
    if (laps.length === 0 || mappings === null) {
      sent.push({ prepared, eventId: null, recorded: 0, recordedBefore, refused: [] });
      continue;
    }
    const { simulatorId } = mappings;
    const ofSimulator = files.filter((one) => one.mappings?.simulatorId === simulatorId);
    const event =
      chosen ?? made.get(simulatorId) ?? (await madeEvent(venue, rigId, simulatorId, ofSimulator, eventName));
    if (chosen === null) made.set(simulatorId, event);
    const moment = drivenAt ?? momentWithin(event, prepared.file.changedAt, clock.now());
    const buffer = new LapBuffer(
      laps.map((mapped) => lapToSend(mapped, prepared.importId, rigId, event.id, participants, moment)),
      onSettled,
    );
    await sendWaiting({ queue: buffer, client: venue, clock, isRecorded: () => false, signal });
    const refused = buffer.refused.reduce((sum, one) => sum + one.laps, 0);
    sent.push({
      prepared,
      eventId: event.id,
      recorded: laps.length - refused - buffer.recordedBefore,
      recordedBefore: recordedBefore + buffer.recordedBefore,
      refused: buffer.refused,
    });
  }
  return { files: sent, checkedIn, notRemembered };
}

/** Remembers who a driver is, and that those are not who were taken for the driver; false: the caller may not. */
async function isRemembered(
  venue: Connection,
  match: Exclude<MatchedDriver, { readonly outcome: 'namesakes' }>,
): Promise<boolean> {
  const { driver, outcome } = match;
  try {
    if (outcome === 'by-name' || outcome === 'chosen') await remember(venue, driver, match.participant.id);
    if (outcome === 'chosen' || outcome === 'new') {
      for (const { id } of match.mistaken) await forget(venue, driver, id);
    }
    return true;
  } catch (error) {
    if (error instanceof Refused && error.status === 403) return false;
    throw error;
  }
}

function lapToSend(
  { lap, carId, trackId }: MappedLap,
  importId: string,
  rigId: string,
  eventId: string,
  participants: ReadonlyMap<string, string>,
  drivenAt: string,
): QueuedLap {
  const participantId = participants.get(lap.driver.key);
  if (participantId === undefined) throw new Error(`the driver ${lap.driver.key} was not matched`);
  return {
    key: `import/${importId}/${lap.number}`,
    sequence: { boot: importId, number: lap.number },
    participantId,
    rigId,
    eventId,
    carId,
    trackId,
    sectors: [...lap.sectors],
    totalTime: lap.totalTime,
    valid: lap.valid,
    drivenAt,
  };
}

/** When a file was last changed, but not after the event, as laps that are driven later do not count, nor after now. */
function momentWithin({ finishedAt }: RacingEvent, changedAt: number, now: number): string {
  const latest = finishedAt === null ? now : Math.min(now, Date.parse(finishedAt));
  return new Date(Math.min(changedAt, latest)).toISOString();
}

/** The event, with the rig on its list, unless that is another licence's: a shared event takes laps of all rigs. */
async function joinedEvent(venue: Connection, eventId: string, rigId: string): Promise<RacingEvent> {
  try {
    return await changedEvent(venue, eventId, ({ rigIds }) => ({ rigIds: union(rigIds, [rigId]) }));
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 403) throw error;
    return changedEvent(venue, eventId, () => ({}));
  }
}

/** The event that was made for the first of these files, with their cars and layouts; made now if there is none. */
async function madeEvent(
  venue: Connection,
  rigId: string,
  simulatorId: string,
  files: readonly PreparedFile[],
  name: string,
): Promise<RacingEvent> {
  const laps = files.flatMap((one) => one.laps);
  const carIds = union(
    [],
    laps.map(({ carId }) => carId),
  );
  const trackLayoutIds = union(
    [],
    laps.map(({ trackId }) => trackId),
  );
  const fileIds = files.map(({ file }) => file.id);
  const query = { includeDisabled: true };
  const { data: events } = await venue.answered(() => venue.GET('/api/v1/events', { params: { query } }));
  for (const event of events) {
    const imported: unknown = event.settingsJson?.['importedFiles'];
    const isOurs = event.simulatorId === simulatorId && event.rigIds.includes(rigId) && Array.isArray(imported);
    if (isOurs && fileIds.some((id) => imported.includes(id))) {
      return changedEvent(venue, event.id, (found) => ({
        carIds: union(found.carIds, carIds),
        trackLayoutIds: union(found.trackLayoutIds, trackLayoutIds),
      }));
    }
  }
  const moments = files.map(({ file }) => file.changedAt);
  const body = {
    name,
    slug: `import-${fileIds[0] ?? ''}`,
    description: 'Imported from result files.',
    startsAt: new Date(Math.min(...moments)).toISOString(),
    endsAt: new Date(Math.max(...moments)).toISOString(),
    simulatorId,
    carIds,
    trackLayoutIds,
    rigIds: [rigId],
    brandIds: [],
    settingsJson: { importedFiles: fileIds },
    enabled: true,
  };
  const params = { header: { 'Idempotency-Key': randomKey() } };
  const { data } = await venue.answered(() => venue.POST('/api/v1/events', { body, params }));
  if (!('name' in data)) throw new Error('the answer has no event');
  return data;
}

/** A key that no other request has; browsers make UUIDs only where a page came over HTTPS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

type EventChange = Partial<Pick<RacingEvent, 'rigIds' | 'carIds' | 'trackLayoutIds'>>;

/** Adds to the lists of an event, unless it has all; somebody else may change it at the same time. @throws {Refused} */
async function changedEvent(
  venue: Connection,
  eventId: string,
  changeOf: (event: RacingEvent) => EventChange,
): Promise<RacingEvent> {
  const path = { eventId };
  const { data } = await venue.answered(async () => {
    const found = await venue.GET('/api/v1/events/{eventId}', { params: { path } });
    if (found.data === undefined) return found;
    const body = changeOf(found.data);
    const before = JSON.stringify([found.data.rigIds, found.data.carIds, found.data.trackLayoutIds]);
    const after = { ...found.data, ...body };
    if (JSON.stringify([after.rigIds, after.carIds, after.trackLayoutIds]) === before) return found;
    const header = { 'If-Match': found.response.headers.get('etag') ?? '*' };
    const changed = await venue.PATCH('/api/v1/events/{eventId}', { body, params: { path, header } });
    if (changed.response.status === 412) throw new Error('somebody else has changed the event meanwhile');
    return changed;
  });
  if (!('name' in data)) throw new Error('the answer has no event');
  return data;
}

function union(known: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...known, ...more])];
}
