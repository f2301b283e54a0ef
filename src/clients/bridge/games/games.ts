import { AcServerReader } from './ac-server.ts';
import { AcTelemetryReader } from './ac-telemetry.ts';
import { AccReader } from './acc.ts';
import { Ams2Reader } from './ams2.ts';
import { F1Reader } from './f1.ts';
import { ForzaReader } from './forza.ts';
import type { GameReader } from './game.ts';
import { LfsReader } from './lfs.ts';

/** Games by the names that the option `--game` has for them. */
export const GAMES = {
  f1: () => new F1Reader(),
  acc: () => new AccReader(),
  ac: () => new AcTelemetryReader(),
  'ac-server': () => new AcServerReader(),
  ams2: () => new Ams2Reader(),
  forza: () => new ForzaReader(),
  lfs: () => new LfsReader(),
} as const satisfies Readonly<Record<string, () => GameReader>>;

/** The name of a game. */
export type GameName = keyof typeof GAMES;

/** Whether a word is the name of a game. */
export function isGameName(word: string): word is GameName {
  return Object.hasOwn(GAMES, word);
}
