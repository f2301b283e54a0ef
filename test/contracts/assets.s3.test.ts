import { randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { DeleteObjectsCommand, HeadObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { openS3Assets } from '../../infra/s3/assets.ts';
import type { Assets } from '../../src/kernel/ports/assets.ts';
import { chunks } from '../support/assets/content.ts';
import { givenS3, noS3Server, startS3Server, type S3Server } from '../support/assets/s3-server.ts';
import { failureOf } from '../support/failure.ts';
import { describeUnless } from '../support/unless.ts';
import { PATIENCE_MS } from '../support/processes/waits.ts';
import { assetsContract, type LawName } from './assets.ts';

/** Bytes of an upload that goes on for a while. */
const LARGE = 11_000_003;

/** All keys of this run: the bucket of a server that was there before may hold others. */
const PREFIX = `contract-${randomUUID()}/`;

/** What only stores without a file system below can do. */
const BOTH: LawName = 'keeps a file apart from those in a folder of its name';

/** Whether the server is versitygw, which is what the tests start themselves. */
async function isVersitygw(): Promise<boolean> {
  if (givenS3 === null) return true;
  if (givenS3.S3_ENDPOINT === '') return false;
  const answer = await fetch(givenS3.S3_ENDPOINT);
  await answer.body?.cancel();
  return answer.headers.get('Server') === 'VERSITYGW';
}

const onDisk = await isVersitygw();

/** The same store under the run's prefix. */
function prefixed(assets: Assets): Assets {
  return {
    put: (asset) => assets.put({ ...asset, key: PREFIX + asset.key }),
    get: (key) => assets.get(PREFIX + key),
    remove: (key) => assets.remove(PREFIX + key),
    move: (key, to) => assets.move(PREFIX + key, PREFIX + to),
    async *list(prefix) {
      for await (const { key, ...listed } of assets.list(PREFIX + prefix)) {
        yield { ...listed, key: key.slice(PREFIX.length) };
      }
    },
  };
}

function chunked(content: Uint8Array, size: number) {
  const count = Math.ceil(content.length / size);
  return chunks(...Array.from({ length: count }, (_, n) => content.subarray(n * size, (n + 1) * size)));
}

describeUnless(givenS3 === null ? noS3Server : null, 'assets in S3', () => {
  let own: S3Server | null = null;
  let client: S3Client;
  let location = { bucket: '', region: '', endpoint: '' };

  before(async () => {
    if (givenS3 === null) own = await startS3Server();
    const env = own?.env ?? givenS3;
    location = { bucket: env?.S3_BUCKET ?? '', region: env?.S3_REGION ?? '', endpoint: env?.S3_ENDPOINT ?? '' };
    const { region, endpoint } = location;
    client = new S3Client(endpoint === '' ? { region } : { region, endpoint, forcePathStyle: true });
  });
  after(async () => {
    await removeAll(client, location.bucket);
    client.destroy();
    await own?.stop();
  });

  const open = async (): Promise<Assets> => {
    const { bucket, region, endpoint } = location;
    const options = { bucket, region, timeoutMs: PATIENCE_MS };
    return prefixed(await openS3Assets(endpoint === '' ? options : { ...options, endpoint }));
  };

  assetsContract({
    name: 'S3',
    open,
    skip: onDisk ? { [BOTH]: 'versitygw keeps them on a disk, where a name is a file or a folder' } : {},
  });

  it('stores large content, in whatever pieces it arrives', async () => {
    const assets = await open();
    const large = randomBytes(LARGE);
    const etags = new Set<string | undefined>();
    for (const size of [65_536, 1_000_000, large.length]) {
      await assets.put({ key: 'TRACK/large', contentType: 'image/png', ...chunked(large, size) });
      const asset = await assets.get('TRACK/large');
      expect(asset).to.include({ size: large.length, contentType: 'image/png' });
      const read = asset === null ? null : await buffer(asset.content);
      expect(read?.equals(large)).to.be.true;
      etags.add(asset?.etag);
    }
    expect(etags).to.have.length(1);
  });

  it('shows and keeps nothing of large content that fails before its end', async () => {
    const assets = await open();
    const failing = new Error('the upload broke off');
    const large = chunked(randomBytes(LARGE), 65_536);
    // The content is read for its hash first, and then sent. A server that takes the bytes before the failure for all
    // of them finds that their hash is another one.
    for (const failingRead of [1, 2]) {
      let reads = 0;
      const content = {
        async *[Symbol.asyncIterator]() {
          reads += 1;
          yield* large.content;
          if (reads === failingRead) throw failing;
          yield Uint8Array.of(0);
        },
      };
      const put = assets.put({ key: 'TRACK/broken', contentType: 'image/png', size: large.size + 1, content });
      expect(await failureOf(put), `read ${failingRead}`).to.equal(failing);
      expect(await assets.get('TRACK/broken')).to.equal(null);
      if (own !== null) expect(await own.unfinishedUploads()).to.deep.equal([]);
    }
  });

  it('stores type and cache headers, for servers that read the bucket directly', async () => {
    const assets = await open();
    for (const size of [3, LARGE]) {
      const key = `LOGO/headers-${size}.png`;
      await assets.put({ key, contentType: 'image/png', ...chunked(randomBytes(size), size) });
      const head = await client.send(new HeadObjectCommand({ Bucket: location.bucket, Key: PREFIX + key }));
      expect(head).to.include({
        ContentType: 'image/png',
        CacheControl: 'public, max-age=31536000, immutable',
        ContentLength: size,
      });
    }
  });
});

async function removeAll(client: S3Client, bucket: string): Promise<void> {
  for (;;) {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: PREFIX }));
    if (Contents.length === 0) return;
    const objects = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]));
    await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: objects } }));
  }
}
