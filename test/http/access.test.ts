import type { JsonObject } from '../../src/kernel/json.ts';
import { expect } from 'chai';
import { z } from 'zod';
import type { Access } from '../../src/domain/roles.ts';
import type { Endpoint } from '../../src/service/http/endpoint.ts';
import { json, keyed, problem, toy, until, useToys } from '../support/api/http.ts';

/** Requests that wait in their handler. */
const waiting: (() => void)[] = [];
let handled = 0;

function toyFor(access: Access): Endpoint {
  return toy('POST', `/api/v1/${access}`, {
    access,
    body: z.object({ name: z.string() }),
    handle: ({ caller }) => {
      handled += 1;
      return { kind: 'json', status: 200, body: { caller } };
    },
  });
}

const slow = toy('GET', '/api/v1/slow', {
  access: 'R',
  async handle() {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
    return { kind: 'json', status: 200, body: { late: true } };
  },
});

const endless = toy('GET', '/api/v1/endless', { access: 'R', handle: () => ({ kind: 'list', batches: forever() }) });

async function* forever(): AsyncGenerator<JsonObject[]> {
  for (;;) yield await Promise.resolve([{ a: 1 }]);
}

describe('access', () => {
  const rows = (['public', 'R', 'CR', 'CRUD', 'ADMIN'] as const).map(toyFor);
  const toys = useToys([...rows, slow, endless]);
  beforeEach(() => {
    handled = 0;
    waiting.length = 0;
  });

  it('answers 401 with the scheme without a key or with an unknown one', async () => {
    for (const headers of [{}, { 'X-API-Key': '' }, { 'X-API-Key': 'unknown' }, { 'X-API-Key': 'later-unknown' }]) {
      const answer = await toys.send('/api/v1/R', { method: 'POST', headers });
      await problem(answer, 401);
      expect(answer.headers.get('www-authenticate')).to.match(/^ApiKey realm="/);
    }
    const twice = toys.wire('GET /api/v1/slow HTTP/1.1\r\nHost: a\r\nX-API-Key: R\r\nX-API-Key: R\r\n\r\n');
    expect(await twice.sees(/\}$/)).to.match(/^HTTP\/1.1 401/);
  });

  it('recognises a valid key on public endpoints and ignores others', async () => {
    const asked = (token: string) => toys.send('/api/v1/public', json({ name: 'x' }, token));
    expect(await (await asked('unknown')).json()).to.deep.equal({ caller: null });
    for (const token of ['R', 'later-R'])
      expect(await (await asked(token)).json()).to.have.nested.property('caller.role', 'R');
  });

  it('checks the key before anything else', async () => {
    const bad = { method: 'POST', body: '{', headers: { 'Content-Type': 'text/plain' } };
    await problem(await toys.send('/api/v1/CRUD', bad), 401);
    await problem(await toys.send('/api/v1/CRUD', { ...bad, headers: { 'X-API-Key': 'R' } }), 403);
    await problem(await toys.send('/api/v1/CRUD', { ...bad, headers: { 'X-API-Key': 'CRUD' } }), 415);
    expect(handled).to.equal(0);
  });

  it('neither reads the body of an unauthorised request nor asks for it with 100', async () => {
    const head = 'POST /api/v1/CRUD HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
    const large = toys.wire(`${head}Content-Length: 999999\r\n\r\n{`);
    expect(await large.sees(/\}$/))
      .to.match(/^HTTP\/1.1 401/)
      .and.to.match(/Connection: close/);
    const polite = toys.wire(`${head}Content-Length: 20\r\nExpect: 100-continue\r\n\r\n`);
    expect(await polite.ended()).to.match(/^HTTP\/1.1 401/);
    const welcome = toys.wire(`${head}X-API-Key: CRUD\r\nContent-Length: 12\r\nExpect: 100-continue\r\n\r\n`);
    await welcome.sees(/^HTTP\/1.1 100 Continue\r\n\r\n$/);
    welcome.write('{"name":"x"}');
    expect(await welcome.sees(/\}$/)).to.match(/HTTP\/1.1 200 OK/);
  });

  it('answers 401 to requests in flight once their key is revoked, and drops their results', async () => {
    const requests = [toys.send('/api/v1/slow', keyed('R')), toys.send('/api/v1/slow', keyed('R'))];
    const other = toys.send('/api/v1/slow', keyed('CRUD'));
    await until(() => waiting.length === 3);
    toys.revoke('key-R', 'another token');
    toys.revoke('key-R', 'R');
    for (const request of requests) await problem(await request, 401);
    waiting.forEach((go) => {
      go();
    });
    expect((await other).status).to.equal(200);
    expect(toys.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });

  it('handles no request whose key was revoked while its body arrived, and cuts off streamed lists', async () => {
    const head = 'POST /api/v1/CR HTTP/1.1\r\nHost: a\r\nX-API-Key: CR\r\nContent-Type: application/json\r\n';
    const wire = toys.wire(`${head}Content-Length: 12\r\nExpect: 100-continue\r\n\r\n{"name"`);
    await wire.sees(/100 Continue/);
    const list = toys.wire('GET /api/v1/endless HTTP/1.1\r\nHost: a\r\nX-API-Key: R\r\n\r\n');
    await list.sees(/"a":1/);
    toys.revoke('key-CR');
    expect(await wire.sees(/\}$/)).to.match(/HTTP\/1.1 401/);
    wire.write(':"x"}');
    toys.revoke('key-R');
    await list.ended();
    expect(handled).to.equal(0);
  });
});
