import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { connect, Failure, Refused, type WaitObserver } from '../connection.ts';
import { readIfThere, replaceFile } from '../delivery/durable-file.ts';
import { nodeFetch } from '../node-fetch.ts';
import { readPairing, writePairing, type BridgePlaces } from './config.ts';

const ATTEMPT_FILE = 'pairing-attempt.json';

/** A redemption that is under way: it is on disk before it is sent, so that another attempt is the same request. */
const Attempt = z.object({
  server: z.string(),
  code: z.string(),
  hardwareId: z.string(),
  /** The `Idempotency-Key` of the request. */
  requestKey: z.string(),
});
type Attempt = Readonly<z.output<typeof Attempt>>;

/** What pairing needs. */
export interface PairingOptions {
  /** The address of the service. */
  readonly server: string;
  /** The code, as somebody typed it. */
  readonly code: string;
  readonly places: BridgePlaces;
  readonly signal: AbortSignal;
  readonly waiting: WaitObserver;
}

/** The rig that this machine is now. */
export interface PairedRig {
  readonly rigId: string;
  readonly name: string;
}

/**
 * Registers this machine as a rig by a code of the venue, and keeps the key of the rig in a file that only its user may
 * read. A crash before the key is kept loses nothing: the same code, given again, gets the rig's key again.
 * @throws {Failure} when the machine is paired already, or the code is refused
 * @throws the reason of the signal
 */
export async function pairRig({ server, code, places, signal, waiting }: PairingOptions): Promise<PairedRig> {
  const paired = readPairing(places.pairingFile);
  if (paired !== null) {
    throw new Failure(
      `This machine is rig ${paired.rigId} of ${paired.server} already. To pair it anew, delete ${places.pairingFile}.`,
    );
  }
  const attempt = attemptOf(places.dataDirectory, server, code);
  const service = connect({ url: server, token: '', signal, waiting, send: nodeFetch });
  const body = { code, hardwareId: attempt.hardwareId };
  const params = { header: { 'Idempotency-Key': attempt.requestKey } };
  const { data } = await service
    .answered(() => service.POST('/api/v1/rig-pairings/redemption', { body, params }))
    .catch((error: unknown) => {
      throw error instanceof Refused && error.status === 404 ? new Failure(NO_SUCH_CODE, { cause: error }) : error;
    });
  const { id: rigId, name } = data.rig;
  writePairing(places.pairingFile, { server, rigId, key: data.apiKey.token });
  rmSync(join(places.dataDirectory, ATTEMPT_FILE), { force: true });
  return { rigId, name: name ?? rigId };
}

const NO_SUCH_CODE =
  'This code does not exist, has expired, or has been used. The Seats page of the administration makes a new one.';

/** The attempt with a code: that of before, if it was not finished. */
function attemptOf(directory: string, server: string, code: string): Attempt {
  const path = join(directory, ATTEMPT_FILE);
  const before = storedAttempt(path);
  if (before !== null && before.server === server && before.code === code) return before;
  const attempt = { server, code, hardwareId: `bridge-${randomUUID()}`, requestKey: randomUUID() };
  mkdirSync(directory, { recursive: true });
  replaceFile(path, JSON.stringify(attempt));
  return attempt;
}

/** @throws {Failure} when the file cannot be read */
function storedAttempt(path: string): Attempt | null {
  const text = readIfThere(path);
  if (text === null) return null;
  try {
    return Attempt.parse(JSON.parse(text));
  } catch (error) {
    throw new Failure(`${path} cannot be read; delete it to begin anew`, { cause: error });
  }
}
