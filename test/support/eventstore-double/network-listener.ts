import { createServer, type Server, type Socket } from 'node:net';
import { Duplex, PassThrough } from 'node:stream';
import { listen } from '../processes/listen.ts';

/**
 * The listening socket and the connections of the double. It stands between the network and the gRPC server, so that
 * a connection can be frozen (nothing is read or written, not even HTTP/2 pings) or reset, which the server cannot do.
 */
export class NetworkListener {
  readonly #accept: (connection: Duplex) => void;
  readonly #changed: (open: number, accepted: number) => void;
  readonly #direct: boolean;
  readonly #sockets = new Set<Socket>();
  readonly #connections = new Set<Connection>();
  #accepted = 0;
  #server: Server | null = null;
  #port = 0;
  #frozen = false;

  /**
   * `accept` gets each new connection, `changed` the number of open ones and of all that were ever taken. With `direct`
   * the gRPC server gets the sockets themselves: reads are faster, and nothing can be frozen.
   */
  constructor(
    accept: (connection: Duplex) => void,
    changed: (open: number, accepted: number) => void,
    direct: boolean,
  ) {
    this.#accept = accept;
    this.#changed = changed;
    this.#direct = direct;
  }

  get port(): number {
    return this.#port;
  }

  /** Listens on a port (0: any free one); on the port it had when it listens again. */
  async listen(port: number = this.#port): Promise<void> {
    if (this.#server !== null) return;
    const server = createServer({ noDelay: true }, (socket) => this.#connected(socket));
    this.#server = server;
    this.#port = await listen(server, port);
  }

  /** Refuses new connections; those that are open stay. */
  refuse(): void {
    this.#server?.close();
    this.#server = null;
  }

  /** Resets every open connection: both sides lose what was on its way. */
  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Like a stopped process: connections are taken, nothing is read or written on them until `thaw`. */
  freeze(): void {
    if (this.#direct) throw new Error('Direct connections cannot be frozen; stop the process with SIGSTOP.');
    this.#frozen = true;
    for (const connection of this.#connections) connection.freeze();
  }

  thaw(): void {
    this.#frozen = false;
    for (const connection of this.#connections) connection.thaw();
  }

  #connected(socket: Socket): void {
    this.#accepted += 1;
    this.#sockets.add(socket);
    this.#changed(this.#sockets.size, this.#accepted);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#changed(this.#sockets.size, this.#accepted);
    });
    this.#accept(this.#direct ? socket : this.#stoppable(socket));
  }

  #stoppable(socket: Socket): Duplex {
    const connection = new Connection(socket);
    if (!this.#frozen) connection.thaw();
    this.#connections.add(connection);
    socket.once('close', () => this.#connections.delete(connection));
    return connection.stream;
  }
}

/** A connection that can be stopped in both directions. */
class Connection {
  readonly #socket: Socket;
  readonly #received = new PassThrough();
  readonly #sent = new PassThrough();
  /** What the gRPC server reads and writes. */
  readonly stream = Duplex.from({ readable: this.#received, writable: this.#sent });

  constructor(socket: Socket) {
    this.#socket = socket;
    // A reset is what clients do too; the gRPC server ends the calls of a connection that closes.
    socket.on('error', () => this.stream.destroy()).on('close', () => this.stream.destroy());
    this.stream.on('error', () => socket.destroy()).on('close', () => socket.destroy());
  }

  freeze(): void {
    this.#socket.unpipe(this.#received).pause();
    this.#sent.unpipe(this.#socket);
  }

  thaw(): void {
    this.#socket.pipe(this.#received);
    this.#sent.pipe(this.#socket);
  }
}
