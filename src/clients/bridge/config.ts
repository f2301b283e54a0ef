import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { Failure } from '../connection.ts';
import { readIfThere, replaceFile } from '../delivery/durable-file.ts';

/** The folder of the bridge among those of other programs. */
const FOLDER = 'sim-racing-timing';
const PAIRING_FILE = 'bridge.json';

/** The rig that this machine is, and its service: what pairing yields. */
const Pairing = z.object({
  /** The address of the service, without a slash at its end. */
  server: z.url({ protocol: /^https?$/ }),
  rigId: z.uuid(),
  /** The token of the rig's key. */
  key: z.string().min(1),
});
export type Pairing = Readonly<z.output<typeof Pairing>>;

/** Environment variables of a process. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Where a bridge keeps its files. */
export interface BridgePlaces {
  /** The file of the pairing. */
  readonly pairingFile: string;
  /** The folder of laps that wait, and of everything else that the bridge keeps. */
  readonly dataDirectory: string;
}

/**
 * The places of a bridge: on Windows, `%LOCALAPPDATA%\sim-racing-timing`; elsewhere those of the XDG base directories.
 * @param directory holds everything instead; null: those places
 */
export function bridgePlaces(env: Environment, directory: string | null, platform = process.platform): BridgePlaces {
  if (directory !== null) return { pairingFile: join(directory, PAIRING_FILE), dataDirectory: directory };
  if (platform === 'win32') {
    const local = env['LOCALAPPDATA'] || join(homedir(), 'AppData', 'Local');
    const folder = join(local, FOLDER);
    return { pairingFile: join(folder, PAIRING_FILE), dataDirectory: folder };
  }
  const config = env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  const state = env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state');
  return { pairingFile: join(config, FOLDER, PAIRING_FILE), dataDirectory: join(state, FOLDER) };
}

/** The pairing of this machine; null: it is not paired. @throws {Failure} when the file cannot be read. */
export function readPairing(path: string): Pairing | null {
  const text = readText(path);
  return text === null ? null : parsedPairing(path, text);
}

/** Keeps the pairing of this machine, in a file that only its user may read. */
export function writePairing(path: string, pairing: Pairing): void {
  mkdirSync(dirname(path), { recursive: true });
  replaceFile(path, `${JSON.stringify(pairing, null, 2)}\n`);
}

/**
 * What a key file holds: the token alone, or a pairing.
 * @throws {Failure} when it cannot be read, or holds neither.
 */
export function readKeyFile(path: string): { readonly key: string; readonly rigId: string | null } {
  const text = readText(path);
  if (text === null) throw new Failure(`${path} cannot be read: there is no such file`);
  const whole = text.trim();
  if (whole.startsWith('{')) {
    const { key, rigId } = parsedPairing(path, whole);
    return { key, rigId };
  }
  if (!/^[\x21-\x7e]+$/.test(whole)) throw new Failure(`${path} holds no key: it must be one line, the token`);
  return { key: whole, rigId: null };
}

/** @throws {Failure} */
function readText(path: string): string | null {
  try {
    return readIfThere(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new Failure(`${path} cannot be read: ${error.message}`, { cause: error });
  }
}

/** @throws {Failure} */
function parsedPairing(path: string, text: string): Pairing {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new Failure(`${path} cannot be read: it is no JSON`, { cause: error });
  }
  const pairing = Pairing.safeParse(content);
  if (pairing.success) return pairing.data;
  const [issue] = pairing.error.issues;
  throw new Failure(`${path} cannot be read: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}
