import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { openS3Assets } from '../../infra/s3/assets.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import type { Assets, StoredAsset } from '../../src/kernel/ports/assets.ts';
import { expectProblem, expectStatus } from '../support/api/client.ts';
import { describeUnless } from '../support/unless.ts';
import { startFaultyProxy, type FaultyProxy } from '../support/processes/servers.ts';
import { expectUnavailable, MOMENT_MS, until, untilFails } from '../support/processes/waits.ts';
import { chunks } from '../support/assets/content.ts';
import { noS3Server, startS3Server, type S3Server } from '../support/assets/s3-server.ts';
import { startService, type Service } from '../support/api/service.ts';
import { upload } from '../support/api/uploads.ts';

const TIMEOUT_MS = 3_000;
/** More bytes than the system accepts at once. */
const PART = randomBytes(6_000_000);
const KEY = 'LOGO/a.png';

const expectFailure = (call: Promise<unknown>) => expectUnavailable(call, TIMEOUT_MS);
const portOf = (endpoint: string): number => Number(new URL(endpoint).port);
const endpointOf = ({ port }: FaultyProxy): string => `http://127.0.0.1:${port}`;

describeUnless(noS3Server, 'faults: S3', () => {
  let s3: S3Server;
  let assets: Assets;

  before(async () => {
    s3 = await startS3Server();
    assets = await open(s3.endpoint);
  });
  after(() => s3.stop());

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

  it('fails while it is down when it is opened, and works once it is up', async () => {
    await s3.kill();
    const early = await open(s3.endpoint);
    const asset = { key: KEY, contentType: 'image/png', ...chunks('early') };
    await expectFailure(early.put(asset));
    await expectFailure(early.get(KEY));
    await s3.restart();
    await early.put(asset);
    expect(await read(await early.get(KEY))).to.equal('early');
  });

  it('bounds every step when it accepts connections and stays silent', async () => {
    await put(chunks(PART, PART));
    s3.freeze();
    await untilFails(() => assets.get('LOGO/none'));
    await expectFailure(assets.get(KEY));
    await expectFailure(put(chunks('small')));
    await expectFailure(put(chunks(PART)));
    s3.thaw();
    // A request that the server has received completely may still be carried out, as after any 503.
    expect((await assets.get(KEY))?.size).to.be.oneOf([2 * PART.length, 'small'.length]);
  });

  it('bounds an upload or a download when it falls silent in the middle', async () => {
    await put(chunks(PART, PART));
    await expectFailure(put(interrupted(() => s3.freeze())));
    s3.thaw();
    const through = await startFaultyProxy(portOf(s3.endpoint), { passes: (sent) => sent < 1_000_000 });
    const asset = await (await open(endpointOf(through))).get(KEY);
    await expectFailure(read(asset));
    await through.stop();
    expect((await assets.get(KEY))?.size).to.equal(2 * PART.length);
  });

  it('sends an upload again when the connection breaks in the middle', async () => {
    let breaksAt = 7_000_000;
    const through = await startFaultyProxy(portOf(s3.endpoint), {
      onReceived(received) {
        if (received < breaksAt) return;
        breaksAt = Infinity;
        through.cut();
      },
    });
    await (await open(endpointOf(through))).put({ key: KEY, contentType: 'image/png', ...chunks(PART, PART) });
    await through.stop();
    expect(breaksAt, 'broken').to.equal(Infinity);
    expect(await read(await assets.get(KEY))).to.equal(Buffer.concat([PART, PART]).toString('latin1'));
  });

  it('refuses an upload when the line changes a byte, and keeps the previous file', async () => {
    await put(chunks('before'));
    let changes = true;
    const through = await startFaultyProxy(portOf(s3.endpoint), {
      onReceived(received, bytes) {
        if (received < 7_000_000 || !changes) return;
        changes = false;
        bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0);
      },
    });
    const elsewhere = await open(endpointOf(through));
    await expectFailure(elsewhere.put({ key: KEY, contentType: 'image/png', ...chunks(PART, PART) }));
    await through.stop();
    expect(await read(await assets.get(KEY))).to.equal('before');
  });

  it('refuses a missing bucket or wrong credentials, and quotes no credentials', async () => {
    const elsewhere = await openS3Assets({
      endpoint: s3.endpoint,
      bucket: 'no-such-bucket',
      region: 'us-east-1',
      timeoutMs: TIMEOUT_MS,
    });
    await expectFailure(elsewhere.get(KEY));
    await expectFailure(elsewhere.put({ key: KEY, contentType: 'a/b', ...chunks('x') }));
    const right = process.env.AWS_SECRET_ACCESS_KEY;
    process.env.AWS_SECRET_ACCESS_KEY = 'wrong-secret';
    const { message } = await expectFailure((await open(s3.endpoint)).get(KEY));
    process.env.AWS_SECRET_ACCESS_KEY = right;
    expect(message).not.to.include(right).and.not.to.include('wrong-secret');
  });

  describe('with a service on it', () => {
    let service: Service;
    let through: FaultyProxy;
    let killAt = Infinity;

    before(async () => {
      through = await startFaultyProxy(portOf(s3.endpoint), {
        onReceived(received) {
          if (received < killAt) return;
          killAt = Infinity;
          s3.freeze();
          void s3.kill();
        },
      });
      service = await startService({
        ...s3.env,
        S3_ENDPOINT: endpointOf(through),
        STORE_TIMEOUT_MS: String(TIMEOUT_MS),
        UPLOAD_LIMIT_BYTES: '100000000',
      });
    });
    after(async () => {
      // First, as it exists even if the service did not start; left open, it would keep mocha from ending.
      await through.stop();
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
    async function expectAssets(status: string, error = /^/): Promise<void> {
      const { assets: found } = await until(
        async () => (await service.client.get('/actuator/health')).body.components as Record<string, JsonObject>,
        ({ assets: component }) => component?.['status'] === status,
      );
      expect(found?.['error'] ?? '').to.match(error);
    }

    it('answers Failed when it goes down in an upload, stores no partial file, and accepts a retry', async () => {
      const file = new Uint8Array(12_000_000).fill(7);
      expectStatus(await upload(service.client, 'LOGO/b.png', new Uint8Array([1, 2, 3])), 201);
      through.received = 0;
      killAt = 7_000_000;
      await expectFailed(file);
      expect(killAt, 'killed').to.equal(Infinity);
      expectProblem(await service.client.get('/cdn/LOGO/b.png'), 503);
      await expectFailed(file);
      await expectAssets('DOWN', /^S3 bucket timing: /);
      expectStatus(await service.client.get('/actuator/health/readiness'), 200);
      expect((await service.client.get('/actuator/prometheus')).text).to.match(
        /^store_failures_total{store="assets",kind="failure"} [1-9]/m,
      );
      await s3.restart();
      expect(await s3.unfinishedUploads()).to.deep.equal([]);
      await expectAssets('UP');
      expect([...expectStatus(await service.client.get('/cdn/LOGO/b.png'), 200).bytes]).to.deep.equal([1, 2, 3]);
      expectStatus(await upload(service.client, 'LOGO/b.png', file), 201);
      expect((await service.client.get('/cdn/LOGO/b.png')).bytes).to.have.length(file.length);
    });
  });
});

type Content = ReturnType<typeof chunks>;

async function read(asset: StoredAsset | null): Promise<string> {
  return asset === null ? '' : (await buffer(asset.content)).toString('latin1');
}
