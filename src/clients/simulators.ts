import { wordsOf } from '../domain/words.ts';

/** A game whose laps are read. */
export type SimulatorGame =
  'acc' | 'ac' | 'ac-evo' | 'rfactor' | 'raceroom' | 'ams2' | 'iracing' | 'f1' | 'forza' | 'lfs';

/** What simulators of a game are called: short names (`slug`) and names. */
const NAMES: Readonly<Record<SimulatorGame, readonly string[]>> = {
  acc: ['acc', 'Assetto Corsa Competizione'],
  ac: ['ac', 'Assetto Corsa'],
  'ac-evo': ['ac-evo', 'Assetto Corsa EVO'],
  rfactor: ['rf2', 'rfactor2', 'rFactor 2', 'lmu', 'Le Mans Ultimate'],
  raceroom: ['raceroom', 'r3e', 'RaceRoom', 'RaceRoom Racing Experience'],
  ams2: ['ams2', 'Automobilista 2', 'pcars2', 'Project CARS 2'],
  iracing: ['iracing'],
  f1: ['f1'],
  forza: ['forza', 'Forza Motorsport', 'Forza Horizon'],
  lfs: ['lfs', 'Live for Speed'],
};

/** Games of which there is a new simulator every few years, with a number behind its name. */
const NUMBERED: ReadonlySet<SimulatorGame> = new Set(['f1', 'forza']);

/** A simulator of the service, by what it is called. */
export interface NamedSimulator {
  readonly slug: string;
  readonly displayName: string;
}

/** Whether a simulator is one of a game, by its names. */
export function isSimulatorOf(game: SimulatorGame, { slug, displayName }: NamedSimulator): boolean {
  const names = [plain(slug), plain(displayName)];
  return NAMES[game].some((known) => names.some((name) => isNameOf(game, plain(known), name)));
}

/** The names of a simulator that is made for a game. */
export function simulatorNamesOf(game: SimulatorGame): NamedSimulator {
  const [slug = game, displayName = slug.toUpperCase()] = NAMES[game];
  return { slug, displayName };
}

function isNameOf(game: SimulatorGame, known: string, name: string): boolean {
  if (name === known) return true;
  return NUMBERED.has(game) && name.startsWith(`${known} `) && /^\d/.test(name.slice(known.length + 1));
}

function plain(name: string): string {
  return wordsOf(name).join(' ');
}

/** What a simulator calls a layout: the track, and behind a slash the layout, in games that name it apart. */
export function layoutIdentifier(track: string | null, layout: string | null): string | null {
  if (track === null || layout === null) return track;
  return `${track}/${layout}`;
}

/** Ids by what a simulator calls them; an identifier that several of them have is null. */
export function byIdentifier(
  mapped: readonly (readonly [identifier: string, id: string])[],
): ReadonlyMap<string, string | null> {
  const ids = new Map<string, string | null>();
  for (const [identifier, id] of mapped) ids.set(identifier, ids.has(identifier) ? null : id);
  return ids;
}
