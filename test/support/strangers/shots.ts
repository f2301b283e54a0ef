import { Agent, request, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

/** A request of a stranger. */
export interface Shot {
  readonly method?: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
  /** Time in ms from sending until the client leaves; undefined: it waits for the answer. */
  readonly leavesAfterMs?: number;
  /** True: a client that reads nothing of an answer with status 200, and stays. */
  readonly unread?: boolean;
}

/** Bytes on a connection of their own, which stays open until the server closes it. */
export interface RawShot {
  readonly bytes: string;
}

/** Where requests go, and from which local address. */
export interface Origin {
  readonly host: string;
  readonly port: number;
  readonly localAddress: string;
}

/** An answer: its status, or `left`, or `closed` by the server; and the body, if it was kept. */
export interface Outcome {
  readonly status: string;
  readonly body: string;
}

/** A client of one local address, with keep-alive connections. */
export class Shooter {
  readonly #origin: Origin;
  readonly #agent = new Agent({ keepAlive: true });
  /** Ends what is in flight. */
  readonly #inFlight = new Set<() => void>();

  constructor(origin: Origin) {
    this.#origin = origin;
  }

  /** Sends a request and resolves to its outcome; never rejects. */
  send(shot: Shot, keepsBody = false): Promise<Outcome> {
    const { method = 'GET', path, headers = {}, body, leavesAfterMs, unread = false } = shot;
    return new Promise((resolve) => {
      let status = 'closed';
      const chunks: Buffer[] = [];
      const sent = request({ ...this.#origin, agent: this.#agent, method, path, headers });
      const end = (): void => void sent.destroy();
      this.#inFlight.add(end);
      sent.on('response', (answer) => {
        const code = String(answer.statusCode);
        if (!unread || code !== '200') answer.resume();
        if (keepsBody) answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        // An answer that breaks off has no status.
        if (unread) status = code;
        else answer.once('end', () => (status = code));
        answer.once('error', end);
      });
      if (leavesAfterMs !== undefined) {
        sent.once('finish', () => {
          setTimeout(() => {
            if (status === 'closed') status = 'left';
            end();
          }, leavesAfterMs);
        });
      }
      sent.once('error', end).once('close', () => {
        this.#inFlight.delete(end);
        resolve({ status, body: Buffer.concat(chunks).toString() });
      });
      sent.end(body);
    });
  }

  /** Opens a connection, and resolves once the server has closed it, to the status of the first answer. */
  sendRaw({ bytes }: RawShot): Promise<Outcome> {
    return new Promise((resolve) => {
      let status = 'closed';
      const socket = connect(this.#origin);
      const end = (): void => void socket.destroy();
      this.#inFlight.add(end);
      socket.setEncoding('latin1').once('data', (text: string) => (status = text.slice(9, 12)));
      socket.resume();
      socket.once('error', end).once('close', () => {
        this.#inFlight.delete(end);
        resolve({ status, body: '' });
      });
      socket.write(bytes, 'latin1');
    });
  }

  /** Disconnects everything that is in flight or kept. */
  close(): void {
    for (const end of this.#inFlight) end();
    this.#agent.destroy();
  }
}
