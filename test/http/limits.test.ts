import { expect } from 'chai';
import { z } from 'zod';
import { problem, startToys, toy, until, type Toys } from '../support/api/http.ts';
import { MOMENT_MS } from '../support/processes/waits.ts';

let release: () => void = () => undefined;

const rows = [
  toy('GET', '/api/v1/slow', {
    async handle() {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return { kind: 'json', status: 200, body: { late: true } };
    },
  }),
  toy('POST', '/api/v1/toys', { body: z.unknown() }),
  toy('GET', '/api/v1/toys'),
];

/** The status line and the JSON body of an answer, and that it has our headers. */
function parseResponse(received: string): { readonly status: number; readonly body: unknown } {
  expect(received)
    .to.match(/\r\nAPI-Version: 1.0\r\n/)
    .and.to.match(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
  expect(received).to.match(/\r\nContent-Type: application\/problem\+json\r\n/);
  const body: unknown = JSON.parse(received.slice(received.indexOf('\r\n\r\n') + 4));
  return { status: Number(received.slice(9, 12)), body };
}

describe('limits', () => {
  let toys: Toys;
  beforeEach(async () => {
    toys = await startToys(rows, { limits: { deadlineMs: 300 } });
  });
  afterEach(() => toys.close());

  it('answers 503 at the deadline, and drops the late result', async () => {
    const started = performance.now();
    const answer = await toys.send('/api/v1/slow');
    await problem(answer, 503);
    expect(answer.headers.get('retry-after')).to.match(/^\d+$/);
    expect(performance.now() - started).to.be.within(290, 2 * MOMENT_MS);
    release();
    expect((await toys.send('/api/v1/toys')).status).to.equal(200);
    expect(toys.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });

  it('answers 408 to a body that does not arrive', async () => {
    const wire = toys.wire(
      'POST /api/v1/toys HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    const received = await wire.ended();
    expect(parseResponse(received)).to.have.property('status', 408);
    expect(received).to.match(/\r\nConnection: close\r\n/);
  });

  it('answers anything but HTTP with 400, and closes', async () => {
    const requests = [
      'hello\r\n\r\n',
      'GET\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET / HTTP/1.1\r\nHost a\r\n\r\n',
      'BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ];
    for (const request of requests) {
      const received = await toys.wire(request).ended();
      expect(parseResponse(received), request).to.have.property('status', 400);
      expect(received).to.match(/\r\nConnection: close\r\n/);
    }
    expect(toys.observed.filter(([route, status]) => route === '* unmatched' && status === 400)).to.have.length(
      requests.length,
    );
  });

  it('answers huge headers with 431, and a chunk that is none with 400', async () => {
    const huge = toys.wire(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`);
    expect(parseResponse(await huge.ended())).to.have.property('status', 431);
    const chunked = toys
      .wire('POST /api/v1/toys HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n')
      .write('Transfer-Encoding: chunked\r\n\r\n')
      .write('zz\r\n');
    expect(parseResponse(await chunked.ended())).to.have.property('status', 400);
  });

  it('answers in order what was sent in one go, before it gives up on the rest', async () => {
    const request = 'GET /api/v1/toys HTTP/1.1\r\nHost: a\r\n\r\n';
    const wire = toys.wire(`${request}${request}`);
    await wire.sees(/200 OK.*200 OK.*\{\}$/s);
    wire.write('GET /api/v1/slow HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n');
    const before = release;
    await until(() => release !== before);
    release();
    expect(await wire.ended()).to.match(/\{"late":true\}$/);
  });

  it('stops on request: requests in flight are finished, the rest is cut off after the grace', async () => {
    const idle = toys.wire('GET /api/v1/toys HTTP/1.1\r\nHost: a\r\n\r\n');
    await idle.sees(/\{\}$/);
    const before = release;
    const busy = toys.wire('GET /api/v1/slow HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => release !== before);
    const closed = toys.http.close(5_000);
    await idle.ended();
    release();
    expect(await busy.ended())
      .to.match(/^HTTP\/1.1 200/)
      .and.to.match(/Connection: close/);
    await closed;
    expect(
      await toys.send('/api/v1/toys').then(
        () => 'open',
        () => 'closed',
      ),
    ).to.equal('closed');
  });

  it('waits for nobody longer than the grace', async () => {
    const stuck = toys.wire('GET /api/v1/slow HTTP/1.1\r\nHost: a\r\n\r\n');
    const before = release;
    await until(() => release !== before);
    const started = performance.now();
    await toys.http.close(50);
    expect(performance.now() - started).to.be.below(2 * MOMENT_MS);
    await stuck.ended();
  });
});
