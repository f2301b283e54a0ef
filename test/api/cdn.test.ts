import { expect } from 'chai';
import { expectProblem, expectStatus, type Answer } from '../support/api/client.ts';
import { uploadForm } from '../support/api/uploads.ts';
import { useService } from '../support/api/with-service.ts';

const CDN = '/api/v1/cdn';
const TYPES = ['BRAND', 'CLASS', 'COUNTRY', 'LOGO', 'TRACK'] as const;

// test/contracts/assets.ts has files that are replaced, and their ETags, test/http/upload.test.ts names, sizes and faults
// of uploads, `hostile-requests.test.ts` paths that would escape.
describe('API: CDN', () => {
  const api = useService({ UPLOAD_LIMIT_BYTES: '100000' });

  async function stores(key: string, file: Uint8Array<ArrayBuffer> | string, fileType?: string): Promise<Answer> {
    return expectStatus(await api.admin.send('POST', CDN, { body: uploadForm(key, file, fileType) }), 201);
  }

  it('sends the requested range of a file, or the whole file without a range or after a change', async () => {
    const file = '0123456789';
    await stores('LOGO/parts.png', file);
    const get = (headers: Record<string, string>) => api.anyone.get('/cdn/LOGO/parts.png', headers);
    const whole = expectStatus(await get({}), 200);
    expect(whole.header('accept-ranges')).to.equal('bytes');
    const etag = whole.header('etag');
    const parts = { 'bytes=0-0': '0', 'bytes=2-4': '234', 'bytes=7-': '789', 'bytes=-3': '789', 'bytes=8-99': '89' };
    for (const [range, text] of Object.entries(parts)) {
      const part = expectStatus(await get({ Range: range, 'If-Range': etag }), 206);
      expect(part.text, range).to.equal(text);
      expect(part.header('content-length')).to.equal(String(text.length));
      expect(part.header('content-range')).to.match(/^bytes \d-\d\/10$/);
      expect(part.header('etag')).to.equal(etag);
    }
    for (const headers of [
      { Range: 'bytes=2-4', 'If-Range': '"another"' },
      { Range: 'pages=1-2' },
      { Range: 'bytes=0-1,4-5' },
      { Range: 'nonsense' },
    ]) {
      expect(expectStatus(await get(headers), 200).text, JSON.stringify(headers)).to.equal(file);
    }
    const beyond = expectProblem(await get({ Range: 'bytes=10-' }), 416);
    expect(beyond).to.include({ detail: 'There are 10 bytes.' });
    expectStatus(await get({ Range: 'bytes=2-4', 'If-None-Match': etag }), 304);
  });

  it('serves nothing executable: the name decides on the type, whatever the upload declared', async () => {
    const names = {
      'a.svg': ['image/svg+xml', 'image/svg+xml'],
      'page.html': ['image/png', 'application/octet-stream'],
      'run.js': ['image/svg+xml', 'application/octet-stream'],
      'logo.png': ['text/html', 'image/png'],
      'x.SVG': ['text/plain', 'image/svg+xml'],
    } as const;
    for (const [at, [name, [declared, type]]] of Object.entries(names).entries()) {
      const key = `${TYPES[at % TYPES.length]}/${name}`;
      await stores(key, '<script>', declared);
      const got = await api.anyone.get(`/cdn/${key}`);
      expect([got.header('content-type'), got.header('cache-control')], name).to.deep.equal([type, 'public, no-cache']);
      expect(got.header('content-security-policy')).to.include("default-src 'none'").and.to.include('sandbox');
      const isPicture = type.startsWith('image/');
      expect(got.headers.get('content-disposition'), name).to.equal(isPicture ? null : 'attachment');
      expect((await api.anyone.send('HEAD', `/cdn/${key}`)).text).to.equal('');
    }
  });
});
