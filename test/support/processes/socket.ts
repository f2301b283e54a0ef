import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Wire } from '../api/http.ts';

/** A bare connection that is open, for requests of which a part may never come. */
export class RawConnection extends Wire {
  static async open(port: number): Promise<RawConnection> {
    const opened = new RawConnection(port);
    await once(opened.socket, 'connect');
    return opened;
  }

  /** Sends the head of a request, and the body if there is one. */
  send(line: string, headers: Readonly<Record<string, string | number>>, body = ''): void {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    this.write(`${line} HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}\r\n${body}`);
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

/** A connection that stops reading once the answer has begun. */
export async function stalledReader(port: number, path: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}
