import { wordsOf } from '../../domain/words.ts';
import type { Connection } from '../connection.ts';
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

/** Who a driver of the files is, as far as it is known. */
export type MatchedDriver =
  | { readonly driver: FileDriver; readonly outcome: 'known'; readonly participant: Participant }
  | { readonly driver: FileDriver; readonly outcome: 'by-name'; readonly participant: Participant }
  | { readonly driver: FileDriver; readonly outcome: 'new' }
  /** `candidates`: participants of that name; or one, whose name several drivers have. */
  | { readonly driver: FileDriver; readonly outcome: 'namesakes'; readonly candidates: readonly Participant[] };

/** Answers to who a driver is: the id of a participant, or null for somebody new, by key or name of the driver. */
export type DriverAnswers = ReadonlyMap<string, string | null>;

/**
 * Finds the participants that drivers of files are: by what an earlier import remembered (the game's id), then by
 * answers, then by name, whatever the accents and the order of the words. Among participants of that name, those who
 * have another id of the same game are somebody else.
 */
export async function matchDrivers(
  venue: Connection,
  drivers: readonly FileDriver[],
  answers: DriverAnswers,
): Promise<readonly MatchedDriver[]> {
  const { data: participants } = await venue.answered(() => venue.GET('/api/v1/participants'));
  const byKey = new Map<string, Participant>();
  const byId = new Map<string, Participant>();
  for (const participant of participants) {
    byId.set(participant.id, participant);
    for (const key of rememberedKeys(participant)) byKey.set(key, participant);
  }
  const matched: MatchedDriver[] = [];
  const unknown: FileDriver[] = [];
  for (const driver of drivers) {
    const participant = byKey.get(driver.key);
    const answer = answers.has(driver.key) ? answers.get(driver.key) : answers.get(driver.name);
    const answered = byId.get(answer ?? '');
    if (answered !== undefined) matched.push({ driver, outcome: 'by-name', participant: answered });
    else if (answer === null) matched.push({ driver, outcome: 'new' });
    else if (participant !== undefined) matched.push({ driver, outcome: 'known', participant });
    else unknown.push(driver);
  }
  const byWords = new Map<string, FileDriver[]>();
  for (const driver of unknown) {
    const words = sortedWords(driver.name);
    byWords.set(words, [...(byWords.get(words) ?? []), driver]);
  }
  for (const [words, namesakes] of byWords) {
    const found = await participantsNamed(venue, words);
    for (const driver of namesakes) {
      const candidates = found.filter((participant) => !isSomebodyElse(participant, driver));
      const [only] = candidates;
      if (only === undefined) matched.push({ driver, outcome: 'new' });
      else if (candidates.length > 1 || namesakes.length > 1)
        matched.push({ driver, outcome: 'namesakes', candidates });
      else matched.push({ driver, outcome: 'by-name', participant: only });
    }
  }
  return matched;
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

/** Checks somebody in who is not known yet, and remembers them by their key. Sent again, it is the same person. */
export async function checkIn(venue: Connection, { key, name }: FileDriver): Promise<string> {
  const [firstName = '', ...rest] = wordsAsWritten(name);
  const body = {
    firstName: firstName.slice(0, MAX_NAME_LETTERS),
    lastName: rest.join(' ').slice(0, MAX_NAME_LETTERS),
    extraFieldsJson: { [REMEMBERED]: [key] },
  };
  const digest = sha256(new TextEncoder().encode(JSON.stringify(body)));
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
 * Remembers that a participant is the driver of a key. Somebody else may change the participant at the same time: then
 * it is read again.
 * @throws {Refused} if the caller may not change the participant.
 */
export async function remember(venue: Connection, { key }: FileDriver, participantId: string): Promise<void> {
  const path = { participantId };
  const change = async () => {
    const found = await venue.GET('/api/v1/participants/{participantId}', { params: { path } });
    if (found.data === undefined) return found;
    const known = rememberedKeys(found.data);
    if (known.includes(key)) return found;
    const header = { 'If-Match': found.response.headers.get('etag') ?? '*' };
    const body = { extraFieldsJson: { ...found.data.extraFieldsJson, [REMEMBERED]: [...known, key] } };
    const changed = await venue.PATCH('/api/v1/participants/{participantId}', { body, params: { path, header } });
    if (changed.response.status === 412) throw new Error('somebody else has changed the participant meanwhile');
    return changed;
  };
  await venue.answered<object>(change);
}
