import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { openS3Assets } from '../../infra/s3/assets.ts';
import type { JsonObject } from '../../src/service/kernel/json.ts';
import type { Assets, StoredAsset } from '../../src/service/kernel/ports/assets.ts';
import { StoreUnavailable } from '../../src/service/kernel/ports/errors.ts';
import { expectProblem, expectStatus } from '../support/api/client.ts';
import { MOMENT_MS, until } from '../support/processes/waits.ts';
import { chunks } from '../support/assets/content.ts';
import { noS3Server, startS3Server, withCredentials, type S3Server } from '../support/assets/s3-server.ts';
import { startService, type Service } from '../support/api/service.ts';
import { upload } from '../support/api/uploads.ts';

const TIMEOUT_MS = 3_000;
/** More bytes than the system accepts at once. */
const PART = randomBytes(6_000_000);
const KEY = 'LOGO/a.png';

describe(`faults: S3${noS3Server === null ? '' : ` (${noS3Server})`}`, () => {
  let s3: S3Server;
  let restore: () => void;
  let assets: Assets;

  before(async function () {
    if (noS3Server !== null) this.skip();
    restore = withCredentials();
    s3 = await startS3Server();
    assets = await open(s3.endpoint);
  });
  after(async () => {
    if (noS3Server !== null) return;
    await s3.stop();
    restore();
  });

  const open = (endpoint: string): Promise<Assets> =>
    openS3Assets({ bucket: s3.bucket, region: 'us-east-1', endpoint, timeoutMs: TIMEOUT_MS });

  const put = (content: Content): Promise<void> => assets.put({ key: KEY, contentType: 'image/png', ...content });

  /** Three parts; `happens` is called before the last one is sent. */
  function interrupted(happens: () => Promise<void> | void): Content {
    const { size, content } = chunks(PART, PART, PART);
    let reads = 0;
    const watched = {
      async *[Symbol.asyncIterator]() {
        reads += 1;
        let sent = 0;
        for await (const part of content) {
          sent += 1;
          // The first read computes the hash.
          if (reads === 2 && sent === 3) await happens();
          yield part;
        }
      },
    };
    return { size, content: watched };
  }

  it('down when it is opened: fails until it comes, and works then', async () => {
    await s3.kill();
    const early = await open(s3.endpoint);
    const asset = { key: KEY, contentType: 'image/png', ...chunks('early') };
    await expectUnavailable(early.put(asset));
    await expectUnavailable(early.get(KEY));
    await s3.restart();
    await early.put(asset);
    expect(await read(await early.get(KEY))).to.equal('early');
  });

  it('killed in the middle of an upload: what was there before stays, and a retry works', async () => {
    await put(chunks('before'));
    let before = '';
    await expectUnavailable(
      put(
        interrupted(async () => {
          before = await read(await assets.get(KEY));
          await s3.kill();
        }),
      ),
    );
    expect(before, 'in the middle').to.equal('before');
    await s3.restart();
    expect(await read(await assets.get(KEY))).to.equal('before');
    expect(await s3.unfinishedUploads()).to.deep.equal([]);
    await put(chunks(PART, PART, PART));
    expect((await assets.get(KEY))?.size).to.equal(3 * PART.length);
  });

  it('silent after it accepted: every step is bounded', async () => {
    await put(chunks(PART, PART));
    s3.freeze();
    // On a busy machine the process does not stop at once.
    await until(
      () =>
        assets.get('LOGO/none').then(
          () => false,
          () => true,
        ),
      Boolean,
    );
    await expectUnavailable(assets.get(KEY));
    await expectUnavailable(put(chunks('small')));
    await expectUnavailable(put(chunks(PART)));
    s3.thaw();
    // A request that the server has received completely may still be carried out, as after any 503.
    expect((await assets.get(KEY))?.size).to.be.oneOf([2 * PART.length, 'small'.length]);
  });

  it('silent in the middle of an upload or a download: bounded too', async () => {
    await put(chunks(PART, PART));
    await expectUnavailable(
      put(
        interrupted(() => {
          s3.freeze();
        }),
      ),
    );
    s3.thaw();
    const through = await proxy(s3.endpoint, { passes: (sent) => sent < 1_000_000 });
    const asset = await (await open(through.endpoint)).get(KEY);
    await expectUnavailable(read(asset));
    await through.close();
    expect((await assets.get(KEY))?.size).to.equal(2 * PART.length);
  });

  it('behind a connection that breaks in the middle of an upload: it is sent again', async () => {
    let breaksAt = 7_000_000;
    const through = await proxy(s3.endpoint, {
      onReceived(received) {
        if (received < breaksAt) return;
        breaksAt = Infinity;
        through.breakConnections();
      },
    });
    await (await open(through.endpoint)).put({ key: KEY, contentType: 'image/png', ...chunks(PART, PART) });
    await through.close();
    expect(breaksAt, 'broken').to.equal(Infinity);
    expect(await read(await assets.get(KEY))).to.equal(Buffer.concat([PART, PART]).toString('latin1'));
  });

  it('behind a line that changes a byte: refused, and what was there before stays', async () => {
    await put(chunks('before'));
    let changes = true;
    const through = await proxy(s3.endpoint, {
      onReceived(received, bytes) {
        if (received < 7_000_000 || !changes) return;
        changes = false;
        bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0);
      },
    });
    const elsewhere = await open(through.endpoint);
    await expectUnavailable(elsewhere.put({ key: KEY, contentType: 'image/png', ...chunks(PART, PART) }));
    await through.close();
    expect(await read(await assets.get(KEY))).to.equal('before');
  });

  it('without its bucket, or with wrong credentials: refused in words that quote none', async () => {
    const elsewhere = await openS3Assets({
      endpoint: s3.endpoint,
      bucket: 'no-such-bucket',
      region: 'us-east-1',
      timeoutMs: TIMEOUT_MS,
    });
    await expectUnavailable(elsewhere.get(KEY));
    await expectUnavailable(elsewhere.put({ key: KEY, contentType: 'a/b', ...chunks('x') }));
    const back = withWrongSecret();
    const { message } = await expectUnavailable((await open(s3.endpoint)).get(KEY));
    back();
    expect(message).not.to.include(process.env.AWS_SECRET_ACCESS_KEY).and.not.to.include('wrong-secret');
  });

  describe('with a service on it', () => {
    let service: Service;
    let through: Proxy;
    let killAt = Infinity;

    before(async () => {
      if (noS3Server !== null) return;
      through = await proxy(s3.endpoint, {
        onReceived(received) {
          if (received < killAt) return;
          killAt = Infinity;
          s3.freeze();
          void s3.kill();
        },
      });
      service = await startService({
        ...s3.env,
        S3_ENDPOINT: through.endpoint,
        STORE_TIMEOUT_MS: String(TIMEOUT_MS),
        UPLOAD_LIMIT_BYTES: '100000000',
      });
    });
    after(async () => {
      if (noS3Server !== null) return;
      // First, as it exists even if the service did not start; left open, it would keep mocha from ending.
      await through.close();
      await service.close();
    });

    /** The upload fails in time. */
    async function expectFailed(file: Uint8Array<ArrayBuffer>): Promise<void> {
      const started = performance.now();
      const answer = await upload(service.client, 'LOGO/b.png', file);
      expect(performance.now() - started).to.be.lessThan(TIMEOUT_MS + MOMENT_MS);
      expect(expectStatus(answer, 503).text).to.equal('Failed');
      expect(answer.header('content-type')).to.match(/^text\/plain/);
      expect(Number(answer.header('retry-after'))).to.be.greaterThan(0);
    }

    /** Health shows the result of the previous check. */
    async function expectAssets({
      status,
      error,
    }: {
      readonly status: string;
      readonly error?: RegExp;
    }): Promise<void> {
      const { assets: found } = await until(
        async () => (await service.client.get('/actuator/health')).body.components as Record<string, JsonObject>,
        ({ assets: component }) => component?.['status'] === status,
      );
      if (error !== undefined) expect(found?.['error']).to.match(error);
    }

    it('down in the middle of an upload: Failed, nothing by half, and a retry works', async () => {
      const file = new Uint8Array(12_000_000).fill(7);
      expectStatus(await upload(service.client, 'LOGO/b.png', new Uint8Array([1, 2, 3])), 201);
      through.received = 0;
      killAt = 7_000_000;
      await expectFailed(file);
      expect(killAt, 'killed').to.equal(Infinity);
      expectProblem(await service.client.get('/cdn/LOGO/b.png'), 503);
      await expectFailed(file);
      await expectAssets({ status: 'DOWN', error: /^S3 bucket timing: / });
      expectStatus(await service.client.get('/actuator/health/readiness'), 200);
      expect((await service.client.get('/actuator/prometheus')).text).to.match(
        /^store_setbacks_total{store="assets",kind="failure"} [1-9]/m,
      );
      await s3.restart();
      await expectAssets({ status: 'UP' });
      expect([...expectStatus(await service.client.get('/cdn/LOGO/b.png'), 200).bytes]).to.deep.equal([1, 2, 3]);
      expectStatus(await upload(service.client, 'LOGO/b.png', file), 201);
      expect((await service.client.get('/cdn/LOGO/b.png')).bytes).to.have.length(file.length);
    });
  });
});

type Content = ReturnType<typeof chunks>;

async function read(asset: StoredAsset | null): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of asset?.content ?? []) parts.push(part);
  return Buffer.concat(parts).toString('latin1');
}

async function expectUnavailable(outcome: Promise<unknown>): Promise<StoreUnavailable> {
  const started = performance.now();
  const error: unknown = await outcome.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  expect(performance.now() - started).to.be.lessThan(TIMEOUT_MS + MOMENT_MS);
  if (!(error instanceof StoreUnavailable)) throw new Error('expected StoreUnavailable', { cause: error });
  return error;
}

function withWrongSecret(): () => void {
  const right = process.env.AWS_SECRET_ACCESS_KEY;
  process.env.AWS_SECRET_ACCESS_KEY = 'wrong-secret';
  return () => {
    process.env.AWS_SECRET_ACCESS_KEY = right;
  };
}

interface Proxy {
  readonly endpoint: string;
  /** Bytes sent by clients; the test may reset it. */
  received: number;
  breakConnections(): void;
  close(): Promise<void>;
}

interface ProxyOptions {
  /** Decides by the number of bytes so far whether more go to the client. */
  readonly passes?: (sent: number) => boolean;
  /** Receives the number of bytes sent by the client, and may change the newest. */
  readonly onReceived?: (received: number, bytes: Buffer) => void;
}

/** A proxy before the server. */
async function proxy(
  endpoint: string,
  { passes = () => true, onReceived = () => undefined }: ProxyOptions,
): Promise<Proxy> {
  const open = new Set<Socket>();
  let sent = 0;
  const server: Server = createServer((client) => {
    const upstream = connect(Number(new URL(endpoint).port), '127.0.0.1');
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
    client.on('data', (bytes) => {
      made.received += bytes.length;
      onReceived(made.received, bytes);
    });
    client.pipe(upstream);
    upstream.on('data', (bytes) => {
      sent += bytes.length;
      if (passes(sent)) client.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The address of a TCP server is never a path.
  const { port } = server.address() as AddressInfo;
  const made: Proxy = {
    endpoint: `http://127.0.0.1:${port}`,
    received: 0,
    breakConnections() {
      for (const socket of open) socket.destroy();
    },
    async close() {
      made.breakConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return made;
}
