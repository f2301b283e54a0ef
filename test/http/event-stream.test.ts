import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { endpoint, type EventSink } from '../../src/service/http/endpoint.ts';
import { MAX_WAITING_BYTES } from '../../src/service/http/event-stream.ts';
import { startToys, until, type Toys } from '../support/api/http.ts';

const MEBIBYTE = 1_048_576;

describe('streams of events', () => {
  let toys: Toys;
  let sink: EventSink | null = null;
  let ended = 0;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    [sink, ended] = [null, 0];
    const row = endpoint({
      ...{ method: 'GET', path: '/api/v1/live', operationId: 'watch', access: 'public' },
      ...{ tag: { name: 'Live', description: 'Live.' }, summary: 'Watch', responses: { 200: 'text/event-stream' } },
      handle: () => ({
        kind: 'events',
        source: {
          start(its) {
            sink = its;
          },
          end() {
            ended += 1;
          },
        },
      }),
    });
    const never = endpoint({
      ...{ method: 'GET', path: '/api/v1/never', operationId: 'wait', access: 'public' },
      ...{ tag: { name: 'Live', description: 'Live.' }, summary: 'Wait', responses: { 200: 'text/plain' } },
      handle: () => new Promise<never>(() => undefined),
    });
    const limits = { jsonBytes: 1000, jsonLevels: 32, uploadBytes: 1000, deadlineMs: 100 };
    toys = await startToys([row, never], { limits });
  });

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await toys.close();
  });

  /** A client that reads nothing until asked to. */
  async function stalled(): Promise<{ readonly socket: Socket; readonly sink: EventSink }> {
    const socket = connect(toys.port, '127.0.0.1').pause();
    sockets.push(socket);
    socket.write('GET /api/v1/live HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => sink !== null);
    if (sink === null) throw new Error('the stream has not begun');
    return { socket, sink };
  }

  it('cut off a reader who does not take what they are sent', async () => {
    const { sink: stream } = await stalled();
    const event = Buffer.alloc(50_000, 'x');
    let sent = 0;
    // A system takes some MB for a connection by itself.
    for (let bytes = 0; bytes < 100 * MEBIBYTE; bytes += event.length) {
      if (ended > 0) break;
      stream.write(event);
      sent += event.length;
      await new Promise(setImmediate);
    }
    expect(ended).to.equal(1);
    expect(sent).to.be.within(MAX_WAITING_BYTES, 40 * MEBIBYTE);
    expect(toys.http.eventStreams.dropped).to.equal(1);
    const message = 'A reader of a stream of events was cut off: it did not take what it was sent';
    expect(toys.lines.filter((line) => line.message === message)).to.have.length(1);
    stream.write(event);
    expect(ended).to.equal(1);
  });

  it('let a reader take something large in their own time', async () => {
    const { sink: stream, socket } = await stalled();
    const large = 30 * MEBIBYTE;
    stream.write(Buffer.alloc(large, 'x'));
    stream.write(Buffer.from('small'));
    let taken = 0;
    let end = '';
    socket.on('data', (bytes: Buffer) => {
      taken += bytes.length;
      end = bytes.toString().slice(-5);
    });
    const isTaken = new Promise<void>((resolve) => {
      stream.onTaken(resolve);
    });
    socket.resume();
    await isTaken;
    await until(() => taken > large && end === 'small');
    expect([ended, stream.waiting]).to.deep.equal([0, 0]);
  });

  it('have no deadline, and end with their readers', async () => {
    const { socket } = await stalled();
    expect(await toys.send('/api/v1/never')).to.include({ status: 503 });
    expect(ended).to.equal(0);
    socket.destroy();
    await until(() => ended === 1);
  });

  it('are never compressed, and end with the connection', async () => {
    const { headers } = await toys.send('/api/v1/live', { headers: { 'Accept-Encoding': 'gzip, br' } });
    expect(Object.fromEntries(headers)).to.include({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      connection: 'close',
    });
    expect([headers.get('content-encoding'), headers.get('transfer-encoding')]).to.deep.equal([null, null]);
  });

  it('end when the server does, each with a time to come back at', async () => {
    const { socket } = await stalled();
    const closed = toys.http.close(1_000);
    let text = '';
    socket.setEncoding('utf8').on('data', (some: string) => {
      text += some;
    });
    socket.resume();
    await once(socket, 'end');
    const retry = Number(/retry: (\d+)\n\n$/.exec(text)?.[1]);
    expect(retry).to.be.within(1_000, 3_000);
    await closed;
  });
});
