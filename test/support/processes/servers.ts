import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { listen } from './listen.ts';

/** Longest wait for a server that was started, in ms. */
const START_MS = 20_000;

/** A store server for tests. */
export interface StoreServer {
  /** With an unused database name for MongoDB. */
  readonly url: string;
  /** Removes the data, and the server if the tests started it. */
  readonly stop: () => Promise<void>;
}

/** A FerretDB process with faults; its data stays until `stop`. */
export interface Ferret extends StoreServer {
  readonly port: number;
  readonly kill: () => Promise<void>;
  /** Stops the process until `thaw`: connections stay, but it answers nothing. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Restarts it on the same port with the same data. */
  readonly restart: () => Promise<void>;
}

/** Why there is no MongoDB server for tests; null when there is one. */
export function noMongo(): string | null {
  const { MONGODB_URL, FERRETDB_BIN } = process.env;
  return (MONGODB_URL ?? FERRETDB_BIN) ? null : 'neither MONGODB_URL nor FERRETDB_BIN is set';
}

/** Why tests that stop and start a MongoDB server cannot run; null when they can. */
export function noFerret(): string | null {
  return process.env['FERRETDB_BIN'] === undefined ? 'FERRETDB_BIN is not set: the path of a ferretdb binary' : null;
}

/** Why tests that take a minute each are skipped; null when they run. */
export function noTime(): string | null {
  return process.env['TEST_LONG'] === undefined ? 'only in npm run test:servers: it takes long' : null;
}

/** A new database on the server that MONGODB_URL names, or else on a new FerretDB. */
export async function startMongo(): Promise<StoreServer> {
  const given = process.env['MONGODB_URL'];
  if (given === undefined) return startFerret();
  const url = withDatabase(given, `test-${randomUUID()}`);
  return { url, stop: () => withClient(url, (client) => client.db().dropDatabase()) };
}

/** The URL with another database name. */
function withDatabase(url: string, name: string): string {
  return url.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${name}`);
}

/** A TCP server on a free port. */
interface Listener {
  readonly port: number;
  /** Breaks all connections; clients may reconnect at once. */
  readonly cut: () => void;
  readonly stop: () => Promise<void>;
}

/** Starts a server that accepts connections, and answers what `onSocket` does. */
export async function startListener(onSocket: (socket: Socket) => void): Promise<Listener> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket)));
    onSocket(socket);
  });
  const port = await listen(server);
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    cut,
    stop: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A proxy to a local port. */
export interface FaultyProxy extends Listener {
  /** Delay of each answer in ms; the test may change it. */
  delayMs: number;
  /** Bytes that clients have sent; the test may reset it. */
  received: number;
}

/** What a proxy does with bytes. */
interface Passing {
  /** Decides by the number of bytes so far whether more go to clients. */
  readonly passes?: (sent: number) => boolean;
  /** Receives the number of bytes that clients have sent, and may change the newest. */
  readonly onReceived?: (received: number, bytes: Buffer) => void;
}

export async function startFaultyProxy(
  to: number,
  { passes = () => true, onReceived = () => undefined }: Passing = {},
): Promise<FaultyProxy> {
  let passed = 0;
  const listener = await startListener((client) => {
    const upstream = connect(to, '127.0.0.1');
    client.once('close', () => upstream.destroy());
    // The server may close the connection right after its answer, which must still arrive.
    upstream.on('error', () => upstream.destroy()).once('close', () => void sent.then(() => client.destroySoon()));
    let sent = Promise.resolve();
    client.on('data', (bytes) => {
      proxy.received += bytes.length;
      onReceived(proxy.received, bytes);
    });
    client.pipe(upstream);
    upstream.on('data', (bytes: Buffer) => {
      passed += bytes.length;
      if (!passes(passed)) return;
      const due = Date.now() + proxy.delayMs;
      // In order, even if the delay has changed.
      sent = sent.then(async () => {
        await pause(Math.max(0, due - Date.now()));
        if (!client.destroyed) client.write(bytes);
      });
    });
  });
  const proxy: FaultyProxy = { ...listener, delayMs: 0, received: 0 };
  return proxy;
}

/**
 * Starts the FerretDB that FERRETDB_BIN names, with its SQLite backend in a new directory, on the given port or a free
 * one.
 */
export async function startFerret(given?: number): Promise<Ferret> {
  const port = given ?? (await freePort());
  const directory = mkdtempSync(join(tmpdir(), 'ferretdb-'));
  const url = `mongodb://127.0.0.1:${port}/test`;
  let child = await startProcess(directory, port);
  return {
    url,
    port,
    stop: async () => {
      // A stopped process would not receive SIGTERM.
      child.kill('SIGCONT');
      await end(child, 'SIGTERM');
      rmSync(directory, { recursive: true, force: true });
    },
    kill: () => end(child, 'SIGKILL'),
    freeze: () => {
      child.kill('SIGSTOP');
    },
    thaw: () => {
      child.kill('SIGCONT');
    },
    restart: async () => {
      child = await startProcess(directory, port);
    },
  };
}

/** Ports below those that systems assign themselves. */
const FIRST_PORT = 10_000;
const PORTS_OF_A_PROCESS = 50;
const PROCESSES = 400;
let portsGiven = 0;

/** A free port that no other process of the tests takes, also while a server on it restarts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const own = (process.pid % PROCESSES) * PORTS_OF_A_PROCESS;
    const port = FIRST_PORT + own + (portsGiven++ % PORTS_OF_A_PROCESS);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** Starts FerretDB and waits until it answers. */
async function startProcess(directory: string, port: number): Promise<ChildProcess> {
  const binary = process.env['FERRETDB_BIN'];
  if (binary === undefined) throw new Error('FERRETDB_BIN is not set');
  const child = spawn(
    binary,
    [
      '--handler=sqlite',
      `--sqlite-url=file:${directory}/`,
      `--state-dir=${directory}`,
      `--listen-addr=127.0.0.1:${port}`,
      '--debug-addr=-',
      '--telemetry=disable',
      '--log-level=ERROR',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${binary} ended with code ${String(code)} before it answered`);
  });
  const answered = withClient(`mongodb://127.0.0.1:${port}/test`, (client) => client.db().command({ ping: 1 }));
  await Promise.race([answered, ended]);
  // From here on tests may end it.
  ended.catch(() => undefined);
  return child;
}

async function withClient(url: string, work: (client: MongoClient) => Promise<unknown>): Promise<void> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: START_MS });
  try {
    await work(client);
  } finally {
    await client.close();
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}
