import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect } from 'chai';
import { z } from 'zod';
import { json, keyed, problem, toy, until, useLimitedToys } from '../support/api/http.ts';

/** More than any socket holds. */
async function* endless() {
  try {
    for (;;) yield await Promise.resolve([{ toy: 'x'.repeat(10_000) }]);
  } finally {
    ended += 1;
  }
}

let began = 0;
let ended = 0;

const rows = [
  toy('GET', '/api/v1/toys', {
    handle: ({ caller }) => ({ kind: 'json', status: 200, body: { role: caller?.role ?? null } }),
  }),
  toy('GET', '/api/v1/own', { access: 'R' }),
  toy('POST', '/api/v1/toys/batch', { access: 'CRUD', body: z.array(z.number()), cost: (toys) => toys.length }),
  toy('GET', '/api/v1/endless', {
    handle: () => {
      began += 1;
      return { kind: 'list', batches: endless() };
    },
  }),
  toy('POST', '/api/v1/files', {
    access: 'CRUD',
    body: z.unknown(),
    upload: { jsonPart: 'toy', filePart: 'file', reserve: () => Promise.resolve(() => undefined) },
  }),
];

describe('limits of clients', () => {
  const { toys, start, expectLeft } = useLimitedToys(rows);

  /** A request that a proxy on this machine passes on. */
  const from = (address: string, init: RequestInit = {}, path = '/api/v1/toys'): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('X-Forwarded-For', address);
    return toys.send(path, { ...init, headers });
  };
  const proxied = { trustedProxies: ['127.0.0.1'] };

  it('are stated in every answer: for the address, and for the key if there is one', async () => {
    await start({ clientRequestsPerMinute: 20, keyRequestsPerMinute: 10 });
    const anyone = await toys.send('/api/v1/toys');
    expect(anyone.headers.get('ratelimit-policy')).to.equal('"address";q=20;w=60');
    expectLeft(anyone, { address: 19 });
    const own = await toys.send('/api/v1/own', keyed('R'));
    expect(own.headers.get('ratelimit-policy')).to.equal('"address";q=20;w=60, "key";q=10;w=60');
    expectLeft(own, { address: 18, key: 9 });
    for (const path of ['/nothing', '/api-docs', '/swagger-ui', '/api/v1/own', '/api/v1/toys/%']) {
      const { headers } = await toys.send(path);
      expect(headers.get('ratelimit'), path).to.match(/^"address";r=\d+;t=\d+$/);
    }
    expectLeft(await toys.send('/api/v1/toys', { method: 'OPTIONS' }), { address: 12 });
  });

  it('answer 429 with Retry-After before anything else is checked', async () => {
    await start({ clientRequestsPerMinute: 2 });
    const left = ({ headers }: Response) => headers.get('ratelimit')?.replace(/;t=\d+$/, '');
    for (const rest of [1, 0]) expect(left(await toys.send('/api/v1/toys'))).to.equal(`"address";r=${rest}`);
    for (const path of ['/api/v1/toys', '/api/v1/own', '/nothing', '/swagger-ui']) {
      const answer = await toys.send(path);
      expect(await problem(answer, 429)).to.include({ type: 'urn:problem-type:too-many-requests' });
      expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 30);
      expect(left(answer)).to.equal('"address";r=0');
    }
  });

  it('count the requests of a key from all addresses, and do not affect other keys', async () => {
    await start({ ...proxied, keyRequestsPerMinute: 2 });
    for (const host of [1, 2]) expect((await from(`192.0.2.${host}`, keyed('R'))).status).to.equal(200);
    await problem(await from('192.0.2.3', keyed('R')), 429);
    await problem(await from('192.0.2.3', keyed('R'), '/api/v1/own'), 429);
    expect((await from('192.0.2.3', keyed('CR'), '/api/v1/own')).status).to.equal(200);
    expect((await from('192.0.2.3')).status).to.equal(200);
  });

  it('count a batch by its items, for address and key', async () => {
    await start({ clientRequestsPerMinute: 20, keyRequestsPerMinute: 10 });
    const send = (count: number) => toys.send('/api/v1/toys/batch', json(Array.from({ length: count }, () => 1)));
    expectLeft(await send(4), { address: 16, key: 6 });
    expectLeft(await send(0), { address: 15, key: 5 });
    const refused = await send(9);
    await problem(refused, 429);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 24);
    expect((await send(4)).status).to.equal(200);
  });

  it('distinguish addresses as trusted proxies report them, and IPv6 by network', async () => {
    await start({ ...proxied, clientRequestsPerMinute: 1 });
    const statusOf = async (address: string) => (await from(address)).status;
    expect(await statusOf('192.0.2.1')).to.equal(200);
    expect(await statusOf('192.0.2.1')).to.equal(429);
    expect(await statusOf('198.51.100.1, 192.0.2.1')).to.equal(429);
    expect(await statusOf('192.0.2.1, 198.51.100.1')).to.equal(200);
    expect(await statusOf('2001:db8:0:1::1')).to.equal(200);
    expect(await statusOf('2001:db8:0:1:ffff::2')).to.equal(429);
    expect(await statusOf('2001:db8:0:2::1')).to.equal(200);
    expect(toys.lines.map(({ remoteAddress }) => remoteAddress)).to.include.members(['192.0.2.1', '2001:db8:0:2::1']);
  });

  it('trust no other sender to report addresses', async () => {
    await start({ clientRequestsPerMinute: 1, unlimitedClients: ['192.0.2.0/24'] });
    expect((await from('192.0.2.1')).status).to.equal(200);
    expect((await from('192.0.2.1')).status).to.equal(429);
    expect(toys.lines.map(({ remoteAddress }) => remoteAddress)).to.deep.equal(['127.0.0.1', '127.0.0.1']);
  });

  it('do not apply to exempt clients', async () => {
    const one = {
      clientRequestsPerMinute: 1,
      keyRequestsPerMinute: 1,
      clientRefusedKeysPerMinute: 1,
      clientConnections: 1,
      clientConnectionsPerMinute: 1,
      clientStreams: 1,
    };
    await start({ ...proxied, ...one, unlimitedClients: ['127.0.0.0/8', '::1'] });
    for (let n = 0; n < 5; n++) {
      const answer = await toys.send('/api/v1/own', keyed('R'));
      expect(answer.status).to.equal(200);
      expect(answer.headers.has('ratelimit')).to.equal(false);
      expect((await toys.send('/api/v1/own', keyed('wrong'))).status).to.equal(401);
    }
  });

  it('apply to requests through a proxy that is not trusted, whatever address they claim, with one warning', async () => {
    await start({ clientRequestsPerMinute: 3, unlimitedClients: ['127.0.0.0/8', '::1'] });
    const forwarded = [
      { 'X-Forwarded-For': '192.0.2.1' },
      { Forwarded: 'for=192.0.2.2' },
      { 'X-Forwarded-For': '127.0.0.1' },
      { 'X-Forwarded-For': '' },
      { Forwarded: 'for=127.0.0.1', 'X-Forwarded-For': '::1' },
      { Via: '1.1 proxy' },
      { 'X-Real-IP': '127.0.0.1' },
      { 'X-Forwarded-Host': 'timing.example.org' },
      { 'X-Forwarded-Proto': 'https' },
      { 'CF-Connecting-IP': '192.0.2.9' },
      { 'True-Client-IP': '192.0.2.9' },
      { 'X-Client-IP': '' },
    ];
    const statuses: number[] = [];
    for (const headers of forwarded) statuses.push((await toys.send('/api/v1/toys', { headers })).status);
    expect(statuses).to.deep.equal([200, 200, 200, ...Array.from({ length: forwarded.length - 3 }, () => 429)]);
    expect((await toys.send('/api/v1/toys')).headers.has('ratelimit'), 'a client on this machine').to.equal(false);
    const warnings = toys.lines.filter(({ level }) => level === 'warn');
    expect(warnings).to.have.lengthOf(1);
    expect(warnings[0]).to.include({ remoteAddress: '127.0.0.1' });
    expect(warnings[0]?.message).to.contain('TRUSTED_PROXIES');
  });

  it('apply to a trusted proxy that does not name its client, unless the proxy is exempt', async () => {
    await start({ ...proxied, clientRequestsPerMinute: 2, unlimitedClients: ['127.0.0.0/8', '192.0.2.1'] });
    const statuses: number[] = [];
    for (const address of ['unix:', 'unknown', '192.0.2.2, _hidden']) statuses.push((await from(address)).status);
    expect(statuses).to.deep.equal([200, 200, 429]);
    for (const exempt of ['192.0.2.1', '127.0.0.1']) {
      expect((await from(exempt)).headers.has('ratelimit'), exempt).to.equal(false);
    }
    expect((await toys.send('/api/v1/toys', { headers: { Forwarded: 'for=192.0.2.1' } })).status).to.equal(429);
    expect(toys.lines.filter(({ level }) => level === 'warn')).to.have.lengthOf(1);
  });

  it('make guessing keys expensive, without affecting valid keys at the address', async () => {
    await start({ ...proxied, clientRefusedKeysPerMinute: 3 });
    const own = async (token: string, address = '192.0.2.1') =>
      (await from(address, keyed(token), '/api/v1/own')).status;
    const role = async (token: string) => (await from('192.0.2.1', keyed(token))).json();
    expect(await own('R')).to.equal(200);
    expect([await own('a'), await own('later-b')]).to.deep.equal([401, 401]);
    expect(await role('c'), 'on a public path, too').to.deep.equal({ role: null });
    for (const token of ['d', 'later-e', 'CRUD', 'later-CRUD']) expect(await own(token), token).to.equal(429);
    expect(await role('CRUD'), 'counts as none').to.deep.equal({ role: null });
    expect([await own('R'), await role('R')]).to.deep.equal([200, { role: 'R' }]);
    expect([await own('CRUD', '192.0.2.2'), await own('x', '192.0.2.2')]).to.deep.equal([200, 401]);
    const refused = await from('192.0.2.1', keyed('f'), '/api/v1/own');
    await problem(refused, 429);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 20);
  });

  it('answer uploads with a problem document, too', async () => {
    await start({ keyRequestsPerMinute: 1 });
    expect((await toys.send('/api/v1/own', keyed('CRUD'))).status).to.equal(200);
    await problem(await toys.send('/api/v1/files', { method: 'POST', body: new FormData(), ...keyed('CRUD') }), 429);
  });

  it('bound the connections of one address', async () => {
    await start({ clientConnections: 3, unlimitedClients: ['127.0.0.2'] });
    const wires = [1, 2, 3].map(() => toys.wire('GET /api/v1/toys HTTP/1.1\r\nHost: a\r\n\r\n'));
    for (const wire of wires) await wire.sees(/200 OK/);
    expect(await toys.wire().ended()).to.equal('');
    wires[0]?.socket.destroy();
    await until(() => wires[0]?.socket.closed === true);
    await untilAnswered('GET /api/v1/toys HTTP/1.0\r\n\r\n');
  });

  it('bound how fast one address opens connections', async () => {
    await start({ clientConnectionsPerMinute: 60 });
    const request = 'GET /api/v1/toys HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    for (let n = 0; n < 10; n += 1) expect(await toys.wire(request).ended()).to.match(/200 OK/);
    expect(await toys.wire(request).ended(), 'a sixth of them at once').to.equal('');
    await untilAnswered(request);
  });

  it('bound all connections together', async () => {
    await start({ maxConnections: 2 });
    const wires = [1, 2].map(() => toys.wire('GET /api/v1/toys HTTP/1.1\r\nHost: a\r\n\r\n'));
    for (const wire of wires) await wire.sees(/200 OK/);
    expect(await toys.wire().ended()).to.equal('');
  });

  it('bound the streams of one address, and read nothing for those beyond the limit', async () => {
    await start({ clientStreams: 2 });
    const request = 'GET /api/v1/endless HTTP/1.1\r\nHost: a\r\n\r\n';
    const stalled = await Promise.all([1, 2].map(() => stalledReader(request)));
    const third = toys.wire(request);
    expect(await third.sees(/\}$/)).to.match(/^HTTP\/1.1 429 .*\r\nRetry-After: 1\r\n/s);
    expect((await toys.send('/api/v1/toys')).status, 'all else goes on').to.equal(200);
    stalled[0]?.socket.destroy();
    await untilAnswered(request);
  });

  it('count pipelined streams, and end all of them when their client leaves', async () => {
    await start({ clientStreams: 3 });
    const request = 'GET /api/v1/endless HTTP/1.1\r\nHost: a\r\n\r\n';
    for (let n = 1; n <= 3; n++) {
      const begun = began;
      const over = ended;
      const wire = toys.wire(request.repeat(3));
      wire.socket.pause();
      await until(() => began === begun + 3);
      wire.socket.destroy();
      await until(() => toys.lines.length === 3 * n && ended === over + 3);
    }
    await untilAnswered(request);
  });

  it('close a connection with too many pipelined requests, and handle none of them', async () => {
    await start({});
    const begun = began;
    const wire = toys.wire('GET /api/v1/endless HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_000));
    await wire.ended();
    await until(() => toys.lines.length === 33);
    expect(began - begun).to.equal(0);
    expect((await toys.send('/api/v1/toys')).status).to.equal(200);
  });

  it('parse no further on a connection that was closed for too many pipelined requests', async () => {
    await start({});
    let parsed = 0;
    const count = (): void => {
      parsed += 1;
    };
    subscribe('http.server.request.start', count);
    const wire = toys.wire('GET /api/v1/endless HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_000));
    await wire.ended();
    unsubscribe('http.server.request.start', count);
    expect(parsed).to.be.within(33, 35);
  });

  async function stalledReader(request: string) {
    const wire = toys.wire(request);
    await wire.sees(/200 OK/);
    wire.socket.pause();
    return wire;
  }

  /** Waits until a new connection is answered 200: the server may learn of the end of another one later. */
  async function untilAnswered(request: string): Promise<void> {
    for (;;) {
      const wire = toys.wire(request);
      await until(() => wire.received !== '' || wire.socket.closed);
      wire.socket.destroy();
      if (wire.received.startsWith('HTTP/1.1 200')) return;
    }
  }
});
