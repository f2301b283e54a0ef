import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openFilesystemAssets } from '../../infra/filesystem/assets.ts';
import type { Assets } from '../../src/kernel/ports/assets.ts';
import { swept } from '../../src/service/http/temporary-files.ts';
import { cdnEndpoints } from '../../src/service/api/cdn.ts';
import { toyFiles } from '../support/assets/toy-files.ts';
import { keyed, problem, until, useToys } from '../support/api/http.ts';

const PATH = '/api/v1/cdn';
const LIMIT = 100_000;

function described(value: unknown): string {
  return JSON.stringify(value);
}

function file(bytes: number | string, type = 'image/png'): Blob {
  return new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], { type });
}

/** A form; a text is a plain field, a blob a file part. */
function form(...parts: readonly (readonly [string, string | Blob])[]): FormData {
  const data = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, value, 'blob');
  }
  return data;
}

const DESCRIPTORS = '/proc/self/fd';

/** Uploads that this process holds on disk; none where the system does not list open files. */
function openUploads(): number {
  if (process.platform !== 'linux') return 0;
  return readdirSync(DESCRIPTORS)
    .map(targetOf)
    .filter((target) => target.includes('timing-upload-')).length;
}

function targetOf(descriptor: string): string {
  try {
    return readlinkSync(join(DESCRIPTORS, descriptor));
  } catch {
    // The one that listed the directory is closed by now.
    return '';
  }
}

describe('upload', () => {
  const home = mkdtempSync(join(tmpdir(), 'timing-upload-'));
  let assets: Assets;
  let broken = false;
  before(async () => {
    assets = await openFilesystemAssets(join(home, 'assets'));
  });
  const files = toyFiles({
    get: (key) => assets.get(key),
    put: (asset) => (broken ? Promise.reject(new TypeError('the disk is broken')) : assets.put(asset)),
  });
  const limits = { bodyDepthLimit: 4, uploadLimitBytes: LIMIT };
  const toys = useToys(cdnEndpoints(files), { limits, uploadDirectory: join(home, 'uploads') });
  after(() => rmSync(home, { recursive: true }));
  afterEach(async () => {
    await until(() => openUploads() === 0);
    const uploads = readdirSync(home).includes('uploads') ? readdirSync(join(home, 'uploads')) : [];
    expect([...uploads, ...readdirSync(join(home, 'assets', 'incoming'))]).to.deep.equal([]);
  });

  const send = (body: RequestInit['body'], headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    toys.send(PATH, { method: 'POST', body: body ?? null, ...keyed('CRUD', headers) });

  async function succeeds(body: FormData): Promise<void> {
    const answer = await send(body);
    expect([answer.status, await answer.text()]).to.deep.equal([201, 'Success']);
    expect(answer.headers.get('content-type')).to.match(/^text\/plain/);
    expect(answer.headers.get('api-version')).to.equal('1.0');
  }

  async function fails(sent: Promise<Response>, what: string): Promise<void> {
    const answer = await sent;
    expect([answer.status, await answer.text()], what).to.deep.equal([400, 'Failed']);
    expect(answer.headers.get('content-type')).to.match(/^text\/plain/);
  }

  const good = described({ type: 'LOGO', targetName: 'good.png' });

  it('accepts the request as a field or as a typed part, before or after the file', async () => {
    const typed = new Blob([good], { type: 'application/json' });
    await succeeds(form(['cdnRequest', good], ['cdnFile', file('1')]));
    await succeeds(form(['cdnFile', file('2')], ['cdnRequest', good]));
    await succeeds(form(['cdnRequest', typed], ['cdnFile', file('3')]));
    await succeeds(form(['cdnFile', file('4')], ['cdnRequest', typed]));
    expect(await (await toys.send('/cdn/LOGO/good.png')).text()).to.equal('4');
  });

  it('accepts files up to the limit, empty ones too', async () => {
    for (const size of [0, 1, LIMIT - 1, LIMIT]) {
      await succeeds(form(['cdnRequest', good], ['cdnFile', file(size)]));
      expect((await (await toys.send('/cdn/LOGO/good.png')).arrayBuffer()).byteLength).to.equal(size);
    }
    for (const size of [LIMIT + 1, LIMIT + 200_000, 3_000_000]) {
      await fails(send(form(['cdnRequest', good], ['cdnFile', file(size)])), String(size));
    }
    expect((await (await toys.send('/cdn/LOGO/good.png')).arrayBuffer()).byteLength).to.equal(LIMIT);
  });

  it('accepts a request as deeply nested as any JSON body', async () => {
    const nested = (levels: number) => described({ type: 'LOGO', targetName: 'good.png', more: [[[levels]]] });
    await succeeds(form(['cdnRequest', nested(4)], ['cdnFile', file('1')]));
    const deeper = nested(5).replace('[[[', '[[[[').replace(']]]', ']]]]');
    await fails(send(form(['cdnRequest', deeper], ['cdnFile', file('1')])), 'too deep');
  });

  it('never lets a name leave the folder of its type', async () => {
    const bad = [
      ...['', ' ', '.', '..', '../x', 'a/../b', 'a/../../x', 'a/./b', './a', 'x'.repeat(241)],
      ...['/a', '/etc/passwd', 'a/', 'a//b', 'a/ /b', 'a\\b', '..\\x', 'C:x', 'c:/x', 'c:\\x'],
      ...['a\0b', 'a\nb', 'a\u0085b', '\u007f', '\ud800'],
    ];
    for (const targetName of bad) {
      const request = described({ type: 'LOGO', targetName });
      await fails(send(form(['cdnRequest', request], ['cdnFile', file(1)])), targetName);
    }
    for (const targetName of ['%2e%2e%2fx', '...', '.a', 'a b', 'ü😀', 'x'.repeat(240), 'gt3/acc.png', '__proto__']) {
      await succeeds(form(['cdnRequest', described({ type: 'TRACK', targetName })], ['cdnFile', file(targetName)]));
      const found = await toys.send(`/cdn/TRACK/${targetName.split('/').map(encodeURIComponent).join('/')}`);
      expect(await found.text()).to.equal(targetName);
    }
  });

  it('answers Failed for missing, extra, doubled and wrong parts', async () => {
    const part = new Blob([good], { type: 'application/json' });
    const parts: Record<string, FormData> = {
      nothing: form(),
      'no file': form(['cdnRequest', good]),
      'no request': form(['cdnFile', file(1)]),
      'file as a field': form(['cdnRequest', good], ['cdnFile', 'x']),
      'an extra field': form(['cdnRequest', good], ['cdnFile', file(1)], ['more', 'x']),
      'an extra file': form(['cdnRequest', good], ['cdnFile', file(1)], ['more', file(1)]),
      'two files': form(['cdnRequest', good], ['cdnFile', file(1)], ['cdnFile', file(1)]),
      'two requests': form(['cdnRequest', good], ['cdnRequest', good], ['cdnFile', file(1)]),
      'both kinds of request': form(['cdnRequest', good], ['cdnRequest', part], ['cdnFile', file(1)]),
      'request of another type': form(['cdnRequest', file(good)], ['cdnFile', file(1)]),
      'malformed request': form(['cdnRequest', '{'], ['cdnFile', file(1)]),
      'unknown type': form(['cdnRequest', described({ type: 'FLAG', targetName: 'a' })], ['cdnFile', file(1)]),
      'no name': form(['cdnRequest', described({ type: 'LOGO' })], ['cdnFile', file(1)]),
      'no type': form(['cdnRequest', described({ targetName: 'x' })], ['cdnFile', file(1)]),
      'large request': form(['cdnRequest', ' '.repeat(70_000) + good], ['cdnFile', file(1)]),
      'large typed request': form(
        ['cdnRequest', new Blob([' '.repeat(70_000), good], { type: 'application/json' })],
        ['cdnFile', file(1)],
      ),
      'deep request': form(['cdnRequest', '['.repeat(5000)], ['cdnFile', file(1)]),
    };
    for (const [what, body] of Object.entries(parts)) await fails(send(body), what);
    const target = { type: 'LOGO', targetName: 'never.png' };
    const others = [{ type: 'logo' }, { type: ['LOGO'] }, { targetName: 1 }, { targetName: null }];
    const requests = others.map((other) => described({ ...target, ...other }));
    const unsafe = '{"type": "LOGO", "targetName": "never.png", "__proto__": {"polluted": 1}}';
    for (const request of ['', '[]', 'null', '1', '{}', ...requests, unsafe]) {
      await fails(send(form(['cdnRequest', request], ['cdnFile', file(1)])), request);
    }
    await problem(await toys.send('/cdn/LOGO/never.png'), 404);
  });

  it('is not harmed by hostile field names', async () => {
    const names = [
      ...['__proto__', 'constructor', 'a[b][c]', 'a[__proto__][polluted]', 'a[9999999]'],
      ...['cdnRequest[x]', 'cdnRequest[]', 'cdnFile[0]', 'x'.repeat(200), 'x'.repeat(10_000)],
    ];
    for (const name of names) {
      await fails(send(form([name, '1'], ['cdnFile', file(1)])), name);
      await fails(send(form(['cdnRequest', good], [name, file(1)])), name);
    }
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
    expect(Reflect.get({}, 'polluted')).to.equal(undefined);
  });

  it('answers Failed for bodies that are not forms', async () => {
    const multipart = { 'Content-Type': 'multipart/form-data; boundary=b' };
    await fails(send('{}', { 'Content-Type': 'application/json' }), 'JSON');
    const types = [
      'text/plain',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/mixed; boundary=b',
    ];
    for (const type of types) await fails(send('x', { 'Content-Type': type }), type);
    const cut = '--b\r\nContent-Disposition: form-data; name="cdnFile"; filename="a"\r\n\r\nabc';
    const nameless = '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n';
    for (const text of ['', 'x', '--b', '--b\r\n\r\n', nameless, cut]) {
      await fails(send(text, multipart), text);
    }
    await fails(toys.send(PATH, { method: 'POST', ...keyed('CRUD') }), 'no body');
  });

  it('answers Failed, and logs why, when the file cannot be stored', async () => {
    broken = true;
    await fails(send(form(['cdnRequest', good], ['cdnFile', file(1)])), 'broken');
    broken = false;
    expect(toys.lines.find(({ level }) => level === 'error')?.err).to.be.instanceOf(TypeError);
  });

  it('answers 401 and 403 as problems, before it reads the body', async () => {
    const body = form(['cdnRequest', good], ['cdnFile', file(LIMIT)]);
    await problem(await toys.send(PATH, { method: 'POST', body }), 401);
    await problem(await toys.send(PATH, { method: 'POST', body, ...keyed('CR') }), 403);
  });

  const multipart = 'Content-Type: multipart/form-data; boundary=b';
  const head = `POST ${PATH} HTTP/1.1\r\nHost: a\r\nX-API-Key: CRUD\r\n${multipart}\r\n`;
  const part = `--b\r\nContent-Disposition: form-data; name="cdnFile"; filename="f"\r\n\r\n${'x'.repeat(50_000)}`;

  it('keeps nothing of an upload that breaks off', async () => {
    const before = toys.lines.length;
    for (let i = 0; i < 3; i += 1) {
      const wire = toys.wire(`${head}Content-Length: 90000\r\nExpect: 100-continue\r\n\r\n${part}`);
      await wire.sees(/100 Continue/);
      wire.socket.destroy();
    }
    await until(() => toys.lines.length >= before + 3);
    await succeeds(form(['cdnRequest', good], ['cdnFile', file(1)]));
    expect(toys.lines.slice(before).filter(({ level }) => level === 'error')).to.deep.equal([]);
  });

  it('gives up on a body without end', async () => {
    const wire = toys.wire(`${head}Transfer-Encoding: chunked\r\n\r\n`);
    const chunk = `c350\r\n${'x'.repeat(50_000)}\r\n`;
    wire.write(`${part.length.toString(16)}\r\n${part}\r\n`);
    for (let i = 0; i < 4; i += 1) wire.write(chunk);
    expect(await wire.sees(/Failed$/)).to.match(/^HTTP\/1.1 400/);
  });
});

describe('the directory of uploads', () => {
  it('is emptied at a start, because a killed process may have left a file there', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'timing-swept-'));
    writeFileSync(join(directory, 'left'), 'half');
    expect(await swept(directory)).to.equal(directory);
    expect(readdirSync(directory)).to.deep.equal([]);
    rmSync(directory, { recursive: true });
  });
});
