import { expect } from 'chai';
import { expectStatus, type Answer } from '../support/api/client.ts';
import { operationsOf } from '../support/api/openapi.ts';
import { upload } from '../support/api/uploads.ts';
import { useService, useVenue, type Running } from '../support/api/with-service.ts';

const ELSEWHERE = 'https://evil.example';
const FRIEND = 'https://app.example';

/** Every operation, and some unknown paths, with random ids and without a key. */
async function answersOf(
  { service, anyone }: Running,
  headers: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, Answer>> {
  const asked = operationsOf(service.document).map(({ method, path }) => ({ method, path }));
  const pages = ['', '/', '/swagger-ui.css', '/no'].map((path) => `/swagger-ui${path}`);
  const others = ['/', '/nothing', '/api/v1/laps/%', ...pages];
  const answers = new Map<string, Answer>();
  for (const { method, path } of [...asked, ...others.map((other) => ({ method: 'GET', path: other }))]) {
    const filled = path.replaceAll(/\{\w+\}/g, '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e11');
    answers.set(`${method} ${path}`, await anyone.send(method, filled, { headers }));
    answers.set(`OPTIONS ${path}`, await anyone.send('OPTIONS', filled, { headers }));
  }
  return answers;
}

function expectGuarded({ headers }: Answer, what: string): void {
  expect(headers.get('x-content-type-options'), what).to.equal('nosniff');
  expect(headers.get('referrer-policy'), what).to.equal('no-referrer');
  expect(headers.get('content-security-policy'), what).to.match(/^default-src 'none'; .*frame-ancestors 'none'/);
  expect(headers.get('content-security-policy'), `one policy, not two: ${what}`).not.to.include(',');
  expect(headers.get('access-control-allow-credentials'), what).to.equal(null);
  expect(headers.get('server'), what).to.equal(null);
  expect(headers.get('x-powered-by'), what).to.equal(null);
}

describe('API: browsers', () => {
  const api = useVenue();

  it('may not show answers in a frame, guess their type, send their address on or read them from other origins', async () => {
    const asked = { Origin: ELSEWHERE, 'Access-Control-Request-Method': 'POST' };
    for (const [what, answer] of await answersOf(api, asked)) {
      expectGuarded(answer, what);
      const names = [...answer.headers.keys()];
      expect(
        names.filter((name) => name.startsWith('access-control')),
        what,
      ).to.deep.equal([]);
      // There are no cookies, nor a scheme that makes a browser prompt for credentials and remember them.
      expect(names, what).not.to.include('set-cookie');
      expect(answer.headers.get('www-authenticate') ?? 'ApiKey', what).to.match(/^ApiKey/);
    }
    expectStatus(await upload(api.admin, 'LOGO/a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'), 201);
    const file = await api.anyone.get('/cdn/LOGO/a.svg');
    expectGuarded(file, 'a file');
    const unchanged = await api.anyone.get('/cdn/LOGO/a.svg', { 'If-None-Match': file.header('etag') });
    expect(unchanged.status).to.equal(304);
    expectGuarded(unchanged, 'a file that has not changed');
    expectGuarded(await api.admin.get('/api/v1/rigs'), 'a list for a key');
    expectGuarded(await api.admin.post('/api/v1/laps', {}), 'a refused body');
  });
});

describe('API: browsers of a configured origin', () => {
  const api = useService({ CORS_ORIGINS: `${FRIEND},https://b.example` });

  it('may read answers, and caches keep them apart from those of others', async () => {
    for (const [what, { headers }] of await answersOf(api, { Origin: FRIEND })) {
      expect(headers.get('access-control-allow-origin'), what).to.equal(FRIEND);
      expect(headers.get('vary'), what).to.match(/\bOrigin\b/);
      expect(headers.get('access-control-expose-headers'), what).to.match(/RateLimit, RateLimit-Policy, Retry-After/);
    }
    const asking = { Origin: FRIEND, 'Access-Control-Request-Method': 'POST' };
    const { headers: preflight } = await api.anyone.send('OPTIONS', '/api/v1/laps', { headers: asking });
    expect(preflight.get('access-control-allow-methods')).to.contain('POST');
    expect(preflight.get('access-control-allow-headers')).to.contain('X-API-Key');
    const almost = ['https://app.example.evil.example', 'http://app.example', 'https://APP.example'];
    for (const Origin of [ELSEWHERE, ...almost, 'null', '']) {
      const { headers } = await api.anyone.get('/api/v1/laps', { Origin });
      expect(headers.get('access-control-allow-origin'), Origin).to.equal(null);
      expect(headers.get('vary'), Origin).to.match(/\bOrigin\b/);
    }
    expect((await api.anyone.get('/api/v1/laps')).headers.get('vary'), 'without an origin').to.match(/\bOrigin\b/);
  });
});

describe('API: browsers when all origins are allowed', () => {
  const api = useService({ CORS_ORIGINS: '*' });

  it('get the same answer for every origin, never one that allows credentials', async () => {
    for (const [what, { headers }] of await answersOf(api, { Origin: ELSEWHERE, Cookie: 'a=b' })) {
      expect(headers.get('access-control-allow-origin'), what).to.equal('*');
      expect(headers.get('access-control-allow-credentials'), what).to.equal(null);
      expect(headers.get('vary') ?? '', what).not.to.include('Origin');
    }
  });
});
