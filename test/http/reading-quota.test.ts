import { expect } from 'chai';
import { z } from 'zod';
import { exportEndpoint } from '../../src/service/api/exports.ts';
import type { ApiRequest } from '../../src/service/http/endpoint.ts';
import { FairTurns } from '../../src/service/http/fair-turns.ts';
import type { ReadModels } from '../../src/service/kernel/ports/read-store.ts';
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
  exportEndpoint({
    ...{ models, longReads, overlays: new Map(), queryBudget: 0, publicParticipants: false },
    authorizer: { mayReadContact: () => true, mayReadAllContacts: () => true },
  }),
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
  toy('GET', '/plain'),
];

describe('the quota of long reads', () => {
  const { toys, start, expectLeft } = useLimitedToys(rows);

  it('is charged for the documents that they visit, and for the bytes that they make', async () => {
    await start({ clientRequestsPerMinute: 1_000 });
    const board = await toys.send('/board?documents=5000');
    expect(board.headers.get('ratelimit-policy')).to.equal('"address";q=1000;w=60, "reading";q=1000;w=60');
    expectLeft(board, { reading: 900 }, 10);
    expectLeft(await toys.send(`/board?bytes=${100 * 32_768}`), { reading: 800 }, 10);
    for (const list of ['/list?documents=10000', `/list?bytes=${100 * 32_768}`]) await (await toys.send(list)).text();
    expectLeft(await toys.send('/board'), { reading: 500 }, 10);
  });

  it('is charged for tables', async () => {
    const table = '/api/v1/operations/exports/laps';
    await start({ clientRequestsPerMinute: 1_000 });
    await (await toys.send(table, keyed('ADMIN'))).arrayBuffer();
    expectLeft(await toys.send('/board'), { reading: 800 }, 10);
  });

  it('is not charged for plain requests, nor for what is kept', async () => {
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

  it('lets a list that has begun come to its end', async () => {
    await start({ clientRequestsPerMinute: 1_000 });
    const answer = await toys.send('/list?documents=300000&bytes=2');
    expect(await answer.json()).to.deep.equal([{ toy: 'a' }, { toy: 'b' }]);
    await problem(await toys.send('/list'), 429);
  });

  it('is checked again when a turn comes: many requests at once cannot overdraw it by more than one', async () => {
    await start({ clientRequestsPerMinute: 1_000 });
    const boards = Array.from({ length: 20 }, (_, v) => toys.send(`/board?documents=60000&v=${v}`));
    const statuses = (await Promise.all(boards)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length(1);
    expect(statuses.filter((status) => status === 429)).to.have.length(19);
  });

  it('is one of the address, and one of the key', async () => {
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
