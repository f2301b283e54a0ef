import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { bridgePlaces, readPairing, type BridgePlaces, type Pairing } from '../../clients/bridge/config.ts';
import { GAMES, isGameName, type GameName } from '../../clients/bridge/games/games.ts';
import { pair } from '../../clients/bridge/pair.ts';
import { startsWithWindows, startupScript, startWithWindows } from '../../clients/bridge/start-with-windows.ts';
import { Failure } from '../../clients/connection.ts';
import { readJson, replaceFile } from '../../clients/delivery/durable-file.ts';
import { INTERFACES, messageOf, run as runBridge } from './bridge.ts';
import { EXIT, serviceUrl, UsageError, type Invocation } from './command.ts';
import { createWaiting, type Waiting } from './waiting.ts';

/** What was answered last. */
const Answers = z.object({ game: z.string() });

const FILE = 'setup.json';

/** How a bridge that is started by a double click is called. */
export interface SetupInvocation extends Omit<Invocation, 'ask'> {
  /** Asks a question; null: nobody answers any more. */
  readonly ask: (question: string) => Promise<string | null>;
  readonly program: string;
  /** The program, and the script that it runs, if it is not the bridge itself: absolute paths. */
  readonly command: readonly string[];
}

interface Setup extends SetupInvocation {
  readonly waiting: Waiting;
  readonly places: BridgePlaces;
}

/** Thrown when nobody answers any more: the window was closed, say. */
class Unattended extends Error {}

/**
 * The bridge as somebody starts it by a double click: it asks for what it does not know, which is the service and the code,
 * once, and the game; then whether it starts with Windows; and runs. Its window stays open until its message was read.
 */
export async function setUpBridge(invocation: SetupInvocation): Promise<number> {
  const { waiting, out, err } = createWaiting(invocation.program, invocation);
  const setup: Setup = { ...invocation, out, err, waiting, places: bridgePlaces(invocation.env, null) };
  let code: number;
  try {
    out.write('Sim Racing Timing: sends the laps of a game to the service. Ctrl-C ends it.\n\n');
    await paired(setup);
    const game = await chosenGame(setup);
    await offerStart(setup, game);
    const { env, signal, program } = invocation;
    code = await runBridge({ args: ['--game', game], env, out: invocation.out, err: invocation.err, signal, program });
  } catch (error) {
    if (error instanceof Unattended) return invocation.signal.aborted ? EXIT.interrupted : EXIT.failed;
    err.write(`${messageOf(error)}\n`);
    code = EXIT.failed;
  } finally {
    waiting.end();
  }
  if (code === EXIT.failed) await invocation.ask('Enter closes this window. ');
  return code;
}

/** The answer to a question; Enter is the usual one. @throws {Unattended} when nobody answers. */
async function answerTo({ ask }: Setup, question: string, usual: string | null = null): Promise<string> {
  while (true) {
    const answer = await ask(usual === null ? `${question}: ` : `${question} [${usual}]: `);
    if (answer === null) throw new Unattended();
    if (answer !== '') return answer;
    if (usual !== null) return usual;
  }
}

/** Pairs this machine unless it is, and asks again until a code is taken. @throws {Unattended} */
async function paired(setup: Setup): Promise<Pairing> {
  const { out, err, places, signal, waiting } = setup;
  let usual: string | null = null;
  while (true) {
    const pairing = readPairing(places.pairingFile);
    if (pairing !== null) {
      out.write(`This machine is paired with ${pairing.server} (rig ${pairing.rigId}).\n\n`);
      return pairing;
    }
    const address: string = await answerTo(setup, 'Address of the service, such as timing.example.org', usual);
    try {
      const server = serviceUrl(address.includes('://') ? address : `https://${address}`);
      usual = server;
      const code = await answerTo(setup, 'Code that "Add a rig" shows on its Seats page');
      const { name } = await pair({ code, server, places, signal, waiting });
      out.write(`\nThis is ${name ?? 'a rig'} now.\n`);
    } catch (error) {
      if (signal.aborted) throw new Unattended();
      if (!(error instanceof Failure || error instanceof UsageError)) throw error;
      err.write(`${error.message}\n\n`);
    }
  }
}

/** The game that is played here; Enter is the one of last time. @throws {Unattended} */
async function chosenGame(setup: Setup): Promise<GameName> {
  const { out, err, places } = setup;
  const path = join(places.dataDirectory, FILE);
  const known = Answers.safeParse(readJson(path)).data?.game ?? '';
  const names = Object.keys(GAMES).filter(isGameName);
  out.write('Which game is played here?\n');
  for (const [index, name] of names.entries()) out.write(`  ${index + 1}  ${INTERFACES[name]}\n`);
  const usual = isGameName(known) ? String(names.indexOf(known) + 1) : null;
  while (true) {
    const answer = await answerTo(setup, 'Its number', usual);
    const game = names[Number(answer) - 1];
    if (game !== undefined) {
      mkdirSync(places.dataDirectory, { recursive: true });
      replaceFile(path, JSON.stringify({ game }));
      return game;
    }
    err.write(`There is no ${answer} among them.\n`);
  }
}

/** Offers to start the bridge with Windows, unless it does. @throws {Unattended} */
async function offerStart(setup: Setup, game: GameName): Promise<void> {
  const { env, out, command } = setup;
  const script = process.platform === 'win32' ? startupScript(env) : null;
  if (script === null) return;
  const program = { command, args: ['--game', game] };
  if (startsWithWindows(script, program)) {
    out.write(`\nIt starts with Windows; to end that, delete ${script}\n`);
    return;
  }
  const answer = await answerTo(setup, '\nStart it with Windows, whenever you sign in? y or n', 'n');
  if (!/^[yj]/i.test(answer)) return;
  startWithWindows(script, program);
  out.write(`It starts with Windows as long as ${command.at(-1) ?? ''} stays where it is.\n`);
  out.write(`To end that, delete ${script}\n\n`);
}
