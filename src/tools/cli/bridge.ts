import { GAMES, isGameName, type GameName } from '../../clients/bridge/games/games.ts';
import { listen, TRANSPORTS } from '../../clients/bridge/listen.ts';
import { CapturePlan } from '../../clients/bridge/plan.ts';
import { readCapture } from '../../clients/bridge/read-capture.ts';
import { recordCapture, type CaptureRecorder } from '../../clients/bridge/record-capture.ts';
import { command, EXIT, flag, text, UsageError, wholeNumber, type WatchedInvocation } from './command.ts';

const SYNTAX = {
  name: 'bridge',
  about: `
Reads what a game sends, or a capture of that, finds the laps in it, and shows what it would record. So far it sends no
laps to a service. docs/bridge.md lists the games, and what is known of them.`,
  options: {
    game: text('GAME', `the game: ${Object.keys(GAMES).join(', ')}`),
    replay: text('FILE', 'reads a capture of what a game sent, instead of the game'),
    record: text('FILE', 'records what the game sends, into a new capture, until the command is interrupted'),
    plan: flag('shows the plan at the end, one JSON document, on standard output'),
    port: text('PORT', 'the port; default: that of the game, see --list'),
    host: text('ADDRESS', 'where the game runs, if it has to be asked; default: 127.0.0.1'),
    password: text('TEXT', 'the connection password of ACC; default: none'),
    list: flag('lists the games'),
  },
  notes: `
A capture is compressed with gzip; its records are the time in ms (4 bytes), the length (2 bytes) and the payload.
Exit codes: 0 a plan was shown, even an empty one, or all was recorded, 1 the capture cannot be read or written, or the
port cannot be opened, 2 wrong usage.`,
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
const PORT_COLUMNS = 8;
const MAX_PORT = 65_535;

export const run = command(SYNTAX, async (given) => {
  const { out, values } = given;
  const { game, replay, record, plan = false, list = false } = values;
  if (list) {
    for (const name of Object.keys(GAMES).filter(isGameName)) {
      const port = String(TRANSPORTS[name].port);
      out.write(`${name.padEnd(NAME_COLUMNS)}${port.padEnd(PORT_COLUMNS)}${INTERFACES[name]}\n`);
    }
    return EXIT.done;
  }
  if (game === undefined) throw new UsageError('--game is missing; --list shows the games');
  if (!isGameName(game)) throw new UsageError(`there is no game ${game}; --list shows the games`);
  if (replay !== undefined) {
    if (record !== undefined) throw new UsageError('--replay and --record exclude each other');
    if (!plan) throw new UsageError('--plan is missing: so far, laps of a capture are shown, not sent');
    return await replayCapture(given, replay, game);
  }
  if (record === undefined && !plan) throw new UsageError('give --plan, --record or both: so far, no laps are sent');
  const { host = '127.0.0.1', password = '' } = values;
  const port = wholeNumber('port', values.port ?? String(TRANSPORTS[game].port), [0, MAX_PORT]);
  return await hearGame(given, { game, host, port, password }, record ?? null, plan);
});

async function replayCapture({ out, err, signal }: WatchedInvocation, path: string, game: GameName): Promise<number> {
  const capture = await readCapture(path, game, signal);
  if (capture.outcome === 'refused') {
    err.write(`${path} cannot be read: ${capture.reason}\n`);
    return EXIT.failed;
  }
  out.write(`${JSON.stringify(capture.plan, null, 2)}\n`);
  return EXIT.done;
}

interface Game {
  readonly game: GameName;
  readonly host: string;
  readonly port: number;
  readonly password: string;
}

/** Hears a game until the command is interrupted, records what it sends, and shows the plan at the end. */
async function hearGame(
  { out, err, signal }: WatchedInvocation,
  game: Game,
  recordTo: string | null,
  isPlanShown: boolean,
): Promise<number> {
  const plan = new CapturePlan(game.game);
  let recorder: CaptureRecorder | null = null;
  try {
    if (recordTo !== null) recorder = await recordCapture(recordTo);
    await listen({
      ...game,
      signal,
      onPayload: (payload, at) => {
        recorder?.add(payload, at);
        plan.add(payload, at);
      },
      onOpen: (port) => err.write(`The bridge listens to ${game.game} on port ${port}; Ctrl-C ends it.\n`),
    });
    await recorder?.close();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    err.write(`The bridge has stopped: ${error.message}\n`);
    return EXIT.failed;
  }
  const shown = plan.finish();
  const laps = shown.sessions.reduce((sum, session) => sum + session.laps.length, 0);
  err.write(`${plan.read} packets, ${laps} laps\n`);
  if (isPlanShown) out.write(`${JSON.stringify(shown, null, 2)}\n`);
  return EXIT.done;
}
