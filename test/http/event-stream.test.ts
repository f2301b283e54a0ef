import type { Socket } from 'node:net';
import { expect } from 'chai';
import { z } from 'zod';
import type { EventSink } from '../../src/service/http/event-source.ts';
import { MAX_WAITING_BYTES } from '../../src/service/http/event-stream.ts';
import { startToys, toy, until, type Toys, type Wire } from '../support/api/http.ts';

const MEBIBYTE = 1_048_576;

describe('streams of events', () => {
  let toys: Toys;
  let sink: EventSink | null = null;
  let started = 0;
  let ended = 0;
  let making = 0;
  const sockets: Socket[] = [];

  const start = async (options: Parameters<typeof startToys>[1] = {}): Promise<void> => {
    sink = null;
    started = 0;
    ended = 0;
    making = 0;
    sockets.length = 0;
    const row = toy('GET', '/api/v1/live', {
      responses: { 200: 'text/event-stream' },
      query: z.object({ from: z.string().optional(), slow: z.string().optional() }),
      events: z.unknown(),
      isReplay: ({ from }) => from !== undefined,
      handle({ query: { slow } }) {
        making += slow === undefined ? 0 : 1;
        if (slow !== undefined) return new Promise<never>(() => undefined);
        return {
          kind: 'events',
          source: {
            start(its) {
              sink = its;
              started += 1;
            },
            end() {
              ended += 1;
            },
          },
        };
      },
    });
    const never = toy('GET', '/api/v1/never', { handle: () => new Promise<never>(() => undefined) });
    toys = await startToys([row, never], options);
  };

  afterEach(() => toys.close());

  /** A client that reads nothing until asked to. */
  async function stalled(): Promise<{ readonly wire: Wire; readonly sink: EventSink }> {
    const before = started;
    const wire = toys.wire('GET /api/v1/live HTTP/1.1\r\nHost: a\r\n\r\n');
    wire.socket.pause();
    await until(() => started > before);
    if (sink === null) throw new Error('the stream has not begun');
    return { wire, sink };
  }

  /** Asks for a stream through a trusted proxy; resolves with the status. The stream stays open. */
  async function statusFor(address: string, query = ''): Promise<number> {
    const wire = toys.wire(`GET /api/v1/live${query} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\n\r\n`);
    sockets.push(wire.socket);
    const head = await wire.sees(/\r\n\r\n/);
    const status = Number(/^HTTP\/1.1 (\d+)/.exec(head)?.[1]);
    if (status !== 200) expect(head).to.match(/\r\nRetry-After: \d+\r\n/);
    return status;
  }

  it('are counted per client address, also behind a proxy, and replays among them', async () => {
    const open = { clientLiveReaders: 3, clientReplays: 2 };
    await start({ limits: { ...open, trustedProxies: ['127.0.0.1'], unlimitedClients: ['192.0.2.9'] } });
    const replay = '?from=1';
    expect([await statusFor('192.0.2.1', replay), await statusFor('192.0.2.1', replay)]).to.deep.equal([200, 200]);
    expect([await statusFor('192.0.2.1'), await statusFor('192.0.2.1')]).to.deep.equal([200, 429]);
    expect(await statusFor('192.0.2.2', replay)).to.equal(200);
    for (let n = 0; n < 4; n += 1) expect(await statusFor('192.0.2.9', replay)).to.equal(200);
    sockets[0]?.destroy();
    await until(() => ended === 1);
    expect([await statusFor('192.0.2.1', replay), await statusFor('192.0.2.1')]).to.deep.equal([200, 429]);
  });

  it('end the oldest replay of an address for a newer one, also while its board is being made', async () => {
    await start({ limits: { clientReplays: 2, trustedProxies: ['127.0.0.1'] } });
    const wires: Wire[] = [];
    for (let n = 0; n < 2; n += 1) {
      wires.push(toys.wire('GET /api/v1/live?from=1 HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n'));
      await until(() => started === n + 1);
    }
    expect(await statusFor('192.0.2.2', '?from=1'), 'another address').to.equal(200);
    expect(ended).to.equal(0);
    expect(await statusFor('192.0.2.1', '?from=1')).to.equal(200);
    expect(ended, 'before its reader has left').to.equal(1);
    const retry = /retry: (\d+)\n\n$/.exec((await wires[0]?.sees(/retry: \d+\n\n/)) ?? '')?.[1];
    expect(Number(retry), 'ms').to.be.within(10_000, 20_000);
    await until(() => wires[0]?.socket.destroyed === true);
    expect(await statusFor('192.0.2.1', '?from=1')).to.equal(200);
    await until(() => ended === 2);
    const slow = 'GET /api/v1/live?from=1&slow=yes HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.3\r\n\r\n';
    const waiting = toys.wire(slow);
    await until(() => making === 1);
    expect(await statusFor('192.0.2.3', '?from=1')).to.equal(200);
    expect(await statusFor('192.0.2.3', '?from=1')).to.equal(200);
    expect(await waiting.sees(/\r\n\r\n/)).to.match(/^HTTP\/1.1 429 /);
  });

  it('include a limited number of replays of all clients', async () => {
    await start({ limits: { maxReplays: 2, liveBufferBytes: MEBIBYTE, trustedProxies: ['127.0.0.1'] } });
    for (const [address, query, status] of [
      ['192.0.2.1', '?from=1', 200],
      ['192.0.2.2', '?from=1', 200],
      ['192.0.2.3', '?from=1', 503],
      ['192.0.2.3', '', 200],
      ['192.0.2.2', '?from=1', 200],
    ] as const) {
      expect(await statusFor(address, query)).to.equal(status);
    }
    await until(() => ended === 1);
    sockets[0]?.destroy();
    await until(() => ended === 2);
    expect(await statusFor('192.0.2.3', '?from=1')).to.equal(200);
  });

  it('cut off the slowest reader when too many bytes wait for all readers together', async () => {
    await start({ limits: { liveBufferBytes: 2 * MEBIBYTE } });
    const slow = await stalled();
    const slower = await stalled();
    const event = Buffer.alloc(50_000, 'x');
    // A system takes some MB for a connection by itself.
    while (slow.sink.waiting === 0) slow.sink.write(event);
    while (toys.http.eventStreams.dropped === 0) {
      slower.sink.write(event);
      await new Promise(setImmediate);
    }
    expect(toys.http.eventStreams.dropped).to.equal(1);
    slow.sink.write(event);
    expect(slow.sink.waiting).to.be.greaterThan(0);
  });

  it('cut off a reader who does not read what is sent', async () => {
    await start();
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

  it('let a reader take a large event at their own pace', async () => {
    await start();
    const { sink: stream, wire } = await stalled();
    const large = 30 * MEBIBYTE;
    stream.write(Buffer.alloc(large, 'x'));
    stream.write(Buffer.from('small'));
    const isTaken = new Promise<void>((resolve) => {
      stream.onTaken(resolve);
    });
    wire.socket.resume();
    await isTaken;
    await until(() => wire.received.length > large && wire.received.endsWith('small'));
    expect([ended, stream.waiting]).to.deep.equal([0, 0]);
  });

  it('have no deadline, and end with their readers', async () => {
    await start({ limits: { requestDeadlineMs: 100 } });
    const { wire } = await stalled();
    expect(await toys.send('/api/v1/never')).to.include({ status: 503 });
    expect(ended).to.equal(0);
    wire.socket.destroy();
    await until(() => ended === 1);
  });

  it('are never compressed, and end with the connection', async () => {
    await start();
    const { headers } = await toys.send('/api/v1/live', { headers: { 'Accept-Encoding': 'gzip, br' } });
    expect(Object.fromEntries(headers)).to.include({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      connection: 'close',
    });
    expect([headers.get('content-encoding'), headers.get('transfer-encoding')]).to.deep.equal([null, null]);
  });
});
