import { expect } from 'chai';
import { z } from 'zod';
import { problem, startToys, toy, until, type Toys } from '../support/api/http.ts';
import { failureOf } from '../support/failure.ts';
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

const HEAD = 'POST /api/v1/toys HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';

/** Expects a problem with this status, and that it has our headers. */
function expectProblem(received: string, status: number): void {
  expect(received)
    .to.match(new RegExp(`^HTTP/1.1 ${status} `))
    .and.to.match(/\r\nAPI-Version: 1.0\r\n/)
    .and.to.match(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/)
    .and.to.match(/\r\nContent-Type: application\/problem\+json\r\n/);
  expect(JSON.parse(received.slice(received.indexOf('\r\n\r\n') + 4))).to.include({ status });
}

describe('limits', () => {
  let toys: Toys;
  beforeEach(async () => {
    toys = await startToys(rows, { limits: { requestDeadlineMs: 300 } });
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
    const received = await toys.wire(`${HEAD}Content-Length: 9\r\n\r\n{`).ended();
    expectProblem(received, 408);
    expect(received).to.match(/\r\nConnection: close\r\n/);
  });

  it('answers 400 to anything but HTTP, and closes the connection', async () => {
    const requests = [
      'hello\r\n\r\n',
      'GET\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET / HTTP/1.1\r\nHost a\r\n\r\n',
      'BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n',
    ];
    for (const request of requests) {
      const received = await toys.wire(request).ended();
      expectProblem(received, 400);
      expect(received).to.match(/\r\nConnection: close\r\n/);
    }
    expect(toys.observed).to.deep.equal(requests.map(() => ['* unmatched', 400]));
  });

  it('answers 431 to huge headers, and 400 to a malformed chunk', async () => {
    const huge = toys.wire(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`);
    expectProblem(await huge.ended(), 431);
    const chunked = toys.wire(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`).write('zz\r\n');
    expectProblem(await chunked.ended(), 400);
  });

  it('answers pipelined requests in order before it gives up on the rest', async () => {
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
    expect(await failureOf(toys.send('/api/v1/toys'))).to.be.instanceOf(TypeError);
  });

  it('waits for no client longer than the grace period', async () => {
    const stuck = toys.wire('GET /api/v1/slow HTTP/1.1\r\nHost: a\r\n\r\n');
    const before = release;
    await until(() => release !== before);
    const started = performance.now();
    await toys.http.close(50);
    expect(performance.now() - started).to.be.below(2 * MOMENT_MS);
    await stuck.ended();
  });
});
