import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';
/** Where the status stands in `HTTP/1.1 201 Created`. */
const STATUS_START = 9;
const STATUS_END = 12;
const CHUNKED = /\r\ntransfer-encoding: chunked/i;
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');
/** The status of answers that have no body. */
const NOT_MODIFIED = '304';
/** One body in this many is checked. */
const CHECK_EVERY = 101;

/** A request and its expected answer. */
export interface Call {
  /** The whole request, ASCII. */
  readonly text: string;
  readonly status: string;
  /** True if the body is as expected. */
  readonly fits: (body: string) => boolean;
}

/** Keep-alive connections with one request in flight each. */
export class Client {
  readonly #url: string;
  /** Null: to be opened. */
  #connections: readonly (Connection | null)[];
  #sent = 0;

  constructor(url: string, connections: number) {
    this.#url = url;
    this.#connections = Array.from({ length: connections }, () => null);
  }

  /**
   * Sends requests for `ms`, at least one per connection, and waits for the last answers; resolves to the time that it
   * took in all, and the ms of each request.
   * @throws {Error} at the first unexpected answer.
   */
  async run(ms: number, next: () => Call) {
    // Servers close connections that were idle for long, while the other side had its turn.
    const connections = await Promise.all(
      this.#connections.map(async (known) => (known?.isOpen === true ? known : Connection.open(this.#url))),
    );
    this.#connections = connections;
    const latencies: number[] = [];
    const startedAt = performance.now();
    const drive = async (connection: Connection): Promise<void> => {
      do {
        const call = next();
        const sentAt = performance.now();
        const answer = await connection.send(call.text);
        latencies.push(performance.now() - sentAt);
        this.#check(call, answer);
      } while (performance.now() < startedAt + ms);
    };
    await Promise.all(connections.map(drive));
    return { seconds: (performance.now() - startedAt) / 1_000, latencies };
  }

  close(): void {
    for (const connection of this.#connections) connection?.close();
  }

  #check({ status, fits }: Call, answer: Buffer): void {
    this.#sent += 1;
    const whole = this.#sent % CHECK_EVERY === 1;
    if (statusOf(answer) === status && (!whole || fits(bodyOf(answer)))) return;
    throw new Error(`an answer that was not to be expected: ${answer.toString('utf8', 0, 1_000)}`);
  }
}

/** An HTTP/1.1 connection for answers with a `Content-Length`, in chunks, or of status 304. */
export class Connection {
  readonly #socket: Socket;
  #received: Buffer | null = null;
  /** Length of the answer in flight, once its head is known; else 0. */
  #expected = 0;
  #resolve: ((answer: Buffer) => void) | null = null;
  #reject: ((error: Error) => void) | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      this.#take(chunk);
    });
    socket.on('error', (error) => this.#reject?.(error));
    socket.on('close', () => this.#reject?.(new Error('the server closed a connection')));
  }

  static async open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new Connection(socket);
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** Sends a request; resolves to the whole answer, head included. */
  send(text: string): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      if (this.#socket.destroyed) reject(new Error('the server has closed a connection'));
      else this.#socket.write(text, 'latin1');
    });
  }

  close(): void {
    this.#reject = null;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    const received = this.#received === null ? chunk : Buffer.concat([this.#received, chunk]);
    this.#received = received;
    if (this.#expected === 0) this.#expected = lengthOf(received);
    if (this.#expected === 0 || received.length < this.#expected) return;
    this.#received = null;
    this.#expected = 0;
    this.#resolve?.(received);
  }
}

/** Length of an answer, head included; 0 while that is not known. */
function lengthOf(received: Buffer): number {
  const end = received.indexOf(HEAD_END);
  if (end < 0) return 0;
  if (statusOf(received) === NOT_MODIFIED) return end + HEAD_END.length;
  // PocketBase sends pages in chunks; one request is in flight, so the last chunk ends what was received.
  if (CHUNKED.test(received.toString('latin1', 0, end))) {
    return received.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) ? received.length : 0;
  }
  const length = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1];
  if (length === undefined) throw new Error('an answer without Content-Length');
  return end + HEAD_END.length + Number(length);
}

export function statusOf(answer: Buffer): string {
  return answer.toString('latin1', STATUS_START, STATUS_END);
}

export function bodyOf(answer: Buffer): string {
  return answer.toString('utf8', answer.indexOf(HEAD_END) + HEAD_END.length);
}

export function headOf(answer: Buffer): string {
  return answer.toString('latin1', 0, answer.indexOf(HEAD_END));
}
