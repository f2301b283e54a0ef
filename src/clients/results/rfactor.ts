import sax from 'sax';
import { countOfText, positionOf } from './counts.ts';
import { MAX_NAME_LETTERS } from './json.ts';
import type { ParsedResults, PlannedSession } from './plan.ts';
import { sessionKindOf } from './session-kinds.ts';
import { SessionResults } from './session-results.ts';
import { knownSectors } from './sectors.ts';
import { msOfText } from './times.ts';
import { placeInText, UnreadableFile } from './unreadable-file.ts';
import type { Warnings } from './warnings.ts';

const ROOT = 'rFactorXML';

/** Levels of elements in each other; result files have 5. */
const MAX_DEPTH = 16;

/** Elements of a file; 100,000 laps have half a million, with what the stream says about them. */
const MAX_ELEMENTS = 2_000_000;

/** Ampersands that the games did not escape. */
const MAX_AMPERSANDS = 100_000;

/** Letters that the parser gets at once: it checks the length of what it keeps between two pieces. */
const PIECE_LETTERS = 65_536;

/** Names of the elements that are sessions. */
const SESSION = /^(TestDay|Practice|Qualify|Warmup|Race)\d{0,2}$/;

/** Whether a file is a result of rFactor 2 or Le Mans Ultimate. */
export function isRfactorXml(text: string): boolean {
  return text.includes(`<${ROOT}`);
}

/** Names of the elements whose text is read. */
const TEXTS_READ: ReadonlySet<string> = new Set([
  ...['TrackVenue', 'TrackCourse'],
  ...['Name', 'CarType', 'Position', 'Lap', 'Swap', 'BestLapTime', 'FinishTime', 'Laps'],
]);

/** What is read of a `<Driver>`. */
interface DriverElement {
  /** Texts of its elements, by name. */
  readonly texts: Map<string, string>;
  readonly laps: ElementWithText[];
  /** Who drove from which lap to which, where drivers changed. */
  readonly swaps: ElementWithText[];
  readonly place: string;
}

interface ElementWithText {
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly place: string;
}

interface SessionElement {
  readonly name: string;
  readonly drivers: DriverElement[];
}

/**
 * Parses a result of rFactor 2 or Le Mans Ultimate. The games write names without escaping `&`, and bytes after the end;
 * both are tolerated. Document types other than the games' own, and uses of entities that a file declares, are refused.
 *
 * @throws {UnreadableFile}
 */
export function parseRfactorXml(text: string, warnings: Warnings): ParsedResults {
  const elements = elementsOf(escapeAmpersands(withoutDocumentType(withoutRest(text))));
  const track = nameOf(elements.header.get('TrackCourse')) ?? nameOf(elements.header.get('TrackVenue'));
  if (elements.sessions.length === 0) warnings.add('The file has no session.');
  const sessions: PlannedSession[] = [];
  for (const { name, drivers } of elements.sessions) {
    const head = { session: sessionKindOf(name), name, track, layout: null };
    const results = new SessionResults(head, warnings);
    for (const driver of drivers) addDriver(results, driver, warnings);
    const session = results.finish();
    if (session !== null) sessions.push(session);
  }
  return { format: 'rfactor-xml', sessions };
}

/** The text until the end tag of the root; bytes have been seen after it. */
function withoutRest(text: string): string {
  const endTag = `</${ROOT}>`;
  const end = text.indexOf(endTag);
  return end === -1 ? text : text.slice(0, end + endTag.length);
}

/** The document type that both games write. It declares an entity that no file uses. */
const DOCUMENT_TYPE = /^<!DOCTYPE\s+rF\s*\[\s*<!ENTITY\s+rFEnt\s+"rFactor Entity"\s*>\s*\]\s*>/;
const DOCUMENT_TYPE_LETTERS = 256;

/** @throws {UnreadableFile} when there is another document type than that of the games */
function withoutDocumentType(text: string): string {
  const start = text.search(/<!(DOCTYPE|ENTITY)/i);
  if (start === -1) return text;
  const declared = DOCUMENT_TYPE.exec(text.slice(start, start + DOCUMENT_TYPE_LETTERS))?.[0];
  if (declared === undefined) {
    throw new UnreadableFile(`the XML declares a document type or entities of its own at ${placeInText(text, start)}`);
  }
  const rest = text.slice(start + declared.length);
  if (/<!(DOCTYPE|ENTITY)/i.test(rest)) throw new UnreadableFile('the XML declares two document types');
  return text.slice(0, start) + declared.replaceAll(/[^\n]/g, ' ') + rest;
}

/** Escapes each `&` that begins none of the five entities of XML, nor a character reference. */
function escapeAmpersands(text: string): string {
  const entity = text.indexOf('&rFEnt;');
  if (entity !== -1) throw new UnreadableFile(`the XML uses an entity of its own at ${placeInText(text, entity)}`);
  let escaped = 0;
  return text.replaceAll(/&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/gi, (_, index: number) => {
    escaped += 1;
    if (escaped > MAX_AMPERSANDS) {
      throw new UnreadableFile(
        `the XML has more than ${MAX_AMPERSANDS} bare ampersands, from ${placeInText(text, index)} on`,
      );
    }
    return '&amp;';
  });
}

interface Elements {
  readonly header: ReadonlyMap<string, string>;
  readonly sessions: readonly SessionElement[];
}

/** Reads the elements that matter: nothing is kept of the rest. @throws {UnreadableFile} */
function elementsOf(text: string): Elements {
  const parser = sax.parser(true, { position: true });
  const header = new Map<string, string>();
  const sessions: SessionElement[] = [];
  const path: string[] = [];
  let driver: DriverElement | null = null;
  let ownAttributes: Readonly<Record<string, string>> = {};
  let elements = 0;
  let content = '';
  const place = (): string => `line ${parser.line + 1}`;
  const refuse = (reason: string): never => {
    throw new UnreadableFile(`${reason} at ${place()}`);
  };

  parser.onerror = (error) => refuse(`the XML is broken (${error.message.split('\n')[0] ?? ''})`);
  parser.onopentag = ({ name, attributes }) => {
    path.push(name);
    content = '';
    elements += 1;
    if (elements > MAX_ELEMENTS) refuse(`the XML has more than ${MAX_ELEMENTS} elements, and does not end`);
    if (path.length > MAX_DEPTH) refuse(`the XML is nested more than ${MAX_DEPTH} levels deep`);
    if (path.length === 3 && SESSION.test(name)) sessions.push({ name, drivers: [] });
    if (path.length === 4 && name === 'Driver') {
      driver = { texts: new Map(), laps: [], swaps: [], place: place() };
      if (SESSION.test(path[2] ?? '')) sessions.at(-1)?.drivers.push(driver);
    }
    if (path.length === 5 && (name === 'Lap' || name === 'Swap')) ownAttributes = textsOf(attributes);
  };
  const addText = (more: string): void => {
    const name = path.at(-1) ?? '';
    if (!TEXTS_READ.has(name)) return;
    if (content.length + more.length <= MAX_NAME_LETTERS) content += more;
    else if (more.trim() !== '') refuse(`<${name}> has more than ${MAX_NAME_LETTERS} letters`);
  };
  parser.ontext = addText;
  parser.oncdata = addText;
  parser.onclosetag = (name) => {
    if (path.length === 3) header.set(name, content);
    if (path.length === 5 && path[3] === 'Driver' && driver !== null) {
      const element = { attributes: ownAttributes, text: content, place: place() };
      if (name === 'Lap') driver.laps.push(element);
      else if (name === 'Swap') driver.swaps.push(element);
      else driver.texts.set(name, content);
    }
    path.pop();
    content = '';
  };

  for (let start = 0; start < text.length; start += PIECE_LETTERS) {
    parser.write(text.slice(start, start + PIECE_LETTERS));
  }
  parser.close();
  return { header, sessions };
}

function textsOf(attributes: sax.Tag['attributes'] | sax.QualifiedTag['attributes']): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const name of Object.keys(attributes)) {
    const value = attributes[name];
    if (value !== undefined) texts[name] = typeof value === 'string' ? value : value.value;
  }
  return texts;
}

function nameOf(text: string | undefined): string | null {
  return text === undefined || text.trim() === '' ? null : text;
}

interface Stint {
  readonly name: string;
  readonly first: number;
  readonly last: number;
}

/** Who drove which laps, where the file says so. */
function stintsOf({ swaps }: DriverElement): readonly Stint[] {
  const stints: Stint[] = [];
  for (const { attributes, text } of swaps) {
    const name = nameOf(text);
    const first = countOfText(attributes['startLap']);
    const last = countOfText(attributes['endLap']);
    if (name !== null && first !== null && last !== null) stints.push({ name, first, last });
  }
  return stints;
}

function addDriver(results: SessionResults, driver: DriverElement, warnings: Warnings): void {
  const { texts, laps, place } = driver;
  const name = nameOf(texts.get('Name'));
  const stints = stintsOf(driver);
  for (const { attributes, text, place: lapPlace } of laps) {
    const sectors = [attributes['s1'], attributes['s2'], attributes['s3']];
    const ms = msOfText(text);
    const lap = countOfText(attributes['num']);
    const stint = lap === null ? undefined : stints.find(({ first, last }) => lap >= first && lap <= last);
    if (ms === null && !/^(--[.:-]*|-\d[\d.]*|0[.0]*)$/.test(text.trim())) {
      warnings.count('A lap has a time that cannot be read', lapPlace);
    }
    results.addLap({
      driver: stint?.name ?? name,
      driverId: null,
      car: nameOf(texts.get('CarType')),
      lap,
      ms,
      sectors: knownSectors(sectors.map((sector) => msOfText(sector ?? ''))),
      valid: null,
      out: false,
      entrant: place,
      place: lapPlace,
    });
  }
  results.addRow({
    position: positionOf(countOfText(texts.get('Position'))),
    driver: name,
    drivers: [...new Set(stints.map((stint) => stint.name))],
    laps: countOfText(texts.get('Laps')) ?? laps.length,
    bestMs: msOfText(texts.get('BestLapTime') ?? ''),
    totalMs: msOfText(texts.get('FinishTime') ?? ''),
    entrant: place,
    person: name ?? place,
    hasLostLaps: false,
  });
}
