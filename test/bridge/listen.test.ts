import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket as TcpSocket } from 'node:net';
import { expect } from 'chai';
import { listen } from '../../src/clients/bridge/listen.ts';
import type { GameName } from '../../src/clients/bridge/games/games.ts';
import { accRegistration } from './acc-packets.ts';
import { packet } from './bytes.ts';

/** A bridge that listens, and what it has heard. */
class Bridge {
  readonly heard: Buffer[] = [];
  readonly #stop = new AbortController();
  readonly ended: Promise<void>;
  readonly port: Promise<number>;
  #onHeard = (): void => undefined;

  constructor(game: GameName, port: number) {
    let onOpen = (_: number): void => undefined;
    this.port = new Promise((resolve) => {
      onOpen = resolve;
    });
    this.ended = listen({
      game,
      host: '127.0.0.1',
      port,
      password: '',
      signal: this.#stop.signal,
      onPayload: (payload) => {
        this.heard.push(Buffer.from(payload));
        this.#onHeard();
      },
      onOpen,
    });
  }

  /** Waits until so many payloads were heard. */
  async hears(count: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (this.heard.length >= count) resolve();
      };
      this.#onHeard = check;
      check();
    });
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.ended;
  }
}

async function game(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

/** The next datagram that a game gets, and from which port. */
function next(socket: Socket): Promise<{ readonly bytes: Buffer; readonly port: number }> {
  return new Promise((resolve) => {
    socket.once('message', (bytes, { port }) => resolve({ bytes, port }));
  });
}

/** The next connection to a server, with what it says first. */
function nextConnection(server: Server): Promise<{ readonly socket: TcpSocket; readonly opening: Buffer }> {
  return new Promise((resolve) => {
    server.once('connection', (socket) => {
      socket.once('data', (opening) => resolve({ socket, opening: Buffer.from(opening) }));
    });
  });
}

describe('the bridge listens', () => {
  it('to games that send to its port, and closes it at the end', async () => {
    const bridge = new Bridge('forza', 0);
    const sender = await game();
    sender.send(new Uint8Array(331), await bridge.port, '127.0.0.1');
    await bridge.hears(1);
    expect(bridge.heard[0]).to.have.length(331);
    await bridge.end();
    sender.close();
  });

  it('to ACC, with which it registers, and which it leaves at the end', async () => {
    const acc = await game();
    const registered = next(acc);
    const bridge = new Bridge('acc', acc.address().port);
    const { bytes, port } = await registered;
    expect(bytes[0]).to.equal(1);
    const answered = next(acc);
    acc.send(accRegistration(), port, '127.0.0.1');
    expect((await answered).bytes[0], 'it asks for the track').to.equal(11);
    const left = next(acc);
    // The list of entries may come before the good-bye.
    const farewell = left.then(async ({ bytes: first }) => (first[0] === 9 ? first : (await next(acc)).bytes));
    await bridge.end();
    expect((await farewell)[0]).to.equal(9);
    acc.close();
  });

  it('to Live for Speed over TCP, and connects again after the game was closed', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('it listens to no port');
    const bridge = new Bridge('lfs', address.port);
    for (let connection = 1; connection <= 2; connection += 1) {
      const { socket, opening } = await nextConnection(server);
      expect(opening[1]).to.equal(1);
      socket.end(
        packet(4, [
          [0, ['u8', 1]],
          [1, ['u8', 3]],
        ]),
      );
      await bridge.hears(connection);
    }
    await bridge.end();
    server.close();
  });

  it('to no port that another program has', async () => {
    const taken = createSocket('udp4');
    taken.bind(0);
    await once(taken, 'listening');
    const bridge = new Bridge('f1', taken.address().port);
    const failure = await bridge.ended.then(
      () => null,
      (error: unknown) => error,
    );
    expect(failure).to.have.property('code', 'EADDRINUSE');
    taken.close();
  });
});
