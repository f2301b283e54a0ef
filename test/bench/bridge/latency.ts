import { createSocket } from 'node:dgram';
import { setTimeout as pause } from 'node:timers/promises';
import { randomFrom } from '../../../src/clients/demo/random.ts';
import { until } from '../../support/processes/waits.ts';
import { f1Venue, startBridge, type Bench, type Figure } from './measured.ts';
import { F1Game } from '../../bridge/f1-drive.ts';

const LAPS = 100;
/** The history of a car comes once a second, at any time after the line. */
const HISTORY_MS = 1_000;
const SLOWEST_MS = 120_000;
const GOAL_MS = 1_000;
const PACKET_MS = 16;

/** From the packet that completes a lap to the row on a live board: each lap is the best so far. */
export async function latency(bench: Bench): Promise<readonly Figure[]> {
  const venue = await f1Venue(bench);
  const { bridge, port } = await startBridge(venue);
  const socket = createSocket('udp4');
  const send = (payloads: readonly Uint8Array[]): void => {
    for (const payload of payloads) socket.send(payload, port, '127.0.0.1');
  };
  const shown = new Map<number, number>();
  const over = new AbortController();
  const reading = readBoard(`${bench.service.url}/api/v1/events/${venue.eventId}/live`, over.signal, shown);
  const random = randomFrom(7);
  const game = new F1Game({ format: 2025, uid: 99n });
  game.session(1, 10);
  game.participants({ name: 'Ida Moor', isAi: false, team: 4 });
  const sentAt = new Map<number, number>();
  for (let lap = 0; lap < LAPS; lap += 1) {
    const ms = SLOWEST_MS - lap * 10;
    game.drive({ sectors: [40_000, 40_000, ms - 80_000] }, 20_000);
    sentAt.set(ms, performance.now());
    send(game.records.splice(0).map(({ payload }) => payload));
    const historyAt = performance.now() + random() * HISTORY_MS;
    let hasHistory = false;
    await until(
      () => {
        game.pass(PACKET_MS);
        game.lapData();
        if (!hasHistory && performance.now() >= historyAt) {
          hasHistory = true;
          game.history();
        }
        send(game.records.splice(0).map(({ payload }) => payload));
        return shown.has(ms) && hasHistory;
      },
      Boolean,
      { everyMs: PACKET_MS },
    );
    await pause(random() * 200);
  }
  over.abort();
  await reading;
  socket.close();
  await bridge.end('SIGTERM');
  const latencies = Array.from(sentAt, ([ms, at]) => (shown.get(ms) ?? Infinity) - at).sort((a, b) => a - b);
  const quantile = (part: number): number => latencies[Math.ceil(latencies.length * part) - 1] ?? Infinity;
  const what = `from the packet that completes a lap to the row on the board, ${LAPS} laps of F1`;
  return [
    { what: `${what}: p50`, value: quantile(0.5), unit: 'ms', goal: null },
    { what: `${what}: p99`, value: quantile(0.99), unit: 'ms', goal: { most: GOAL_MS } },
  ];
}

/** Reads a live board, and notes when each lap time came. */
async function readBoard(url: string, signal: AbortSignal, shown: Map<number, number>): Promise<void> {
  try {
    const { body } = await fetch(url, { signal });
    let text = '';
    const pieces = (body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream());
    for await (const piece of pieces) {
      const events = (text + piece).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events.filter((one) => one.startsWith('event: rows'))) {
        for (const [, ms] of event.matchAll(/:(\d{6})\b/g)) {
          if (!shown.has(Number(ms))) shown.set(Number(ms), performance.now());
        }
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
