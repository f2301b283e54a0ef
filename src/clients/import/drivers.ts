import { wordsOf } from '../../domain/words.ts';
import { Refused, type Connection } from '../connection.ts';
import type { components } from '../generated/api.ts';
import { sortedWords, type FileDriver } from './planned-file.ts';
import { sha256 } from './sha256.ts';

/** A participant of the service. */
export type Participant = components['schemas']['Participant'];

/** The field of `extraFieldsJson` that has the keys of a participant in result files. */
const REMEMBERED = 'importedAs';
/** Most words, and letters of one, that the service takes to find people by name. */
const MAX_WORDS = 10;
const MAX_NAME_LETTERS = 120;

/** Whom somebody has said that a driver is not. */
interface Rejection {
  /** Who it would be if nobody had said anything, or all who might be. */
  readonly insteadOf: readonly Participant[];
  /** Whom earlier imports have remembered as the driver. */
  readonly mistaken: readonly Participant[];
}

/** Who a driver of the files is, as far as it is known. */
export type MatchedDriver =
  /** An earlier import has remembered it. */
  | { readonly driver: FileDriver; readonly outcome: 'known'; readonly participant: Participant }
  | { readonly driver: FileDriver; readonly outcome: 'by-name'; readonly participant: Participant }
  /** Somebody has said it. */
  | ({ readonly driver: FileDriver; readonly outcome: 'chosen'; readonly participant: Participant } & Rejection)
  | ({ readonly driver: FileDriver; readonly outcome: 'new' } & Rejection)
  /** `candidates`: participants of that name; or one, whose name several drivers have. */
  | { readonly driver: FileDriver; readonly outcome: 'namesakes'; readonly candidates: readonly Participant[] };

/** An answer to who a driver is. */
export interface DriverAnswer {
  /** The id of the participant; null: somebody new. */
  readonly participantId: string | null;
  /**
   * Of somebody new: the id of the participant that the driver was taken for. Whom an earlier import has remembered stays
   * the driver unless it is this one, so that a second import with the same answers checks nobody in again.
   */
  readonly insteadOf: string | null;
}

/** Answers by key or name of the driver. */
export type DriverAnswers = ReadonlyMap<string, DriverAnswer>;

/**
 * Finds the participants that drivers of files are: by answers, then by what an earlier import remembered (the game's
 * id), then by name, whatever the accents and the order of the words. Among participants of that name, those who have
 * another id of the same game are somebody else.
 * @throws {Refused} when there is no participant of an answer.
 */
export async function matchDrivers(
  venue: Connection,
  drivers: readonly FileDriver[],
  answers: DriverAnswers,
): Promise<readonly MatchedDriver[]> {
  const { data: participants } = await venue.answered(() => venue.GET('/api/v1/participants'));
  const byKey = new Map<string, Participant[]>();
  const byId = new Map<string, Participant>();
  for (const participant of participants) {
    byId.set(participant.id, participant);
    for (const key of rememberedKeys(participant)) byKey.set(key, [...(byKey.get(key) ?? []), participant]);
  }
  const matched: MatchedDriver[] = [];
  const unknown: FileDriver[] = [];
  for (const driver of drivers) {
    const remembered = byKey.get(driver.key) ?? [];
    const [only] = remembered;
    if (only === undefined) unknown.push(driver);
    else if (remembered.length === 1) matched.push({ driver, outcome: 'known', participant: only });
    else matched.push({ driver, outcome: 'namesakes', candidates: remembered });
  }
  matched.push(...(await matchedByName(venue, unknown)));
  return matched.map((match) => {
    const answer = answers.get(match.driver.key) ?? answers.get(match.driver.name);
    return answer === undefined ? match : withAnswer(match, answer, byId, byKey.get(match.driver.key) ?? []);
  });
}

async function matchedByName(venue: Connection, drivers: readonly FileDriver[]): Promise<readonly MatchedDriver[]> {
  const byWords = new Map<string, FileDriver[]>();
  for (const driver of drivers) {
    const words = sortedWords(driver.name);
    byWords.set(words, [...(byWords.get(words) ?? []), driver]);
  }
  const matched: MatchedDriver[] = [];
  for (const [words, namesakes] of byWords) {
    const found = await participantsNamed(venue, words);
    for (const driver of namesakes) {
      const candidates = found.filter((participant) => !isSomebodyElse(participant, driver));
      const [only] = candidates;
      if (only === undefined) matched.push({ driver, outcome: 'new', insteadOf: [], mistaken: [] });
      else if (candidates.length > 1 || namesakes.length > 1)
        matched.push({ driver, outcome: 'namesakes', candidates });
      else matched.push({ driver, outcome: 'by-name', participant: only });
    }
  }
  return matched;
}

/** A driver of whom somebody has said who it is. `remembered`: whom earlier imports took for the driver. */
function withAnswer(
  match: MatchedDriver,
  { participantId, insteadOf: rejectedId }: DriverAnswer,
  byId: ReadonlyMap<string, Participant>,
  remembered: readonly Participant[],
): MatchedDriver {
  const { driver } = match;
  const insteadOf = peopleOf(match);
  if (participantId === null) {
    const isDecided = match.outcome === 'known' && match.participant.id !== rejectedId;
    return isDecided ? match : { driver, outcome: 'new', insteadOf, mistaken: remembered };
  }
  const participant = byId.get(participantId);
  if (participant === undefined) throw new Refused(404, `There is no participant ${participantId}`);
  if (match.outcome === 'known' && match.participant.id === participantId) return match;
  const mistaken = remembered.filter(({ id }) => id !== participantId);
  return { driver, outcome: 'chosen', participant, insteadOf, mistaken };
}

/** Those who may be a driver: one, where it is known, and nobody, where it is somebody new. */
export function peopleOf(match: MatchedDriver): readonly Participant[] {
  switch (match.outcome) {
    case 'new':
      return [];
    case 'namesakes':
      return match.candidates;
    default:
      return [match.participant];
  }
}

/** Participants whose names have exactly these words; only those whose contact data the caller may see. */
async function participantsNamed(venue: Connection, words: string): Promise<readonly Participant[]> {
  const name = words
    .split(' ')
    .filter((word) => word.length <= MAX_NAME_LETTERS)
    .slice(0, MAX_WORDS)
    .join(' ');
  if (name === '') return [];
  const params = { query: { name } };
  const { data } = await venue.answered(() => venue.GET('/api/v1/participants', { params }));
  return data.filter(({ firstName, lastName }) => sortedWords(`${firstName} ${lastName}`) === words);
}

function rememberedKeys({ extraFieldsJson }: Participant): readonly string[] {
  const keys: unknown = extraFieldsJson[REMEMBERED];
  if (!Array.isArray(keys)) return [];
  return keys.filter((key): key is string => typeof key === 'string');
}

/** Whether a participant is known by another id of the game that the driver has an id of. */
function isSomebodyElse(participant: Participant, { key }: FileDriver): boolean {
  const game = `${key.split(':', 1)[0] ?? ''}:`;
  return game !== 'name:' && rememberedKeys(participant).some((known) => known.startsWith(game) && known !== key);
}

/**
 * Checks somebody in who is not known yet, and remembers them by their key. Sent again, it is the same person.
 * @param insteadOf whom the driver was taken for: an earlier import may have checked them in under the same name
 */
export async function checkIn(
  venue: Connection,
  { key, name }: FileDriver,
  insteadOf: readonly Participant[],
): Promise<string> {
  const [firstName = '', ...rest] = wordsAsWritten(name);
  const body = {
    firstName: firstName.slice(0, MAX_NAME_LETTERS),
    lastName: rest.join(' ').slice(0, MAX_NAME_LETTERS),
    extraFieldsJson: { [REMEMBERED]: [key] },
  };
  const content = insteadOf.length === 0 ? body : [body, ...insteadOf.map(({ id }) => id)];
  const digest = sha256(new TextEncoder().encode(JSON.stringify(content)));
  const header = { 'Idempotency-Key': `imported-driver/${digest}` };
  const { data } = await venue.answered(() => venue.POST('/api/v1/check-ins', { body, params: { header } }));
  if (!('id' in data)) throw new Error('the check-in was answered without its participant');
  return data.id;
}

function wordsAsWritten(name: string): readonly string[] {
  const words = name.split(/\s+/u).filter((word) => wordsOf(word).length > 0);
  return words.length === 0 ? [name] : words;
}

/**
 * Remembers that a participant is the driver of a key.
 * @throws {Refused} if the caller may not change the participant.
 */
export async function remember(venue: Connection, { key }: FileDriver, participantId: string): Promise<void> {
  await changeKeys(venue, participantId, (keys) => (keys.includes(key) ? keys : [...keys, key]));
}

/**
 * Forgets that a participant is the driver of a key.
 * @throws {Refused} if the caller may not change the participant.
 */
export async function forget(venue: Connection, { key }: FileDriver, participantId: string): Promise<void> {
  await changeKeys(venue, participantId, (keys) => keys.filter((known) => known !== key));
}

/** Changes what a participant is called in files; where somebody else changes it at the same time, it is read again. */
async function changeKeys(
  venue: Connection,
  participantId: string,
  changed: (keys: readonly string[]) => readonly string[],
): Promise<void> {
  const path = { participantId };
  const change = async () => {
    const found = await venue.GET('/api/v1/participants/{participantId}', { params: { path } });
    if (found.data === undefined) return found;
    const before = rememberedKeys(found.data);
    const after = changed(before);
    if (after.join('\n') === before.join('\n')) return found;
    const header = { 'If-Match': found.response.headers.get('etag') ?? '*' };
    const body = { extraFieldsJson: { ...found.data.extraFieldsJson, [REMEMBERED]: [...after] } };
    const answer = await venue.PATCH('/api/v1/participants/{participantId}', { body, params: { path, header } });
    if (answer.response.status === 412) throw new Error('somebody else has changed the participant meanwhile');
    return answer;
  };
  await venue.answered<object>(change);
}
