import { expect } from 'chai';
import { z } from 'zod';
import type { Endpoint } from '../../src/service/http/endpoint.ts';
import { Problem } from '../../src/service/http/problems.ts';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import { Rejection, type RejectionCode } from '../../src/kernel/aggregate/rejection.ts';
import { keyed, problem, toy, until, useToys } from '../support/api/http.ts';

const CODES: readonly (readonly [RejectionCode, number])[] = [
  ['NOT_FOUND', 404],
  ['TAKEN', 409],
  ['UNKNOWN_REFERENCE', 422],
  ['FORBIDDEN', 403],
  ['REVISION_MISMATCH', 412],
  ['KEY_REUSED', 422],
  ['INVALID', 400],
];

function thrower(name: string, thrown: () => unknown): Endpoint {
  return toy('GET', `/api/v1/throw/${name}`, { handle: () => Promise.reject(thrown() as Error) });
}

const rows = [
  toy('GET', '/api/v1/toys', { handle: () => ({ kind: 'json', status: 200, body: { at: 'list' } }) }),
  toy('POST', '/api/v1/toys', { handle: () => ({ kind: 'empty', status: 204 }) }),
  toy('GET', '/api/v1/toys/paged', { handle: () => ({ kind: 'json', status: 200, body: { at: 'paged' } }) }),
  toy('GET', '/api/v1/toys/{toyId}', {
    params: z.object({ toyId: z.string() }),
    handle: ({ params }) => ({ kind: 'json', status: 200, body: params }),
  }),
  toy('DELETE', '/api/v1/toys/{toyId}', {
    params: z.object({ toyId: z.uuid() }),
    handle: () => ({ kind: 'empty', status: 204 }),
  }),
  toy('GET', '/files/{name*}', {
    params: z.object({ name: z.string() }),
    handle: ({ params, id: requestId }) => ({ kind: 'text', status: 200, body: `${params.name} ${requestId}` }),
  }),
  thrower('problem', () => new Problem('TAKEN', 'No.', { errors: [{ pointer: '/slug', detail: 'taken' }] })),
  thrower('away', () => new StoreUnavailable('mongodb://secret@host')),
  thrower('bug', () => new TypeError('secret internals')),
  ...CODES.map(([code]) => thrower(code, () => new Rejection(code, 'No.', [{ pointer: '/a', detail: 'no' }]))),
];

describe('routing', () => {
  const toys = useToys(rows);

  it('matches literal paths before parameters, with or without a slash at the end', async () => {
    const bodies = ['toys', 'toys/', 'toys/paged', 'toys/a%20b%2Fc', 'toys?'].map(async (path) =>
      (await toys.send(`/api/v1/${path}`)).json(),
    );
    expect(await Promise.all(bodies)).to.deep.equal([
      { at: 'list' },
      { at: 'list' },
      { at: 'paged' },
      { toyId: 'a b/c' },
      { at: 'list' },
    ]);
    expect(await (await toys.send('/files/a/b%20c/d.png', { headers: { 'X-Request-Id': 'mine' } })).text()).to.equal(
      'a/b c/d.png mine',
    );
  });

  it('answers 404 for unknown paths, 400 for bad encodings and values', async () => {
    const unknown = ['', 'api/v1', 'api/v1/', 'api/v1/toysx', 'api/v1/toys/1/2', 'API/v1/toys', 'files', '/toys'];
    for (const path of unknown.map((rest) => `/${rest}`)) await problem(await toys.send(path), 404);
    for (const path of ['/api/v1/toys/%zz', '/api/v1/toys/%', '/files/%ff', '/api/v1/toys/a%00b']) {
      await problem(await toys.send(path), 400);
    }
    const refused = await problem(await toys.send('/api/v1/toys/no-uuid', { method: 'DELETE' }), 400);
    expect(refused.errors).to.deep.equal([{ pointer: '#/path/toyId', detail: 'must be a UUID' }]);
  });

  it('answers other methods 405 with Allow, OPTIONS with Allow, HEAD like GET without a body', async () => {
    const refused = await toys.send('/api/v1/toys', { method: 'DELETE' });
    await problem(refused, 405);
    expect(refused.headers.get('allow')).to.equal('GET, HEAD, POST, OPTIONS');
    const options = await toys.send('/api/v1/toys/1', { method: 'OPTIONS' });
    expect(options.status).to.equal(204);
    expect(options.headers.get('allow')).to.equal('GET, HEAD, DELETE, OPTIONS');
    // A path is decoded before its methods are looked at.
    await problem(await toys.send('/api/v1/toys/1', { method: 'PUT' }), 405);
    await problem(await toys.send('/api/v1/toys/%zz', { method: 'PUT' }), 400);
    await problem(await toys.send('/api/v1/nope', { method: 'OPTIONS' }), 404);
    const head = await toys.send('/api/v1/toys', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).to.deep.equal([200, '13', '']);
    expect((await toys.send('/api/v1/throw/bug', { method: 'HEAD' })).status).to.equal(500);
  });

  it('has one status per rejection, and reveals no internals', async () => {
    for (const [code, status] of CODES) {
      const document = await problem(await toys.send(`/api/v1/throw/${code}`), status);
      expect(document).to.deep.include({ detail: 'No.', errors: [{ pointer: '#/a', detail: 'no' }] });
    }
    await problem(await toys.send('/api/v1/throw/problem'), 409);
    const away = await toys.send('/api/v1/throw/away');
    expect(away.headers.get('retry-after')).to.equal('2');
    const before = toys.lines.length;
    const documents = [await problem(away, 503), await problem(await toys.send('/api/v1/throw/bug'), 500)];
    expect(JSON.stringify(documents)).not.to.match(/secret/);
    const logged = toys.lines.slice(before).find(({ level }) => level === 'error');
    expect(logged?.err).to.be.instanceOf(TypeError);
  });

  it('has API-Version, X-Request-Id and nosniff on every answer, and echoes sane request ids only', async () => {
    for (const path of ['/api/v1/toys', '/nope', '/api-docs', '/swagger-ui', '/swagger-ui/nope', '/api/v1/throw/bug']) {
      const { headers } = await toys.send(path, { headers: { 'X-Request-Id': 'abc-1' } });
      expect(
        [headers.get('api-version'), headers.get('x-request-id'), headers.get('x-content-type-options')],
        path,
      ).to.deep.equal(['1.0', 'abc-1', 'nosniff']);
    }
    for (const insane of ['a b', 'x'.repeat(129), 'é', '']) {
      const { headers } = await toys.send('/api/v1/toys', { headers: { 'X-Request-Id': insane } });
      expect(headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/);
    }
  });

  it('writes one line per request, without secrets', async () => {
    const id = 'line-1';
    await toys.send('/api/v1/toys', { method: 'POST', ...keyed('CRUD', { 'X-Request-Id': id }) });
    await until(() => toys.lines.some(({ requestId }) => requestId === id));
    const lines = toys.lines.filter(({ requestId }) => requestId === id);
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include({
      level: 'info',
      method: 'POST',
      route: 'POST /api/v1/toys',
      status: 204,
      bytes: 0,
      apiKeyId: 'key-CRUD',
      remoteAddress: '127.0.0.1',
    });
    expect(lines[0]?.ms).to.be.within(0, 5_000);
    expect(toys.observed).to.deep.include(['POST /api/v1/toys', 204]).and.to.deep.include(['* unmatched', 404]);
  });

  it('refuses HTTP/1.1 without Host, unknown expectations and relative paths', async () => {
    const asked = [
      ['GET /api/v1/toys HTTP/1.1\r\n\r\n', 400],
      ['GET /api/v1/toys HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n', 417],
      ['GET http://a/api/v1/toys HTTP/1.1\r\nHost: a\r\n\r\n', 404],
      ['OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', 404],
      ['GET /api/v1/toys#x HTTP/1.1\r\nHost: a\r\n\r\n', 404],
    ] as const;
    for (const [text, status] of asked) {
      const wire = toys.wire(text);
      const received = await wire.sees(/\r\n\r\n\{.*\}/s);
      expect(received).to.match(new RegExp(`^HTTP/1.1 ${status} `));
      expect(received)
        .to.match(/API-Version: 1.0/)
        .and.to.match(/X-Request-Id/);
    }
  });
});
