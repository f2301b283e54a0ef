import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { GameName } from './games/games.ts';
import { requestsTo, type GameRequests } from './games/requests.ts';

/** How a game is reached: it sends to a port of ours, or is asked at a port of its own. */
interface Transport {
  readonly kind: 'udp-from-game' | 'udp-to-game' | 'tcp-to-game';
  readonly port: number;
}

/** Transports, with the ports that games have if nobody changes them. */
export const TRANSPORTS: Readonly<Record<GameName, Transport>> = {
  f1: { kind: 'udp-from-game', port: 20_777 },
  acc: { kind: 'udp-to-game', port: 9_000 },
  ac: { kind: 'udp-to-game', port: 9_996 },
  'ac-server': { kind: 'udp-from-game', port: 12_000 },
  ams2: { kind: 'udp-from-game', port: 5_606 },
  forza: { kind: 'udp-from-game', port: 5_300 },
  lfs: { kind: 'tcp-to-game', port: 29_999 },
};

/** A game without a word for this long, in ms, is asked again. */
const SILENCE_MS = 10_000;
/** How often it is looked after that, in ms. */
const CHECK_MS = 1_000;

/** Games send in bursts: what the system grants of this holds them while the bridge is busy. */
const BUFFER_BYTES = 4 * 2 ** 20;

/** What to listen to, and who hears it. */
export interface Listening {
  readonly game: GameName;
  /** The address of the game, where the bridge asks it. */
  readonly host: string;
  readonly port: number;
  readonly password: string;
  readonly signal: AbortSignal;
  /** Hears what came; `at`: when, in whole ms since the start. */
  readonly onPayload: (payload: Uint8Array, at: number) => void;
  /** Hears the port that the bridge has opened, once the game may send. */
  readonly onOpen: (port: number) => void;
}

/**
 * Hears what a game sends, and asks it for what laps need, until the signal aborts. A game that is not there yet, or that
 * goes away, is asked again.
 * @throws an error with a code such as EADDRINUSE when the port cannot be opened.
 */
export async function listen(listening: Listening): Promise<void> {
  const { kind } = TRANSPORTS[listening.game];
  if (kind === 'tcp-to-game') await listenOverTcp(listening);
  else await listenOverUdp(listening, kind === 'udp-to-game');
}

async function listenOverUdp(listening: Listening, isGameAsked: boolean): Promise<void> {
  const { game, host, port, password, signal, onPayload, onOpen } = listening;
  const requests = requestsTo(game, { password });
  // Other programs may listen to the same game.
  const socket = createSocket({ type: 'udp4', reuseAddr: !isGameAsked, recvBufferSize: BUFFER_BYTES });
  const start = performance.now();
  let heardAt = -Infinity;
  const failed = once(socket, 'error', { signal }).then(([error]: unknown[]) => {
    throw error;
  });
  socket.on('message', (payload, from) => {
    const at = Math.round(performance.now() - start);
    heardAt = performance.now();
    onPayload(payload, at);
    for (const answer of requests.answersTo(payload, at)) socket.send(answer, from.port, from.address);
  });
  try {
    socket.bind(isGameAsked ? 0 : port);
    await Promise.race([once(socket, 'listening', { signal }), failed]);
    onOpen(socket.address().port);
    await Promise.race([keepAsking(requests, socket, { host, port, signal, heardAt: () => heardAt }), failed]);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await close(socket, isGameAsked && signal.aborted ? requests.closing() : null, host, port);
  }
}

interface Asking {
  readonly host: string;
  readonly port: number;
  readonly signal: AbortSignal;
  /** When the game was heard last, by the clock of `performance`. */
  readonly heardAt: () => number;
}

async function keepAsking(requests: GameRequests, socket: Socket, { host, port, signal, heardAt }: Asking) {
  while (true) {
    const isSilent = performance.now() - heardAt() > SILENCE_MS;
    if (isSilent && requests.opening !== null) socket.send(requests.opening, port, host);
    await pause(CHECK_MS, undefined, { signal });
  }
}

/** Says good-bye, if there is something to say, and closes. */
async function close(socket: Socket, closing: Uint8Array | null, host: string, port: number): Promise<void> {
  const closed = once(socket, 'close');
  if (closing === null) socket.close();
  else socket.send(closing, port, host, () => socket.close());
  await closed;
}

async function listenOverTcp({ game, host, port, password, signal, onPayload, onOpen }: Listening): Promise<void> {
  const start = performance.now();
  while (!signal.aborted) {
    const requests = requestsTo(game, { password });
    const socket = connect({ host, port, signal });
    try {
      await once(socket, 'connect');
      onOpen(socket.localPort ?? 0);
      if (requests.opening !== null) socket.write(requests.opening);
      // The types of sockets leave open what they yield; without an encoding, it is buffers.
      for await (const segment of socket as AsyncIterable<Buffer>) {
        const at = Math.round(performance.now() - start);
        onPayload(segment, at);
        for (const answer of requests.answersTo(segment, at)) socket.write(answer);
      }
    } catch (error) {
      // A game that is not there, or has closed the connection, may come back.
      const isGone = error instanceof Error && 'code' in error;
      if (!isGone) throw error;
    } finally {
      socket.destroy();
    }
    await pauseUntil(signal);
  }
}

/** Pauses before the game is asked again, or until the signal aborts. */
async function pauseUntil(signal: AbortSignal): Promise<void> {
  try {
    await pause(CHECK_MS, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
