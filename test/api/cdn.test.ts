import { expect } from 'chai';
import { expectProblem, expectStatus, type Answer } from '../support/api/client.ts';
import { Wire } from '../support/api/http.ts';
import { useService } from '../support/api/with-service.ts';

const CDN = '/api/v1/cdn';
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2, 255]);

interface Parts {
  readonly request?: unknown;
  readonly file?: Uint8Array<ArrayBuffer> | string;
  readonly fileType?: string;
  readonly fileName?: string;
}

/** A multipart body as browsers make it: the JSON part as a typed Blob. */
function form({ request, file = PNG, fileType = 'image/png', fileName = 'a.png' }: Parts): FormData {
  const data = new FormData();
  data.set('cdnRequest', new Blob([JSON.stringify(request)], { type: 'application/json' }));
  data.set('cdnFile', new Blob([file], { type: fileType }), fileName);
  return data;
}

describe('API: CDN', () => {
  const api = useService({ UPLOAD_LIMIT_BYTES: '100000' });

  const upload = (body: FormData): Promise<Answer> => api.admin.send('POST', CDN, { body });

  async function expectFailed(body: FormData): Promise<void> {
    const answer = expectStatus(await upload(body), 400);
    expect(answer.text).to.equal('Failed');
    expect(answer.header('content-type')).to.match(/^text\/plain/);
  }

  it('stores a file at {type}/{targetName}, replaces it, and serves it unchanged', async () => {
    const done = expectStatus(await upload(form({ request: { type: 'LOGO', targetName: 'gt3/acc.png' } })), 201);
    expect(done.text).to.equal('Success');
    expect(done.header('content-type')).to.match(/^text\/plain/);
    const got = expectStatus(await api.anyone.get('/cdn/LOGO/gt3/acc.png'), 200);
    expect([...got.bytes]).to.deep.equal([...PNG]);
    expect(got.header('content-type')).to.equal('image/png');
    expect(got.header('x-content-type-options')).to.equal('nosniff');
    expectStatus(await api.anyone.get('/cdn/LOGO/gt3/acc.png', { 'If-None-Match': got.header('etag') }), 304);
    expectStatus(
      await upload(form({ request: { type: 'LOGO', targetName: 'gt3/acc.png' }, file: 'new', fileType: 'image/webp' })),
      201,
    );
    const replaced = await api.anyone.get('/cdn/LOGO/gt3/acc.png', { 'If-None-Match': got.header('etag') });
    expect(expectStatus(replaced, 200).text).to.equal('new');
    expect(replaced.header('content-type'), 'by its name').to.equal('image/png');
  });

  it('sends the requested range of a file, or the whole without a range or after a change', async () => {
    const file = '0123456789';
    expectStatus(await upload(form({ request: { type: 'LOGO', targetName: 'parts.png' }, file })), 201);
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

  for (const type of ['BRAND', 'CLASS', 'COUNTRY', 'LOGO', 'TRACK']) {
    it(`accepts the type ${type}`, async () => {
      expectStatus(await upload(form({ request: { type, targetName: 'x.png' }, file: type })), 201);
      expect((await api.anyone.get(`/cdn/${type}/x.png`)).text).to.equal(type);
    });
  }

  it('accepts the JSON part as a plain field, the parts in either order, and any file type', async () => {
    const plain = new FormData();
    plain.set('cdnFile', new Blob(['data']), 'x');
    plain.set('cdnRequest', JSON.stringify({ type: 'TRACK', targetName: 'plain' }));
    expectStatus(await upload(plain), 201);
    const got = await api.anyone.get('/cdn/TRACK/plain');
    expect(got.text).to.equal('data');
    expect(got.header('content-type')).to.equal('application/octet-stream');
    expect(got.header('content-disposition')).to.equal('attachment');
    expectStatus(await upload(form({ request: { type: 'TRACK', targetName: 'empty.png' }, file: '' })), 201);
    expect((await api.anyone.get('/cdn/TRACK/empty.png')).text).to.equal('');
  });

  it('serves nothing executable: SVG without scripts, HTML as a download', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    expectStatus(
      await upload(form({ request: { type: 'LOGO', targetName: 'a.svg' }, file: svg, fileType: 'image/svg+xml' })),
      201,
    );
    const got = await api.anyone.get('/cdn/LOGO/a.svg');
    expect(got.header('content-security-policy')).to.include("default-src 'none'").and.to.include('sandbox');
    expect(got.header('cache-control')).to.equal('public, no-cache');
    expect((await api.anyone.send('HEAD', '/cdn/LOGO/a.svg')).text).to.equal('');
    expectStatus(
      await upload(form({ request: { type: 'LOGO', targetName: 'a.html' }, file: '<script>', fileType: 'text/html' })),
      201,
    );
    const html = await api.anyone.get('/cdn/LOGO/a.html');
    expect(html.header('content-type')).to.equal('application/octet-stream');
    expect(html.header('content-disposition')).to.equal('attachment');
  });

  it('goes by the file name alone, whatever the declared type', async () => {
    const names = {
      'page.html': 'image/png',
      'logo.png': 'text/html',
      'run.js': 'image/svg+xml',
      'x.SVG': 'text/plain',
    };
    for (const [targetName, fileType] of Object.entries(names)) {
      expectStatus(await upload(form({ request: { type: 'BRAND', targetName }, file: 'x', fileType })), 201);
    }
    const typeOf = async (name: string) => (await api.anyone.get(`/cdn/BRAND/${name}`)).header('content-type');
    expect(await typeOf('page.html')).to.equal('application/octet-stream');
    expect(await typeOf('run.js')).to.equal('application/octet-stream');
    expect(await typeOf('logo.png')).to.equal('image/png');
    expect(await typeOf('x.SVG')).to.equal('image/svg+xml');
  });

  it('refuses names that could escape their folder, and accepts odd ones that cannot', async () => {
    await expectFailed(form({ request: { type: 'LOGO', targetName: '../x' } }));
    for (const path of [
      '/cdn/LOGO/..%2f..%2fevents',
      '/cdn/LOGO/%2e%2e%2fx',
      '/cdn/LOGO/a%5cb',
      '/cdn/LOGO/%00',
      '/cdn/OTHER/x',
      '/cdn/LOGO/nothing',
    ]) {
      expect((await api.anyone.get(path)).status, path).to.be.oneOf([400, 404]);
    }
    for (const dots of ['..', '%2e%2e', '.']) {
      // No HTTP client sends such a path as it is.
      const wire = new Wire(Number(new URL(api.service.url).port));
      wire.write(`GET /cdn/LOGO/${dots}/LOGO/gt3/acc.png HTTP/1.1\r\nHost: a\r\n\r\n`);
      expect(await wire.sees(/\}$/)).to.match(/^HTTP\/1.1 404/);
      wire.socket.destroy();
    }
    const odd = 'ä %2e%2e 🏁?#&.png';
    expectStatus(await upload(form({ request: { type: 'LOGO', targetName: odd }, file: 'odd' })), 201);
    expect((await api.anyone.get(`/cdn/LOGO/${encodeURIComponent(odd)}`)).text).to.equal('odd');
  });

  // test/http/upload.test.ts covers the other faults of uploads.
  it('accepts the largest file allowed, and no larger one', async () => {
    const most = new Uint8Array(100_000).fill(7);
    expectStatus(await upload(form({ request: { type: 'LOGO', targetName: 'most' }, file: most })), 201);
    expect((await api.anyone.get('/cdn/LOGO/most')).bytes).to.have.length(100_000);
    await expectFailed(form({ request: { type: 'LOGO', targetName: 'huge' }, file: new Uint8Array(3_000_000) }));
    expectProblem(await api.anyone.get('/cdn/LOGO/huge'), 404);
  });
});
