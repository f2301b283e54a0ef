import { createHook } from 'node:async_hooks';
import { brotliCompressSync, crc32, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { depth } from '../support/depth.ts';
import { expectStatus } from '../support/api/client.ts';
import { upload } from '../support/api/uploads.ts';
import { useService } from '../support/api/with-service.ts';

const LIMIT = 1_000_000;

/** Size of a bomb in bytes, if anything unpacked it. */
const UNPACKED = depth({ short: 20_000_000, deep: 900_000_000 });

/** What all bombs are made of: zeros, which are compressed to a thousandth of their size. */
const ZEROS = Buffer.alloc(UNPACKED);

function numbered(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([numbered(data.length), body, numbered(crc32(body))]);
}

/** A picture of 60,000 by 60,000 pixels in a few kilobytes. */
function png(): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(60_000, 0);
  head.writeUInt32BE(60_000, 4);
  head.set([1, 0, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(ZEROS)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** An archive of one file. */
function zip(): Buffer {
  const packed = deflateRawSync(ZEROS);
  const head = Buffer.alloc(30 + 1);
  head.writeUInt32LE(0x04034b50);
  head.writeUInt16LE(8, 8);
  head.writeUInt32LE(packed.length, 18);
  head.writeUInt32LE(UNPACKED, 22);
  head.writeUInt16LE(1, 26);
  head.write('a', 30);
  return Buffer.concat([head, packed]);
}

/** XML entities, each of which expands to ten of the previous one. */
function xml(): Buffer {
  const entities = Array.from({ length: 9 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`);
  return Buffer.from(
    `<!DOCTYPE svg [<!ENTITY e0 "lol">${entities.join('')}]><svg xmlns="http://www.w3.org/2000/svg"><text>&e9;</text></svg>`,
  );
}

const BOMBS: Readonly<Record<string, () => Buffer>> = {
  'bomb.zip': zip,
  'bomb.png': png,
  'bomb.svg': xml,
  'bomb.svgz': () => gzipSync(ZEROS),
  'bomb.gz': () => gzipSync(ZEROS),
};

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

  for (const [targetName, make] of Object.entries(BOMBS)) {
    it(`${targetName} is stored and sent unchanged`, async () => {
      const bytes = new Uint8Array(make());
      expect(bytes.length).to.be.below(LIMIT);
      const coders = await codersDuring(async () => {
        expectStatus(await upload(api.admin, `LOGO/${targetName}`, bytes), 201);
        const got = await api.anyone.get(`/cdn/LOGO/${targetName}`, { 'Accept-Encoding': 'gzip, br' });
        expect(Buffer.compare(got.bytes, bytes)).to.equal(0);
        expect(got.header('content-length')).to.equal(String(bytes.length));
        expect(got.headers.get('content-encoding')).to.equal(null);
      });
      expect(coders, 'nothing unpacks it').to.equal(0);
    });
  }

  it('compressed bodies are not unpacked', async () => {
    const body = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
    for (const [encoding, pack] of Object.entries(body)) {
      expect(await codersDuring(() => Promise.resolve(void pack('x'))), 'it is counted').to.equal(1);
      const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding };
      const bytes = new Uint8Array(pack(Buffer.from('{}')));
      expect((await api.admin.send('POST', '/api/v1/laps', { headers, body: bytes })).status, encoding).to.equal(415);
    }
  });

  it('a form that is compressed, in whole or in part, is not understood', async () => {
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
