import { expect } from 'chai';
import { z } from 'zod';
import { toy, useToys } from '../support/api/http.ts';

const rows = [
  toy('GET', '/', { handle: () => ({ kind: 'json', status: 200, body: { at: 'root' } }) }),
  toy('POST', '/api/v1/toys', {
    handle: () => ({ kind: 'json', status: 201, body: {}, headers: { Location: '/api/v1/toys/1' } }),
  }),
  toy('GET', '/api/v1/toys/{toyId}', {
    params: z.object({ toyId: z.string() }),
    handle: ({ params }) => ({ kind: 'json', status: 200, body: params }),
  }),
  toy('GET', '/away', {
    handle: () => ({ kind: 'empty', status: 302, headers: { Location: 'https://files.example.org/a' } }),
  }),
];

describe('a service below a path', () => {
  const toys = useToys(rows, { publicUrl: 'https://example.org/timing' });
  const call = (path: string, method = 'GET') => fetch(toys.url + path, { method, redirect: 'manual' });

  it('accepts requests from proxies that strip the path, and from those that keep it', async () => {
    for (const path of ['/', '/timing', '/timing/', '/timing?x=1']) {
      const answer = await call(path);
      expect([answer.status, await answer.text()], path).to.deep.equal([200, '{"at":"root"}']);
    }
    for (const path of ['/api/v1/toys/a%2Fb', '/timing/api/v1/toys/a%2Fb']) {
      expect(await (await call(path)).json(), path).to.deep.equal({ toyId: 'a/b' });
    }
    for (const path of ['/timings', '/timing-x/', '/timing/timing/', '/Timing/']) {
      expect((await call(path)).status, path).to.equal(404);
    }
  });

  it('puts its own URLs below the path, and leaves other URLs as they are', async () => {
    for (const path of ['/api/v1/toys', '/timing/api/v1/toys']) {
      expect((await call(path, 'POST')).headers.get('location')).to.equal('/timing/api/v1/toys/1');
    }
    expect((await call('/away')).headers.get('location')).to.equal('https://files.example.org/a');
    expect(toys.http.document).to.deep.include({
      servers: [
        { url: 'https://example.org/timing' },
        { url: '/timing/', description: 'The host that the document is from.' },
      ],
    });
  });
});

describe('a service below a path that begins like its own', () => {
  const toys = useToys(rows, { publicUrl: 'https://example.org/api' });

  it('accepts requests from proxies that strip it', async () => {
    expect(await (await fetch(`${toys.url}/api/v1/toys/1`)).json()).to.deep.equal({ toyId: '1' });
    const made = await fetch(`${toys.url}/api/v1/toys`, { method: 'POST' });
    expect(made.headers.get('location')).to.equal('/api/api/v1/toys/1');
  });
});

describe('a service without a public address', () => {
  const toys = useToys(rows);

  it('takes its address from the request', async () => {
    expect((await fetch(`${toys.url}/timing/`)).status).to.equal(404);
    const made = await fetch(`${toys.url}/api/v1/toys`, { method: 'POST' });
    expect(made.headers.get('location')).to.equal('/api/v1/toys/1');
    expect(toys.http.document).to.deep.include({ servers: [{ url: '/' }] });
  });
});
