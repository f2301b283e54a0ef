import { isAccClient, isAccServer, parseAccClient, parseAccServer } from './acc.ts';
import { isAcClient, parseAcClient } from './ac-client.ts';
import { isAcEvo, parseAcEvo } from './ac-evo.ts';
import { isAcServer, parseAcServer } from './ac-server.ts';
import { isSmsStats, parseSmsStats } from './ams2.ts';
import { isIracingCsv, parseIracingCsv } from './iracing-csv.ts';
import { isIracingLaps, parseIracingLaps } from './iracing-laps.ts';
import { isIracingResults, parseIracingResults } from './iracing-results.ts';
import { parseJson, startOfJson, type JsonNode } from './json.ts';
import type { ImportPlan, ParsedResults } from './plan.ts';
import { isRaceRoom, parseRaceRoom } from './raceroom.ts';
import { isRfactorXml, parseRfactorXml } from './rfactor.ts';
import { decodeText } from './text.ts';
import { UnreadableFile } from './unreadable-file.ts';
import { Warnings } from './warnings.ts';

/** A result file that was read, or why it cannot be, and where. */
export type ReadResults =
  { readonly outcome: 'read'; readonly plan: ImportPlan } | { readonly outcome: 'refused'; readonly reason: string };

interface JsonFormat {
  readonly fits: (root: JsonNode) => boolean;
  readonly parse: (root: JsonNode, warnings: Warnings) => ParsedResults;
}

const JSON_FORMATS: readonly JsonFormat[] = [
  { fits: isAccServer, parse: parseAccServer },
  { fits: isAccClient, parse: parseAccClient },
  { fits: isAcServer, parse: parseAcServer },
  { fits: isAcClient, parse: parseAcClient },
  { fits: isAcEvo, parse: parseAcEvo },
  { fits: isRaceRoom, parse: parseRaceRoom },
  { fits: isSmsStats, parse: parseSmsStats },
  { fits: isIracingResults, parse: parseIracingResults },
  { fits: isIracingLaps, parse: parseIracingLaps },
];

/** Reads a result file of a game. Its format and encoding are told from its bytes. Nothing is thrown. */
export function readResults(bytes: Uint8Array): ReadResults {
  const warnings = new Warnings();
  try {
    const { text, encoding } = decodeText(bytes, warnings);
    const { format, sessions } = parse(text, warnings);
    return { outcome: 'read', plan: { format, encoding, sessions, warnings: warnings.list() } };
  } catch (error) {
    if (error instanceof UnreadableFile) return { outcome: 'refused', reason: error.message };
    throw error;
  }
}

/** @throws {UnreadableFile} */
function parse(text: string, warnings: Warnings): ParsedResults {
  const first = text.charAt(startOfJson(text));
  if (first === '{' || first === '[') {
    const root = parseJson(text, warnings);
    const format = JSON_FORMATS.find(({ fits }) => fits(root));
    if (format !== undefined) return format.parse(root, warnings);
    throw new UnreadableFile('this is JSON, but not the result of a game that is known (line 1)');
  }
  if (first === '<') {
    if (isRfactorXml(text)) return parseRfactorXml(text, warnings);
    throw new UnreadableFile('this is XML, but not the result of a game that is known (line 1)');
  }
  if (isIracingCsv(text)) return parseIracingCsv(text, warnings);
  throw new UnreadableFile('this is not the result of a game that is known: neither JSON, nor XML, nor CSV (line 1)');
}
