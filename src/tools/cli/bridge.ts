import { endReportOf, hasSentAll } from '../../clients/bridge/bridge-report.ts';
import { BridgeStatus } from '../../clients/bridge/bridge-status.ts';
import { bridgePlaces, readKeyFile, readPairing, type BridgePlaces } from '../../clients/bridge/config.ts';
import { GAMES, isGameName, type GameName } from '../../clients/bridge/games/games.ts';
import { TRANSPORTS } from '../../clients/bridge/listen.ts';
import { pair } from '../../clients/bridge/pair.ts';
import { CapturePlan } from '../../clients/bridge/plan.ts';
import { readCapture } from '../../clients/bridge/read-capture.ts';
import { recordCapture, type CaptureRecorder } from '../../clients/bridge/record-capture.ts';
import { runBridge, type BridgeOptions, type Source } from '../../clients/bridge/run-bridge.ts';
import { captureSource, liveSource } from '../../clients/bridge/sources.ts';
import { openStatusPage } from '../../clients/bridge/status-page.ts';
import { TerminalView } from '../../clients/bridge/terminal-view.ts';
import { Failure } from '../../clients/connection.ts';
import type { SeatSettings } from '../../clients/delivery/send-laps.ts';
import {
  command,
  EXIT,
  flag,
  pastMoment,
  required,
  serviceUrl,
  text,
  UsageError,
  wholeNumber,
  type Given,
} from './command.ts';

const SYNTAX = {
  name: 'bridge',
  about: `
Hears what a game sends, finds the laps in it, and sends them to the service: each once, to the millisecond. What cannot
be sent yet waits on disk. docs/bridge.md lists the games, and says how to run it.`,
  options: {
    game: text('GAME', `the game: ${Object.keys(GAMES).join(', ')}`),
    port: text('PORT', 'the port; default: that of the game, see --list'),
    host: text('ADDRESS', 'where the game runs, if it has to be asked; default: 127.0.0.1'),
    password: text('TEXT', 'the connection password of ACC; default: none'),
    pair: text('CODE', 'makes this machine a rig of the service at --server, by the code that its venue shows'),
    server: text('URL', 'the service; default: that of the pairing, or BRIDGE_SERVER'),
    'key-file': text('FILE', 'a file with the key of the rig; default: that of the pairing, or BRIDGE_KEY_FILE'),
    rig: text('ID', 'the rig; default: the one that the key was issued to'),
    driver: text('ID', 'who drives while nobody sits on the rig; default: BRIDGE_DRIVER, or such laps wait'),
    event: text('ID', 'the event of those laps; default: BRIDGE_EVENT'),
    simulator: text('ID', 'the simulator whose mappings count; default: those that are called as the game is'),
    only: text('NAME', 'sends only laps of this driver or car, by the words of the game'),
    dir: text('DIR', 'where it keeps its files; default: see docs/bridge.md'),
    'status-port': text('PORT', 'shows a page with its status at http://127.0.0.1:PORT/'),
    replay: text('FILE', 'plays a capture of what a game sent, instead of hearing the game'),
    speed: text('NUMBER', 'plays the capture so many times as fast as it was recorded; default: 1'),
    started: text('TIME', 'when the capture was begun, ISO 8601 with a zone; default: its laps are driven now'),
    record: text('FILE', 'records what the game sends, into a new capture'),
    plan: flag('sends nothing, and shows the plan at the end, one JSON document, on standard output'),
    list: flag('lists the games'),
  },
  notes: `
A capture is compressed with gzip; its records are the time in ms (4 bytes), the length (2 bytes) and the payload.
Exit codes: 0 all that was found is recorded, the machine is paired, a plan was shown, or the bridge was interrupted, 1 the
capture cannot be read or written, the port cannot be opened, the service refuses key or code, or laps of a capture wait
or were refused, 2 wrong usage.`,
} as const;

type Call = Given<typeof SYNTAX.options>;

/** Games, and which of their interfaces is read. */
export const INTERFACES: Readonly<Record<GameName, string>> = {
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
const MAX_SPEED = 100_000;

export const run = command(SYNTAX, async (call) => {
  const { values, err } = call;
  if (values.list === true) return listGames(call);
  if (values.pair !== undefined) return pairMachine(call, values.pair);
  const { game, replay } = values;
  if (game === undefined) throw new UsageError('--game is missing; --list shows the games');
  if (!isGameName(game)) throw new UsageError(`there is no game ${game}; --list shows the games`);
  if (replay !== undefined && values.record !== undefined) {
    throw new UsageError('--replay and --record exclude each other');
  }
  if (replay === undefined && (values.speed ?? values.started) !== undefined) {
    throw new UsageError('--speed and --started are for --replay');
  }
  try {
    if (values.plan === true) {
      return replay === undefined ? await planOfGame(call, game, true) : await planOfCapture(call, replay, game);
    }
    const settings = settingsOf(call);
    if (settings !== null) return await send(call, game, settings);
    if (values.record !== undefined) return await planOfGame(call, game, false);
    throw new UsageError('--server and --key-file are missing, and this machine is not paired; --plan sends nothing');
  } catch (error) {
    err.write(`${messageOf(error)}\n`);
    return EXIT.failed;
  }
});

/** What people can do something about; anything else is a fault of ours, and is thrown on. */
export function messageOf(error: unknown): string {
  if (error instanceof Failure) return error.message;
  if (error instanceof Error && 'code' in error) return `The bridge has stopped: ${error.message}`;
  throw error;
}

/** Makes this machine a rig of a service, and says so. */
async function pairMachine({ values, env, out, err, signal, waiting }: Call, code: string): Promise<number> {
  const server = serviceUrl(required('server', values.server ?? env['BRIDGE_SERVER']));
  if (code.trim() === '') throw new UsageError('--pair takes the code that the venue shows');
  if (values.game !== undefined) throw new UsageError('--pair comes first; --game is for the next start');
  const places = bridgePlaces(env, values.dir ?? null);
  try {
    const rig = await pair({ code, server, places, signal, waiting });
    out.write(`This machine is paired with ${server} as ${rig.name ?? 'a rig'} (rig ${rig.id}).\n`);
    out.write(`Its key is in ${places.pairingFile}.\n`);
    return EXIT.done;
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    err.write(`${messageOf(error)}\n`);
    return EXIT.failed;
  }
}

function listGames({ out }: Call): number {
  for (const name of Object.keys(GAMES).filter(isGameName)) {
    const port = String(TRANSPORTS[name].port);
    out.write(`${name.padEnd(NAME_COLUMNS)}${port.padEnd(PORT_COLUMNS)}${INTERFACES[name]}\n`);
  }
  return EXIT.done;
}

async function planOfCapture({ out, err, signal }: Call, path: string, game: GameName): Promise<number> {
  const capture = await readCapture(path, game, signal);
  if (capture.outcome === 'refused') {
    err.write(`${path} cannot be read: ${capture.reason}\n`);
    return EXIT.failed;
  }
  out.write(`${JSON.stringify(capture.plan, null, 2)}\n`);
  return EXIT.done;
}

/** Hears a game until the command is interrupted, and shows the plan if that is asked for. */
async function planOfGame(call: Call, game: GameName, isPlanShown: boolean): Promise<number> {
  const plan = new CapturePlan(game);
  await hearing(call, game, (source) =>
    source.hear(
      call.signal,
      (payload, at) => plan.add(payload, at),
      () => undefined,
    ),
  );
  const shown = plan.finish();
  const laps = shown.sessions.reduce((sum, session) => sum + session.laps.length, 0);
  call.err.write(`${plan.read} packets, ${laps} laps\n`);
  if (isPlanShown) call.out.write(`${JSON.stringify(shown, null, 2)}\n`);
  return EXIT.done;
}

/** Sends the laps of a game until the command is interrupted, or those of a capture until it ends. */
async function send(call: Call, game: GameName, settings: Settings): Promise<number> {
  const { values, err, signal } = call;
  const statusPort = values['status-port'];
  const view = new TerminalView(err);
  const status = new BridgeStatus(game, settings.server, (line) => view.say(line));
  const page =
    statusPort === undefined
      ? null
      : await openStatusPage(status, wholeNumber('status-port', statusPort, [0, MAX_PORT]));
  if (page !== null) status.say(`The status is at http://127.0.0.1:${page.port}/`);
  view.draw(status);
  const bridge = async (source: Source): Promise<void> => {
    await runBridge({ ...settings, game, source, status, signal, waiting: call.waiting });
  };
  try {
    if (values.replay === undefined) {
      await hearing(call, game, bridge, status);
    } else {
      status.source = values.replay;
      await bridge(captureSource(values.replay, speedOf(call), startOf(call)));
    }
  } finally {
    view.close();
    page?.close();
    err.write(endReportOf(status.view()));
  }
  const end = status.view();
  return signal.aborted || values.replay === undefined || hasSentAll(end) ? EXIT.done : EXIT.failed;
}

/** Hears a game, and records what it sends if that is asked for. */
async function hearing(
  { values, err }: Call,
  game: GameName,
  work: (source: Source) => Promise<void>,
  status: BridgeStatus | null = null,
): Promise<void> {
  const { host = '127.0.0.1', password = '' } = values;
  const port = wholeNumber('port', values.port ?? String(TRANSPORTS[game].port), [0, MAX_PORT]);
  const recorder: CaptureRecorder | null = values.record === undefined ? null : await recordCapture(values.record);
  const onOpen = (opened: number): void => {
    if (status !== null) status.source = `port ${TRANSPORTS[game].kind === 'udp-from-game' ? opened : port}`;
    err.write(`The bridge listens to ${game} on port ${opened}; Ctrl-C ends it.\n`);
  };
  const onPayload = (payload: Uint8Array, at: number): void => recorder?.add(payload, at);
  await work(liveSource({ game, host, port, password, onOpen, onPayload }));
  await recorder?.close();
}

type Settings = Pick<BridgeOptions, 'server' | 'key' | 'rigId' | 'directory' | 'simulatorId' | 'withoutSeat' | 'only'>;

/** How laps are sent; null: it is not known where to. @throws {Failure} when the pairing or the key cannot be read. */
function settingsOf({ values, env }: Call): Settings | null {
  const places = bridgePlaces(env, values.dir ?? null);
  const service = serviceOf(values, env, places);
  if (service === null) return null;
  return {
    ...service,
    directory: places.dataDirectory,
    simulatorId: values.simulator ?? null,
    withoutSeat: seatOf(values.driver ?? env['BRIDGE_DRIVER'], values.event ?? env['BRIDGE_EVENT']),
    only: values.only ?? null,
  };
}

/** The service, and the rig: those of the pairing, unless they are given; null: there are none. */
function serviceOf(
  values: Call['values'],
  env: Call['env'],
  { pairingFile }: BridgePlaces,
): Pick<Settings, 'server' | 'key' | 'rigId'> | null {
  const server = values.server ?? env['BRIDGE_SERVER'];
  const keyFile = values['key-file'] ?? env['BRIDGE_KEY_FILE'];
  const rigId = values.rig ?? null;
  if (server !== undefined && keyFile !== undefined) {
    const known = readKeyFile(keyFile);
    return { server: serviceUrl(server), key: known.key, rigId: rigId ?? known.rigId };
  }
  if (server !== undefined || keyFile !== undefined) {
    throw new UsageError('--server and --key-file go together; without both, the pairing says where laps are sent');
  }
  const pairing = readPairing(pairingFile);
  if (pairing === null) return null;
  return { server: serviceUrl(pairing.server), key: pairing.key, rigId: rigId ?? pairing.rigId };
}

function seatOf(participantId: string | undefined, eventId: string | undefined): SeatSettings | null {
  if (participantId === undefined && eventId === undefined) return null;
  if (participantId === undefined || eventId === undefined) throw new UsageError('--driver and --event go together');
  return { participantId, eventId };
}

function speedOf({ values }: Call): number {
  return wholeNumber('speed', values.speed ?? '1', [1, MAX_SPEED]);
}

function startOf({ values }: Call): number | null {
  return values.started === undefined ? null : pastMoment('started', values.started);
}
