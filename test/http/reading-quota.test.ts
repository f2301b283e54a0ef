import { systemClock } from '../../infra/system/system.ts';
import { expect } from 'chai';
import { z } from 'zod';
import { exportEndpoint } from '../../src/service/api/exports.ts';
import type { ApiRequest } from '../../src/service/http/endpoint.ts';
import { createClients } from '../../src/service/http/clients.ts';
import { ClientUsage } from '../../src/service/http/usage.ts';
import { FairTurns } from '../../src/service/http/fair-turns.ts';
import type { ReadModels } from '../../src/kernel/ports/read-store.ts';
import { memoryReadModels } from '../support/read-store/memory-read-store.ts';
import { keyed, problem, toy, useLimitedToys } from '../support/api/http.ts';

const query = z.object({
  documents: z.coerce.number().default(0),
  bytes: z.coerce.number().default(0),
  v: z.string().optional(),
});

type Asked = ApiRequest<undefined, z.output<typeof query>, undefined>;

/** Visits documents, in two batches. */
async function* visited({ query: { documents, bytes }, usage }: Pick<Asked, 'query' | 'usage'>) {
  for (const toy of ['a', 'b']) {
    usage.documents += documents / 2;
    yield await Promise.resolve([{ toy: toy.repeat(bytes / 2) }]);
  }
}

function computedBy({ query: { documents, bytes }, usage }: Asked) {
  usage.documents += documents;
  return Promise.resolve({ toy: 'x'.repeat(bytes) });
}

/** Laps of which a table is made: none, after many were visited. */
const models: ReadModels = {
  ...memoryReadModels(),
  async *stream(_, { visits }) {
    if (visits) visits.documents += 10_000;
    yield await Promise.resolve([]);
  },
};

const longReads = new FairTurns();
const rows = [
  exportEndpoint(
    {
      models,
      overlays: new Map(),
      clock: systemClock,
      queryBudget: 0,
      authorizer: { mayReadContact: () => true, mayReadAllContacts: () => true },
    },
    longReads,
    () => Promise.resolve(),
  ),
  toy('GET', '/board', {
    query,
    handle: (request) => ({ kind: 'computed', version: () => Promise.resolve('1'), body: () => computedBy(request) }),
  }),
  toy('GET', '/failing', {
    query,
    handle: (request) => ({
      kind: 'computed',
      version: () => Promise.resolve('1'),
      body: () => computedBy(request).then(() => Promise.reject(new Error('fails'))),
    }),
  }),
  toy('GET', '/list', { query, handle: (request) => ({ kind: 'list', batches: visited(request) }) }),
  toy('GET', '/short', {
    query,
    handle: (request) => ({
      kind: 'computed',
      version: () => Promise.resolve('1'),
      isShort: () => true,
      body: () => computedBy(request),
    }),
  }),
  toy('GET', '/bytes', {
    query,
    handle: ({ query: { bytes } }) => ({
      kind: 'stream',
      status: 200,
      headers: {},
      content: (async function* () {
        for (let sent = 0; sent < bytes; sent += 65_536) yield await Promise.resolve(new Uint8Array(65_536));
      })(),
    }),
  }),
  toy('GET', '/plain'),
];

/** The headers of a client that asks for uncompressed answers. */
const PLAIN = { headers: { 'Accept-Encoding': 'identity' } };

describe('the quota of long reads', () => {
  const { toys, start, expectLeft } = useLimitedToys(rows);

  it('is charged for the documents that they visit, and for the bytes that they produce', async () => {
    await start({ clientRequestsPerMinute: 1_000 });
    const board = await toys.send('/board?documents=5000');
    expect(board.headers.get('ratelimit-policy')).to.equal('"address";q=1000;w=60, "reading";q=1000;w=60');
    expectLeft(board, { reading: 900 }, 10);
    expectLeft(await toys.send(`/board?bytes=${100 * 32_768}`, PLAIN), { reading: 800 }, 10);
    for (const list of ['/list?documents=10000', `/list?bytes=${100 * 32_768}`])
      await (await toys.send(list, PLAIN)).text();
    expectLeft(await toys.send('/board'), { reading: 500 }, 10);
  });

  it('is charged twice for bytes that are compressed for the first time', async () => {
    await start({ clientRequestsPerMinute: 1_000 });
    const gzip = { headers: { 'Accept-Encoding': 'gzip' } };
    expectLeft(await toys.send(`/board?bytes=${30 * 32_768}`, gzip), { reading: 940 }, 10);
    await (await toys.send(`/list?bytes=${30 * 32_768}`, gzip)).text();
    expectLeft(await toys.send('/board'), { reading: 880 }, 10);
  });

  it('is charged for tables', async () => {
    const table = '/api/v1/operations/exports/laps';
    await start({ clientRequestsPerMinute: 1_000 });
    await (await toys.send(table, keyed('ADMIN'))).arrayBuffer();
    expectLeft(await toys.send('/board'), { reading: 800 }, 10);
  });

  it('is not charged for plain requests or cached answers', async () => {
    await start({ clientRequestsPerMinute: 1_000 });
    expect((await toys.send('/plain')).headers.get('ratelimit')).to.match(/^"address";r=\d+;t=\d+$/);
    for (let times = 0; times < 5; times += 1) await toys.send('/board?documents=5000');
    expectLeft(await toys.send('/board'), { reading: 900 }, 10);
  });

  it('refuses long reads with 429 once it is used up, and nothing else', async () => {
    await start({ clientRequestsPerMinute: 1_000 });
    expect((await toys.send('/board?documents=60000')).status).to.equal(200);
    for (const path of ['/board', '/list']) {
      const refused = await toys.send(path);
      expect(await problem(refused, 429)).to.include({ type: 'urn:problem-type:too-many-requests' });
      expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 12);
      expectLeft(refused, { reading: 0 }, 10);
    }
    for (const path of ['/plain', '/board?documents=60000']) expect((await toys.send(path)).status).to.equal(200);
  });

  it('is charged for reads that fail, too', async () => {
    await start({ clientRequestsPerMinute: 1_000 });
    expect((await toys.send('/failing?documents=60000')).status).to.equal(500);
    await problem(await toys.send('/list'), 429);
  });

  it('lets a list that has started complete', async () => {
    await start({ clientRequestsPerMinute: 60_000 });
    const answer = await toys.send('/list?documents=3005000&bytes=2');
    expect(await answer.json()).to.deep.equal([{ toy: 'a' }, { toy: 'b' }]);
  });

  it('is charged for large cached bodies each time they are sent, but not for a 304', async () => {
    await start({ clientRequestsPerMinute: 1_000 });
    const path = `/board?bytes=${24 * 32_768}`;
    const { headers } = await toys.send(path, PLAIN);
    for (let times = 0; times < 10; times += 1) await (await toys.send(path, PLAIN)).arrayBuffer();
    expectLeft(await toys.send('/board'), { reading: 1_000 - 24 - 10 * 6 }, 10);
    const known = { headers: { 'If-None-Match': headers.get('etag') ?? '' } };
    for (let times = 0; times < 2; times += 1) expect((await toys.send(path, known)).status).to.equal(304);
    await toys.send(path, { ...PLAIN, method: 'HEAD' });
    expectLeft(await toys.send('/board?v=2'), { reading: 1_000 - 24 - 10 * 6 }, 10);
  });

  it('is charged for streamed bytes, and delays them once it is used up', async () => {
    await start({ clientRequestsPerMinute: 60_000 });
    await (await toys.send('/bytes?bytes=6553600')).arrayBuffer();
    expectLeft(await toys.send('/board'), { reading: 60_000 - 50 }, 10);
  });

  it('is charged for short reads that visit many documents or produce large bodies, but does not refuse them', async () => {
    await start({ clientRequestsPerMinute: 60_000 });
    expectLeft(await toys.send('/short?documents=100'), { reading: 60_000 }, 1);
    expectLeft(await toys.send('/short?documents=5000'), { reading: 60_000 - 100 }, 10);
    expectLeft(await toys.send('/short?bytes=327680', PLAIN), { reading: 60_000 - 110 }, 20);
    await toys.send('/board?documents=3100000');
    await problem(await toys.send('/list'), 429);
    expect((await toys.send('/short?documents=101')).status).to.equal(200);
  });

  it('is checked again when a turn comes: many requests at once cannot overdraw it by more than one', async () => {
    await start({ clientRequestsPerMinute: 1_000 });
    const boards = Array.from({ length: 20 }, (_, v) => toys.send(`/board?documents=60000&v=${v}`));
    const statuses = (await Promise.all(boards)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length(1);
    expect(statuses.filter((status) => status === 429)).to.have.length(19);
  });

  it('exists once for each address, and once for each key', async () => {
    await start({ clientRequestsPerMinute: 10_000, keyRequestsPerMinute: 1_000 });
    const own = await toys.send('/board?documents=60000', keyed('R'));
    expect(own.headers.get('ratelimit-policy')).to.equal(
      '"address";q=10000;w=60, "key";q=1000;w=60, "reading";q=10000;w=60, "key-reading";q=1000;w=60',
    );
    expectLeft(own, { reading: 8_800, 'key-reading': 0 }, 10);
    await problem(await toys.send('/list', keyed('R')), 429);
    expect((await toys.send('/list')).status).to.equal(200);
    expect((await toys.send('/list', keyed('CRUD'))).status).to.equal(200);
  });

  it('does not exist for clients without limits', async () => {
    await start({ clientRequestsPerMinute: 1_000, unlimitedClients: ['127.0.0.1'] });
    for (const v of [1, 2]) {
      const answer = await toys.send(`/board?documents=60000&v=${v}`);
      expect([answer.status, answer.headers.get('ratelimit')]).to.deep.equal([200, null]);
    }
  });
});

describe('the share of long reads', () => {
  it('delays a list that has started while it is used up', async () => {
    const limits = {
      trustedProxies: [],
      unlimitedClients: [],
      clientConnections: 0,
      clientConnectionsPerMinute: 0,
      clientStreams: 0,
    };
    const others = { clientLiveReaders: 0, clientReplays: 0, keyRequestsPerMinute: 0, clientRefusedKeysPerMinute: 0 };
    const clients = createClients(
      { ...limits, ...others, clientRequestsPerMinute: 600_000 },
      { warn: () => undefined },
    );
    const client = clients.behind({ address: '192.0.2.1', isProxy: false, client: null }, {}).client;
    const usage = new ClientUsage(client, null);
    const signal = new AbortController().signal;
    const source = (async function* () {
      yield await Promise.resolve('a');
      yield await Promise.resolve('b');
    })();
    const pieces = longReads.pieces({ address: 'a', signal, usage }, source);
    await pieces.next();
    usage.documents += 600_100 * 50;
    usage.settle();
    expect(usage.shareMs()).to.be.within(1, 10);
    const shareMs = usage.shareMs();
    await pieces.next();
    // Timers know whole milliseconds.
    expect(usage.shareMs()).to.be.below(Math.max(1, shareMs));
  });
});
