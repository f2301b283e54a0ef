import { expect } from 'chai';
import { z } from 'zod';
import { toy, useToys } from '../support/api/http.ts';

let stolen = 0;

const rows = [
  toy('POST', '/api/v1/toys', { body: z.unknown() }),
  toy('GET', '/api/v1/stolen', {
    handle: () => {
      stolen += 1;
      return { kind: 'json', status: 200, body: {} };
    },
  }),
];

/** What would run as a request of its own, if a body were taken to end before it. */
const SMUGGLED = 'GET /api/v1/stolen HTTP/1.1\r\nHost: a\r\n\r\n';

const HEAD = 'POST /api/v1/toys HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';

const CHUNKED = `0\r\n\r\n${SMUGGLED}`;

/** Heads about whose body two servers could disagree, each with a body that one of them would end before `SMUGGLED`. */
const ambiguous: Readonly<Record<string, string>> = {
  'length and chunks': `${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKED}`,
  'chunks and length': `${HEAD}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n${CHUNKED}`,
  'length of 0 and chunks': `${HEAD}Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKED}`,
  'two lengths': `${HEAD}Content-Length: 2\r\nContent-Length: 50\r\n\r\n{}${SMUGGLED}`,
  'two equal lengths': `${HEAD}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}${SMUGGLED}`,
  'a list of lengths': `${HEAD}Content-Length: 2, 50\r\n\r\n{}${SMUGGLED}`,
  'a list of equal lengths': `${HEAD}Content-Length: 2, 2\r\n\r\n{}${SMUGGLED}`,
  ...Object.fromEntries(
    ['+2', '-2', '0x2', '2;', '2a', '2 2', '"2"', '2.0', '2e0', '٢', '', '18446744073709551618'].map((length) => [
      `the length ${JSON.stringify(length)}`,
      `${HEAD}Content-Length: ${length}\r\n\r\n{}${SMUGGLED}`,
    ]),
  ),
  ...Object.fromEntries(
    [
      ...['xchunked', 'chunked, identity', 'identity', 'gzip', 'chunked, gzip', 'chunked;q=1'],
      ...['"chunked"', "'chunked'"],
      ...['chunked\x00', 'chunked\x0b', '\x0bchunked', 'chu nked', 'chunked chunked', 'chunkedchunked', ',', 'x'],
    ].map((coding) => [
      `the coding ${JSON.stringify(coding)}`,
      `${HEAD}Content-Length: 5\r\nTransfer-Encoding: ${coding}\r\n\r\n${CHUNKED}`,
    ]),
  ),
  'two codings': `${HEAD}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n${CHUNKED}`,
  'a coding that is none': `${HEAD}Transfer-Encoding: identity\r\n\r\n${CHUNKED}`,
  'a space before the colon': `${HEAD}Transfer-Encoding : chunked\r\nContent-Length: 5\r\n\r\n${CHUNKED}`,
  'a space before the name': `${HEAD} Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n${CHUNKED}`,
  'a tab before the name': `${HEAD}\tTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n${CHUNKED}`,
  'a folded coding': `${HEAD}Content-Length: 5\r\nTransfer-Encoding:\r\n chunked\r\n\r\n${CHUNKED}`,
  'a folded header': `${HEAD}X-Fold: a\r\n\tb: c\r\nContent-Length: 2, 5\r\n\r\n{}${SMUGGLED}`,
  'a folded length': `${HEAD}Content-Length: 2\r\n 5\r\n\r\n{}${SMUGGLED}`,
  'a name with NUL': `${HEAD}Content-Length\0: 50\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKED}`,
  'a value with NUL': `${HEAD}X: a\0b\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n${CHUNKED}`,
  'a bare CR in a value': `${HEAD}X: a\rTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n${CHUNKED}`,
  'a bare CR at the end of a line': `${HEAD}Transfer-Encoding: chunked\rContent-Length: 5\r\n\r\n${CHUNKED}`,
  'no colon': `${HEAD}Transfer-Encoding chunked\r\nContent-Length: 5\r\n\r\n${CHUNKED}`,
  'a chunk size with a sign': `${HEAD}Transfer-Encoding: chunked\r\n\r\n+2\r\n{}\r\n${CHUNKED}`,
  'a chunk size with 0x': `${HEAD}Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n${CHUNKED}`,
  'a chunk size with a space before': `${HEAD}Transfer-Encoding: chunked\r\n\r\n 2\r\n{}\r\n${CHUNKED}`,
  'a chunk size that overflows': `${HEAD}Transfer-Encoding: chunked\r\n\r\n10000000000000002\r\n{}\r\n${CHUNKED}`,
  'a chunk that is longer than it says': `${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n{}00\r\n${CHUNKED}`,
  'a chunk without its end': `${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n{}${CHUNKED}`,
  'a bare LF after a chunk size': `${HEAD}Transfer-Encoding: chunked\r\n\r\n2\n{}\r\n${CHUNKED}`,
  'a bare LF after a chunk': `${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\n${CHUNKED}`,
  'a bare CR after a chunk size': `${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r{}\r\n${CHUNKED}`,
  'a bare LF in a chunk extension': `${HEAD}Transfer-Encoding: chunked\r\n\r\n2;a\nb\r\n{}\r\n${CHUNKED}`,
  'a length after the chunks': `${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nContent-Length: 50\r\n\r\n${SMUGGLED}`,
  'bare LFs in the head': `${HEAD}Transfer-Encoding: chunked\nContent-Length: 5\r\n\r\n${CHUNKED}`,
  'a bare LF at the end of the head': `${HEAD}Content-Length: 5\r\nX: y\n\n0\r\n\r\n${SMUGGLED}`,
  'HTTP/1.0 with chunks': `${HEAD.replace('1.1', '1.0')}Transfer-Encoding: chunked\r\n\r\n${CHUNKED}`,
  'another version': `${HEAD.replace('1.1', '1.2')}Content-Length: 2\r\n\r\n{}${SMUGGLED}`,
  'the preface of HTTP/2': `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${SMUGGLED}`,
  'a version of one digit': `${HEAD.replace('1.1', '1')}Content-Length: 2\r\n\r\n{}${SMUGGLED}`,
  'a version of three digits': `${HEAD.replace('1.1', '1.10')}Content-Length: 2\r\n\r\n{}${SMUGGLED}`,
  'small letters in the version': `${HEAD.replace('HTTP', 'http')}Content-Length: 2\r\n\r\n{}${SMUGGLED}`,
  'a path without a slash': `${HEAD.replace('/api', 'api')}Content-Length: 2\r\n\r\n{}${SMUGGLED}`,
  'a method in small letters': `${HEAD.replace('POST', 'post')}Content-Length: 2\r\n\r\n{}${SMUGGLED}`,
  'a space before the method': ` ${HEAD}Content-Length: 2\r\n\r\n{}${SMUGGLED}`,
  'no path': `${HEAD.replace('/api/v1/toys ', '')}Content-Length: 2\r\n\r\n{}${SMUGGLED}`,
  'spaces in the request line': `${HEAD.replace(' HTTP', '\t HTTP')}Content-Length: 2\r\n\r\n{}${SMUGGLED}`,
};

/** Heads about which site is meant, or which protocol is spoken, two servers could disagree. */
const odd: Readonly<Record<string, string>> = {
  'HTTP/0.9 with a version': `${HEAD.replace('1.1', '0.9')}Content-Length: 2\r\n\r\n{}`,
  'HTTP/0.9 without one': `GET /api/v1/stolen\r\n\r\n`,
  'HTTP/0.9 with headers': `GET /api/v1/stolen\r\nHost: a\r\n\r\n`,
  'HTTP/2': `${HEAD.replace('1.1', '2.0')}Content-Length: 2\r\n\r\n{}`,
  'two Hosts': `${HEAD}Host: b\r\nContent-Length: 2\r\n\r\n{}`,
  'two equal Hosts': `${HEAD}hOST: a\r\nContent-Length: 2\r\n\r\n{}`,
  'an empty second Host': `${HEAD}Host:\r\nContent-Length: 2\r\n\r\n{}`,
  'HTTP/1.0 with two Hosts': `${HEAD.replace('1.1', '1.0')}Host: b\r\nContent-Length: 2\r\n\r\n{}`,
  'no Host': `GET /api/v1/stolen HTTP/1.1\r\n\r\n`,
  ...Object.fromEntries(
    ['a b', 'a, b', 'a/b', 'http://a', 'user@a', 'a:b', 'a:1:2', '[::1', '::1', 'a?b', 'a#b', 'a\\b', '"a"'].map(
      (host) => [`the Host ${JSON.stringify(host)}`, `GET /api/v1/stolen HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
    ),
  ),
};

describe('odd requests', () => {
  const toys = useToys(rows);

  for (const [what, request] of Object.entries(odd)) {
    it(`with ${what} are a 400 and the end of the connection`, async () => {
      stolen = 0;
      const received = await toys.wire(request).ended();
      expect(received).to.match(/^HTTP\/1.1 400 Bad Request\r\n/);
      expect(received).to.match(/\r\nConnection: close\r\n/);
      expect(stolen).to.equal(0);
    });
  }

  for (const host of ['a', 'A.example.org', 'a:8080', '127.0.0.1:1', '[::1]', '[::1]:80', 'xn--a_b-c', '']) {
    it(`do not include the Host ${JSON.stringify(host)}`, async () => {
      await toys.wire(`GET /api/v1/stolen HTTP/1.1\r\nHost: ${host}\r\n\r\n`).sees(/^HTTP\/1.1 200 OK/);
    });
  }
});

describe('request smuggling', () => {
  const toys = useToys(rows);

  for (const [what, request] of Object.entries(ambiguous)) {
    it(`with ${what} is a 400 and the end of the connection`, async () => {
      stolen = 0;
      const received = await toys.wire(request).ended();
      expect(received).to.match(/^HTTP\/1.1 400 Bad Request\r\n/);
      expect(received).to.match(/\r\nConnection: close\r\n/);
      expect(received.split('HTTP/1.1 ')).to.have.length(2);
      expect(stolen).to.equal(0);
    });
  }

  it('does not work by chunk extensions, trailers, or bodies that look like requests', async () => {
    const chunks = 'Transfer-Encoding: chunked\r\n\r\n';
    const bodies = [
      `${chunks}2;a=b;c="d\\"e"\r\n{}\r\n0\r\n\r\n`,
      `${chunks}2\r\n{}\r\n0\r\nX-API-Key: no\r\n\r\n`,
      `${chunks}002\r\n{}\r\n000\r\n\r\n`,
      `Content-Length: 2\r\n\r\n{}`,
      `Transfer-Encoding: CHUNKED\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ];
    stolen = 0;
    for (const body of bodies) {
      const wire = toys.wire(`${HEAD}${body}\r\n${SMUGGLED}`);
      await wire.sees(/200 OK.*200 OK.*\{\}$/s);
    }
    expect(stolen, 'each asked for once, by a request of its own').to.equal(bodies.length);
    const inside = `{"x":${JSON.stringify(SMUGGLED)}}`;
    const wire = toys.wire(`${HEAD}Content-Length: ${inside.length}\r\n\r\n${inside}`);
    await wire.sees(/200 OK.*\{\}$/s);
    expect(stolen).to.equal(bodies.length);
  });

  it('does not work by refused requests: the rest of their bodies is not read as a request', async () => {
    const heads = [
      `${HEAD.replace('toys', 'nothing')}Content-Length: ${SMUGGLED.length}\r\n\r\n`,
      `${HEAD.replace('application/json', 'text/plain')}Content-Length: ${SMUGGLED.length}\r\n\r\n`,
      `${HEAD}Content-Length: ${SMUGGLED.length}\r\n\r\n`,
    ];
    stolen = 0;
    for (const head of heads) {
      const wire = toys.wire(head + SMUGGLED + 'GET /api/v1/toys HTTP/1.1\r\nHost: a\r\n\r\n');
      await wire.sees(/^HTTP\/1.1 4\d\d .*HTTP\/1.1 405 .*\}$/s);
    }
    const unmet = `${HEAD}Expect: more\r\nContent-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`;
    expect((await toys.wire(unmet).ended()).match(/HTTP\/1.1 \d+/g)).to.deep.equal(['HTTP/1.1 417']);
    expect(stolen).to.equal(0);
  });

  it('does not work by tunnels: CONNECT, TRACE and upgrades have no effect', async () => {
    const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA\r\n';
    const wire = toys.wire(`${HEAD}${upgrade}Content-Length: 2\r\n\r\n{}`);
    expect(await wire.sees(/\}$/)).to.match(/^HTTP\/1.1 200 OK\r\n/);
    expect(await toys.wire('CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n').ended()).to.equal('');
    const trace = toys.wire('TRACE /api/v1/stolen HTTP/1.1\r\nHost: a\r\nX-Secret: s3cret\r\n\r\n');
    expect(await trace.sees(/\}$/))
      .to.match(/^HTTP\/1.1 405/)
      .and.not.to.include('s3cret');
  });

  it('does not work by headers beyond the limit of those that are read', async () => {
    const many = Array.from({ length: 100 }, (_, n) => `X-${n}: y\r\n`).join('');
    const wire = toys.wire(`GET /api/v1/stolen HTTP/1.1\r\nHost: a\r\n${many}\r\n`);
    expect(await wire.sees(/\}$/)).to.match(/^HTTP\/1.1 431 /);
  });
});
