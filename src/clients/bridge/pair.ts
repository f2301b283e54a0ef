import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { connect, Failure, Refused, Unanswered, type Connection, type WaitObserver } from '../connection.ts';
import { readIfThere, replaceFile } from '../delivery/durable-file.ts';
import { nodeFetch } from '../node-fetch.ts';
import { readPairing, writePairing, type BridgePlaces } from './config.ts';

/** How often a code is sent when the service does not answer: somebody waits for it at the terminal. */
const ATTEMPTS = 5;

/** The status of an answer to a code after too many wrong ones. */
const TOO_MANY_CODES = 429;
const SECONDS_PER_MINUTE = 60;

const FILE = 'machine.json';

/** What a machine knows of itself. */
const Machine = z.object({
  /** What the service knows it by, whichever code it is paired by. */
  hardwareId: z.string().min(1),
  /** The code that was sent last; null: none yet. */
  redemption: z
    .object({
      server: z.string(),
      code: z.string(),
      /** The `Idempotency-Key` of its request. */
      key: z.string().min(1),
    })
    .nullable(),
});
type Machine = Readonly<z.output<typeof Machine>>;
type Redemption = Readonly<NonNullable<Machine['redemption']>>;

/** A code that somebody has typed, and the service that it is for. */
export interface PairingRequest {
  readonly code: string;
  /** The address of the service, without a slash at its end. */
  readonly server: string;
  readonly places: BridgePlaces;
  readonly signal: AbortSignal;
  readonly waiting: WaitObserver;
}

/** The rig that a machine has become. */
export interface PairedRig {
  readonly id: string;
  /** Null: the venue has not named it. */
  readonly name: string | null;
}

/**
 * Registers this machine as a rig by a code, and keeps the key of the rig. The request is on disk before it is sent: after
 * a crash before the key is on disk, the same code is sent again under the same `Idempotency-Key`, and gets another key.
 * @throws {Failure} when the code is not taken, the service does not answer, or files cannot be read.
 */
export async function pair(request: PairingRequest): Promise<PairedRig> {
  const { server, places, signal, waiting } = request;
  const machine = machineFor(request);
  const { redemption } = machine;
  const client = connect({
    url: server,
    token: '',
    signal,
    attempts: ATTEMPTS,
    // Whoever types a code does not wait for minutes until it may be sent, and it would be over by then.
    finalStatuses: [TOO_MANY_CODES],
    waiting,
    send: nodeFetch,
  });
  client.use({ onRequest: ({ request: sent }) => sent.headers.delete('X-API-Key') });
  try {
    const { rig, apiKey } = await redeem(client, machine.hardwareId, redemption);
    writePairing(places.pairingFile, { server, rigId: rig.id, key: apiKey.token });
    return { id: rig.id, name: rig.name };
  } catch (error) {
    throw explained(error, request);
  }
}

async function redeem(client: Connection, hardwareId: string, { code, key }: Redemption) {
  const params = { header: { 'Idempotency-Key': key } };
  const body = { code, hardwareId };
  const { data } = await client.answered(() => client.POST('/api/v1/rig-pairings/redemption', { body, params }));
  return data;
}

/** This machine, with the request that is to be sent; both are on disk. @throws {Failure} when they cannot be read. */
function machineFor({ code, server, places }: PairingRequest): Machine & { readonly redemption: Redemption } {
  const directory = places.dataDirectory;
  mkdirSync(directory, { recursive: true });
  const path = join(directory, FILE);
  const known = readMachine(path);
  const plainCode = code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  const last = known?.redemption ?? null;
  const isSentAgain = last !== null && last.code === plainCode && last.server === server;
  const machine = {
    hardwareId: known?.hardwareId ?? `bridge-${randomUUID()}`,
    redemption: isSentAgain ? last : { server, code: plainCode, key: randomUUID() },
  };
  replaceFile(path, `${JSON.stringify(machine, null, 2)}\n`);
  return machine;
}

/** @throws {Failure} */
function readMachine(path: string): Machine | null {
  const text = readIfThere(path);
  if (text === null) return null;
  let content: unknown = null;
  try {
    content = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const machine = Machine.safeParse(content);
  if (machine.success) return machine.data;
  throw new Failure(`${path} cannot be read: delete it, and this machine is paired as another rig`);
}

/** A failure in the words of whoever has typed the code. */
function explained(error: unknown, { code, server, places }: PairingRequest): unknown {
  if (error instanceof Unanswered) {
    return new Failure(`${server} does not answer (${error.message}): is this its address?`, { cause: error });
  }
  if (!(error instanceof Refused)) return error;
  if (error.status === TOO_MANY_CODES) {
    const { retryAfterS } = error;
    const wait = retryAfterS === null ? 'later' : `in ${Math.ceil(retryAfterS / SECONDS_PER_MINUTE)} min`;
    return new Failure(`Too many wrong codes were sent to the service: try again ${wait}`, { cause: error });
  }
  if (error.status === 409) {
    const advice = 'where its key was lost, its venue issues the next one, for --key-file';
    return new Failure(`This machine is a rig of ${server} already: ${advice}`, { cause: error });
  }
  if (error.status !== 404) return error;
  const current = readPairing(places.pairingFile);
  const known = current?.server === server ? ' This machine is paired with the service already.' : '';
  return new Failure(`The code ${code} is wrong, was used, or is over.${known}`, { cause: error });
}
