import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import express from 'express';
import { z } from 'zod';
import { messagesOf } from '../../src/service/http/messages.ts';
import { json, problem, toy, useToys } from '../support/api/http.ts';

const rows = [
  toy('GET', '/api/v1/toys'),
  toy('GET', '/api/v1/toys/{toyId}', { params: z.object({ toyId: z.string() }) }),
  toy('POST', '/api/v1/toys', { body: z.unknown() }),
];

/** The request and the response of an exchange are given a prototype again by Express, and have it already. */
describe('prototypes of requests and responses', () => {
  const toys = useToys(rows);
  const { setPrototypeOf } = Object;
  let given = 0;
  let changed = 0;
  before(() => {
    Object.setPrototypeOf = <T>(target: T, prototype: object | null): T => {
      if (target instanceof IncomingMessage || target instanceof ServerResponse) {
        given += 1;
        if (Object.getPrototypeOf(target) !== prototype) changed += 1;
      }
      return Reflect.apply(setPrototypeOf, Object, [target, prototype]) as T;
    };
  });
  after(() => {
    Object.setPrototypeOf = setPrototypeOf;
  });

  it('are never changed, which would slow down all later requests', async () => {
    for (const path of ['/api/v1/toys', '/api/v1/toys/1', '/swagger-ui/', '/swagger-ui/swagger-ui.css', '/api-docs'])
      expect((await toys.send(path)).status, path).to.equal(200);
    expect((await toys.send('/api/v1/toys', json({}))).status).to.equal(200);
    await problem(await toys.send('/api/v1/nope'), 404);
    await problem(await toys.send('/api/v1/toys', json('{')), 400);
    const wire = toys.wire(
      'POST /api/v1/toys HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n' +
        'Content-Length: 2\r\n\r\n{}',
    );
    await wire.sees(/100 Continue.*200 OK/s);
    expect(given).to.be.at.least(18);
    expect(changed).to.equal(0);
  });
});

describe('responses, as third-party middleware sees them', () => {
  const app = express();
  app.get('/json', (_req, res) => {
    res.append('X-Ours', '1').vary('Origin');
    res.setHeader('X-Theirs', '2');
    res.vary('Accept');
    res.status(201).json({ a: 1 });
  });
  app.get('/replaced', (_req, res) => {
    res.append('Content-Security-Policy', 'ours').append('X-Both', ['1', '2']);
    res.setHeader('Content-Security-Policy', 'theirs');
    res.writeHead(200, { 'X-Head': '3' }).end('x');
  });
  app.get('/tagged', (_req, res) => {
    res.set('ETag', '"a"').json({ a: 1 });
  });
  app.get('/done', (_req, res) => {
    res.end('x', () => {
      ended += 1;
    });
  });
  let ended = 0;
  const server = createServer(messagesOf(app), app);
  let url = '';
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('behave like those of Express, with all headers that were added or set', async () => {
    const { status, headers } = await fetch(`${url}/json`);
    expect(status).to.equal(201);
    expect([headers.get('x-ours'), headers.get('x-theirs'), headers.get('vary')]).to.deep.equal([
      '1',
      '2',
      'Origin, Accept',
    ]);
    const replaced = (await fetch(`${url}/replaced`)).headers;
    expect([replaced.get('content-security-policy'), replaced.get('x-both'), replaced.get('x-head')]).to.deep.equal([
      'theirs',
      '1, 2',
      '3',
    ]);
  });

  it('can be a 304 for `fetch` too, which adds a Cache-Control', async () => {
    expect((await fetch(`${url}/tagged`)).status).to.equal(200);
    expect((await fetch(`${url}/tagged`, { headers: { 'If-None-Match': '"a"' } })).status).to.equal(304);
    expect((await fetch(`${url}/tagged`, { headers: { 'If-None-Match': '"b"' } })).status).to.equal(200);
  });

  it('call back when they have ended', async () => {
    expect(await (await fetch(`${url}/done`)).text()).to.equal('x');
    expect(ended).to.equal(1);
  });
});
