import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import type { Endpoint, EndpointResponse } from '../../src/service/http/endpoint.ts';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import { problem, toy, until, useToys } from '../support/api/http.ts';
import { depth } from '../support/depth.ts';

/** A list whose life can be watched. */
const watched = { batches: 0, returned: 0 };

function watch<T>(limit: number, batch: (index: number) => T): AsyncIterable<T> {
  let index = 0;
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        watched.batches += 1;
        index += 1;
        return index > limit ? { done: true, value: undefined } : { done: false, value: batch(index) };
      },
      async return() {
        watched.returned += 1;
        return { done: true, value: undefined };
      },
    }),
  };
}

let release: () => void = () => undefined;

const answering = (path: string, handle: () => EndpointResponse | Promise<EndpointResponse>): Endpoint =>
  toy('GET', `/api/v1/${path}`, { handle });

const record = { id: 'x'.repeat(400), n: 1 };
/** Of records, in the long list: more than may be in memory at any one time. */
const THOUSANDS = depth({ short: 200, deep: 1_000 });
const thousand = Array.from({ length: 1000 }, () => record);

/** A body that is the same in every two versions, and how often it was made. */
const computed = { version: 0, made: 0 };

const rows = [
  answering('text', () => ({
    kind: 'text',
    status: 200,
    body: 'hé',
    headers: { 'Content-Type': 'text/html', ETag: '"t"' },
  })),
  answering('empty', () => ({ kind: 'empty', status: 202, headers: { 'Retry-After': '1' } })),
  answering('computed', () => ({
    kind: 'computed',
    version: () => Promise.resolve(`v${computed.version}`),
    body: () => {
      computed.made += 1;
      return Promise.resolve({ n: Math.floor(computed.version / 2) });
    },
  })),
  answering('none', () => ({ kind: 'list', batches: watch(0, () => []) })),
  answering('blank', () => ({ kind: 'list', batches: watch(3, () => []) })),
  answering('few', () => ({ kind: 'list', batches: watch(3, (n) => (n === 2 ? [] : [{ n }, { é: n }])) })),
  answering('many', () => ({ kind: 'list', batches: watch(THOUSANDS, () => thousand) })),
  answering('away', () => ({
    kind: 'list',
    batches: watch(1, () => {
      throw new StoreUnavailable('x');
    }),
  })),
  answering('breaks', () => ({
    kind: 'list',
    batches: watch(9, (n) => {
      if (n === 3) throw new TypeError('broken');
      return [{ n }];
    }),
  })),
  answering('bytes', () => ({
    kind: 'stream',
    status: 200,
    content: watch(3, () => new Uint8Array([1, 2])),
    headers: { 'Content-Type': 'image/png', 'Content-Length': '6', ETag: '"b"', 'Cache-Control': 'public' },
  })),
  answering('late', async () => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return { kind: 'list', batches: watch(3, () => [record]) };
  }),
];

describe('answers', () => {
  const toys = useToys(rows);
  beforeEach(() => {
    watched.batches = 0;
    watched.returned = 0;
  });

  it('sends text, and empty answers', async () => {
    const text = await toys.send('/api/v1/text');
    expect([text.headers.get('content-type'), text.headers.get('content-length'), await text.text()]).to.deep.equal([
      'text/html',
      '3',
      'hé',
    ]);
    expect((await toys.send('/api/v1/text', { headers: { 'If-None-Match': '"t"' } })).status).to.equal(304);
    const empty = await toys.send('/api/v1/empty');
    expect([
      empty.status,
      empty.headers.get('content-length'),
      empty.headers.get('retry-after'),
      await empty.text(),
    ]).to.deep.equal([202, '0', '1', '']);
  });

  it('builds a body once for all clients while the version stays the same', async () => {
    const first = await toys.send('/api/v1/computed');
    const tag = first.headers.get('etag') ?? '';
    const text = await first.text();
    const ask = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
      const before = computed.made;
      const answer = await toys.send(path, { headers });
      return [answer.status, await answer.text(), computed.made - before];
    };
    const path = '/api/v1/computed';
    for (let n = 0; n < 3; n += 1) {
      expect(await ask(path)).to.deep.equal([200, text, 0]);
      expect(await ask(path, { 'If-None-Match': tag })).to.deep.equal([304, '', 0]);
    }
    computed.version = 1;
    expect(await ask(path, { 'If-None-Match': tag }), 'another version of the same').to.deep.equal([304, '', 1]);
    computed.version = 2;
    expect(await ask(path, { 'If-None-Match': tag }), 'another body').to.deep.equal([200, '{"n":1}', 1]);
    expect(await ask(path)).to.deep.equal([200, '{"n":1}', 0]);
  });

  it('streams lists as one JSON array', async () => {
    for (const path of ['none', 'blank']) expect(await (await toys.send(`/api/v1/${path}`)).text()).to.equal('[]');
    const few = await toys.send('/api/v1/few');
    expect(few.headers.get('content-type')).to.equal('application/json');
    expect(await few.json()).to.deep.equal([{ n: 1 }, { é: 1 }, { n: 3 }, { é: 3 }]);
    const before = watched.batches;
    const head = await toys.send('/api/v1/few', { method: 'HEAD' });
    expect([head.status, watched.batches - before]).to.deep.equal([200, 1]);
    await until(() => watched.returned === 4);
  });

  it('streams bytes with the headers given', async () => {
    const bytes = await toys.send('/api/v1/bytes');
    expect([...new Uint8Array(await bytes.arrayBuffer())]).to.deep.equal([1, 2, 1, 2, 1, 2]);
    expect(bytes.headers.get('content-type')).to.equal('image/png');
    expect(bytes.headers.get('cache-control')).to.equal('public');
    expect((await toys.send('/api/v1/bytes', { headers: { 'If-None-Match': '"b"' } })).status).to.equal(304);
    await until(() => watched.returned === 2);
  });

  it('streams a list of any length, at most a few batches ahead of its reader', async () => {
    // A client that takes no more than it is asked for, unlike fetch.
    const [body] = (await once(get(`${toys.url}/api/v1/many`), 'response')) as [IncomingMessage];
    const batchBytes = 1_000 * (JSON.stringify(record).length + 1);
    let size = 0;
    let ahead = 0;
    // Without an encoding, its chunks are buffers.
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      ahead = Math.max(ahead, watched.batches - size / batchBytes);
    }
    expect(size).to.equal(THOUSANDS * batchBytes + 1);
    // What the sockets hold; without back pressure it would be nearly all of them.
    expect(ahead).to.be.below(100);
  });

  it('reads no more than the client takes, and stops when it leaves', async () => {
    const wire = toys.wire();
    wire.socket.pause();
    wire.write('GET /api/v1/many HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => watched.batches > 1);
    await toys.send('/api/v1/none');
    expect(watched.batches).to.be.below(100);
    const before = watched.returned;
    wire.socket.destroy();
    await until(() => watched.returned > before);
    await until(() =>
      toys.lines.some(({ message }) => message === 'Request not answered to its end: the connection was cut'),
    );
    expect(toys.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });

  it('answers 503 when a list cannot begin, and cuts the connection when it breaks midway', async () => {
    await problem(await toys.send('/api/v1/away'), 503);
    const wire = toys.wire('GET /api/v1/breaks HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(await wire.ended())
      .to.match(/^HTTP\/1.1 200/)
      .and.to.match(/\{"n":2\}/)
      .and.not.to.match(/\r\n0\r\n\r\n$/);
    expect(toys.lines.find(({ level }) => level === 'error')?.err).to.be.instanceOf(TypeError);
    expect(watched.returned).to.equal(2);
  });

  it('drops a list that is ready only after its client has left', async () => {
    const before = release;
    const wire = toys.wire('GET /api/v1/late HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => release !== before);
    watched.batches = 0;
    wire.socket.destroy();
    await until(() => toys.observed.some(([route, status]) => route === 'GET /api/v1/late' && status === 499));
    watched.returned = 0;
    release();
    await until(() => watched.returned === 1);
    expect(watched.batches).to.equal(0);
  });
});
