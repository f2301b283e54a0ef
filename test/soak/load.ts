import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../src/service/kernel/json.ts';
import { Connection, statusOf } from '../bench/load.ts';
import { get, jsonRequest } from '../bench/requests.ts';
import type { ServiceProcess } from '../support/processes/world.ts';

/** Interval between two requests of a connection, in ms. */
const EVERY_MS = 1_000;
/** Reads per connection; then the reader opens a new one. */
const READS_PER_CONNECTION = 20;

/** What the clients have counted. */
export class Met {
  laps = 0;
  reads = 0;
  putOff = 0;
  refused = 0;
  readonly shownAfterMs: number[] = [];
  /** Reads that were not answered with 200. */
  readonly badReads: string[] = [];
}

/** What all clients of a run share; they end when `stop` aborts. */
export interface Run {
  readonly service: ServiceProcess;
  readonly met: Met;
  readonly stop: AbortSignal;
}

/** Records a lap a second. */
export async function writer({ service, met, stop }: Run, writing: Writing): Promise<void> {
  const { start, rest } = jsonRequest('POST', '/api/v1/laps', writing);
  const connection = await Connection.open(service.url);
  await regularly(stop, async () => {
    const began = performance.now();
    const status = statusOf(await connection.send(start + rest));
    if (status === '201') met.shownAfterMs.push(performance.now() - began);
    if (status === '201' || status === '202') met.laps += 1;
    if (status === '202') met.putOff += 1;
    else if (status !== '201') met.refused += 1;
  });
  connection.close();
}

export interface Writing {
  readonly body: JsonObject;
  readonly token: string;
}

/** Reads once a second, with a new connection from time to time. */
export async function reader({ service, met, stop }: Run, paths: readonly string[]): Promise<void> {
  let connection = await Connection.open(service.url);
  let reads = 0;
  await regularly(stop, async () => {
    const path = paths[reads % paths.length] ?? '/';
    const status = statusOf(await connection.send(get(path).text));
    if (status !== '200') met.badReads.push(`${path}: ${status}`);
    met.reads += 1;
    reads += 1;
    if (reads % READS_PER_CONNECTION !== 0) return;
    connection.close();
    connection = await Connection.open(service.url);
  });
  connection.close();
}

/** Requests the list of all laps and disconnects in the middle. */
export async function leaver({ service: { port }, stop }: Run): Promise<void> {
  await regularly(stop, async () => {
    const socket: Socket = connect(port, '127.0.0.1');
    socket.write(get('/api/v1/laps').text);
    await once(socket, 'readable');
    socket.destroy();
  });
}

/** Acts once a second from a random moment on, and makes up for missed seconds. */
async function regularly(stop: AbortSignal, act: () => Promise<void>): Promise<void> {
  await pause(Math.random() * EVERY_MS);
  for (let due = performance.now() + EVERY_MS; !stop.aborted; due += EVERY_MS) {
    await act();
    await pause(Math.max(0, due - performance.now()));
  }
}
