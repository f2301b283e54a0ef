import { GAMES, isGameName, type GameName } from '../../clients/bridge/games/games.ts';
import { readCapture } from '../../clients/bridge/read-capture.ts';
import { command, EXIT, flag, text, UsageError } from './command.ts';

const SYNTAX = {
  name: 'bridge',
  about: `
Reads what a game sends, finds the laps in it, and shows what it would record. It sends nothing: so far it reads captures
only. docs/bridge.md lists the games, and what is known of them.`,
  options: {
    game: text('GAME', `the game: ${Object.keys(GAMES).join(', ')}`),
    replay: text('FILE', 'a capture of what a game sent'),
    plan: flag('shows the plan, one JSON document, on standard output'),
    list: flag('lists the games'),
  },
  notes: `
A capture is compressed with gzip; its records are the time in ms (4 bytes), the length (2 bytes) and the payload.
Exit codes: 0 a plan was shown, even an empty one, 1 the capture cannot be read, 2 wrong usage.`,
} as const;

/** Games, and which of their interfaces is read. */
const INTERFACES: Readonly<Record<GameName, string>> = {
  f1: 'F1 2018 to F1 25 with the 2026 season: UDP telemetry',
  acc: 'Assetto Corsa Competizione: broadcasting',
  ac: 'Assetto Corsa: remote telemetry',
  'ac-server': 'Assetto Corsa: plugin of the server',
  ams2: 'Automobilista 2, Project CARS 2: UDP, version 2',
  forza: 'Forza Motorsport, Forza Horizon: Data Out',
  lfs: 'Live for Speed: InSim',
};

const NAME_COLUMNS = 12;

export const run = command(SYNTAX, async ({ out, err, signal, values }) => {
  const { game, replay, plan = false, list = false } = values;
  if (list) {
    for (const [name, about] of Object.entries(INTERFACES)) out.write(`${name.padEnd(NAME_COLUMNS)}${about}\n`);
    return EXIT.done;
  }
  if (game === undefined) throw new UsageError('--game is missing; --list shows the games');
  if (!isGameName(game)) throw new UsageError(`there is no game ${game}; --list shows the games`);
  if (replay === undefined) throw new UsageError('--replay is missing');
  if (!plan) throw new UsageError('the bridge sends nothing yet: give --plan, which shows what it would record');
  const capture = await readCapture(replay, game, signal);
  if (capture.outcome === 'refused') {
    err.write(`${replay} cannot be read: ${capture.reason}\n`);
    return EXIT.failed;
  }
  out.write(`${JSON.stringify(capture.plan, null, 2)}\n`);
  return EXIT.done;
});
