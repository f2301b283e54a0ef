import { createHook } from 'node:async_hooks';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { depth } from '../support/depth.ts';
import { expectStatus } from '../support/api/client.ts';
import { upload } from '../support/api/uploads.ts';
import { useService } from '../support/api/with-service.ts';

const LIMIT = 1_000_000;

/** Size of a bomb in bytes, if anything unpacked it. */
const UNPACKED = depth({ short: 20_000_000, deep: 900_000_000 });

/** Counts the packers and unpackers that are created while something runs. */
async function codersDuring(run: () => Promise<void>): Promise<number> {
  let coders = 0;
  const hook = createHook({
    init(_, type) {
      if (type === 'ZLIB') coders += 1;
    },
  }).enable();
  await run().finally(() => hook.disable());
  return coders;
}

describe('API: bombs', () => {
  const api = useService({ UPLOAD_LIMIT_BYTES: String(LIMIT) });

  it('are stored and sent unchanged', async () => {
    // Zeros, which are compressed to a thousandth of their size.
    const pack = () => new Uint8Array(gzipSync(Buffer.alloc(UNPACKED)));
    expect(await codersDuring(() => Promise.resolve(void pack())), 'it is counted').to.equal(1);
    const bytes = pack();
    expect(bytes.length).to.be.below(LIMIT);
    const coders = await codersDuring(async () => {
      expectStatus(await upload(api.admin, 'LOGO/bomb.gz', bytes), 201);
      const got = await api.anyone.get('/cdn/LOGO/bomb.gz', { 'Accept-Encoding': 'gzip, br' });
      expect(Buffer.compare(got.bytes, bytes)).to.equal(0);
      expect(got.header('content-length')).to.equal(String(bytes.length));
      expect(got.headers.get('content-encoding')).to.equal(null);
    });
    expect(coders, 'nothing unpacks it').to.equal(0);
  });

  it('are refused as compressed forms, in whole or in part', async () => {
    const part = (name: string, headers: string, content: string): string =>
      `--B\r\nContent-Disposition: form-data; name="${name}"; filename="x"\r\n${headers}\r\n\r\n${content}\r\n`;
    const request = part('cdnRequest', 'Content-Type: application/json', '{"type":"LOGO","targetName":"a.png"}');
    const whole = `${request}${part('cdnFile', 'Content-Type: image/png', 'png')}--B--\r\n`;
    const headers = { 'Content-Type': 'multipart/form-data; boundary=B' };
    const send = (body: Buffer, more: object = {}) =>
      api.admin.send('POST', '/api/v1/cdn', { headers: { ...headers, ...more }, body: new Uint8Array(body) });
    expect((await send(Buffer.from(whole))).status).to.equal(201);
    expect((await send(gzipSync(whole), { 'Content-Encoding': 'gzip' })).status).to.equal(400);
    const packedPart = part('cdnFile', 'Content-Type: image/png\r\nContent-Transfer-Encoding: base64', 'cG5n');
    expect((await send(Buffer.from(`${request}${packedPart}--B--\r\n`))).status).to.equal(201);
    expect((await api.anyone.get('/cdn/LOGO/a.png')).text, 'as it was sent').to.equal('cG5n');
  });
});
