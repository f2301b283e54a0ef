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

/** A database with an unused name; `stop` removes its data, and the server if the tests started it. */
export type StoreServer = Pick<Ferret, 'url' | 'stop'>;

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

/** Starts a server that accepts connections, and answers what `onSocket` does. */
export async function startListener(onSocket: (socket: Socket) => void) {
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
    /** Breaks all connections; clients may reconnect at once. */
    cut,
    stop: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

export type FaultyProxy = Awaited<ReturnType<typeof startFaultyProxy>>;

/** What a proxy does with bytes. */
interface Passing {
  /** Decides by the number of bytes so far whether more go to clients. */
  readonly passes?: (sent: number) => boolean;
  /** Receives the number of bytes that clients have sent, and may change the newest. */
  readonly onReceived?: (received: number, bytes: Buffer) => void;
}

/** Starts a proxy to a local port. */
export async function startFaultyProxy(
  to: number,
  { passes = () => true, onReceived = () => undefined }: Passing = {},
) {
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
  const proxy = {
    ...listener,
    /** Delay of each answer in ms; the test may change it. */
    delayMs: 0,
    /** Bytes that clients have sent; the test may reset it. */
    received: 0,
  };
  return proxy;
}

/** A program that is a server, in words that a test server needs. */
interface Program {
  /** The variable with its path. */
  readonly variable: 'FERRETDB_BIN' | 'VERSITYGW_BIN';
  readonly args: (directory: string, port: number) => readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Resolves once it answers. */
  readonly answers: (port: number) => Promise<unknown>;
}

/** Starts a server process with faults, on the given port or a free one; its data stays in a new directory until `stop`. */
export async function startServer({ variable, args, env = process.env, answers }: Program, given?: number) {
  const port = given ?? (await freePort());
  const directory = mkdtempSync(join(tmpdir(), 'timing-server-'));
  const start = async (): Promise<ChildProcess> => {
    const binary = process.env[variable] ?? `${variable} is not set`;
    const started = spawn(binary, args(directory, port), { stdio: ['ignore', 'ignore', 'inherit'], env });
    const ended = once(started, 'exit').then(([code]) => {
      throw new Error(`${binary} ended with code ${String(code)} before it answered`);
    });
    await Promise.race([answers(port), ended]);
    // From here on tests may end it.
    ended.catch(() => undefined);
    return started;
  };
  let child = await start();
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return {
    port,
    kill,
    /** Stops the process until `thaw`: connections stay, but it answers nothing. */
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    /** Restarts it on the same port with the same data. */
    restart: async () => {
      child = await start();
    },
    stop: async () => {
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A FerretDB process with faults. */
export type Ferret = Awaited<ReturnType<typeof startFerret>>;

/** Starts the FerretDB that FERRETDB_BIN names, with its SQLite backend. */
export async function startFerret(given?: number) {
  const urlOf = (port: number): string => `mongodb://127.0.0.1:${port}/test`;
  const server = await startServer(
    {
      variable: 'FERRETDB_BIN',
      args: (directory, port) => [
        ...['--handler=sqlite', `--sqlite-url=file:${directory}/`, `--state-dir=${directory}`],
        ...[`--listen-addr=127.0.0.1:${port}`, '--debug-addr=-', '--telemetry=disable', '--log-level=ERROR'],
      ],
      answers: (port) => withClient(urlOf(port), (client) => client.db().command({ ping: 1 })),
    },
    given,
  );
  return { ...server, url: urlOf(server.port) };
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

async function withClient(url: string, work: (client: MongoClient) => Promise<unknown>): Promise<void> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: START_MS });
  try {
    await work(client);
  } finally {
    await client.close();
  }
}
