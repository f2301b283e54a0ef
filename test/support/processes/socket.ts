import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { bounded } from './waits.ts';

/** A connection on which a test sends arbitrary bytes. */
export class RawConnection {
  readonly socket: Socket;
  /** Resolves when the connection is closed, in whatever way. */
  readonly closed: Promise<unknown>;
  #text = '';

  private constructor(socket: Socket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.setEncoding('latin1').on('data', (text: string) => (this.#text += text));
    // A reset also closes it, which is what tests check.
    socket.on('error', () => undefined);
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Sends the head of a request, and the body if there is one. */
  send(line: string, headers: Readonly<Record<string, string | number>>, body = ''): void {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    this.socket.write(`${line} HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}\r\n${body}`);
  }

  /** Resolves to the received text once it matches; fails if the connection is closed before. */
  async received(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.#text)) {
      const next = Promise.race([once(this.socket, 'data'), this.closed.then(() => null)]);
      const more = await bounded(next, () => `${pattern.source}: ${this.#text}`);
      if (more !== null || pattern.test(this.#text)) continue;
      throw new Error(`closed without ${pattern.source}: ${this.#text}`);
    }
    return this.#text;
  }
}

/** True if nobody listens on the port. */
export async function isRefused(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket
      .once('error', () => resolve(true))
      .once('connect', () => {
        socket.destroy();
        resolve(false);
      });
  });
}
