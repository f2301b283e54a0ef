import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { programsIn } from '../../src/service/api/downloads.ts';
import { useService } from '../support/api/with-service.ts';
import { useDirectories } from '../support/directories.ts';

const MADE = 'dist/downloads/bridge.mjs';

describe('programs for rigs', () => {
  const api = useService();
  const directory = useDirectories();

  before(() => {
    execFileSync(process.execPath, ['src/tools/build/build-bridge.js', 'mjs'], { stdio: 'ignore' });
  });

  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`${api.service.url}${path}`, { headers });

  it('are listed and downloaded without a key, whole and in parts', async () => {
    const made = readFileSync(MADE, 'utf8');
    const list = await get('/downloads');
    expect(list.status).to.equal(200);
    expect(await list.json()).to.deep.include({ name: 'bridge.mjs', bytes: Buffer.byteLength(made) });
    const whole = await get('/downloads/bridge.mjs');
    expect(whole.status).to.equal(200);
    expect(await whole.text()).to.equal(made);
    expect(whole.headers.get('content-type')).to.equal('text/javascript; charset=utf-8');
    expect(whole.headers.get('content-disposition')).to.equal('attachment; filename="bridge.mjs"');
    const part = await get('/downloads/bridge.mjs', { Range: 'bytes=100-199' });
    expect(part.status).to.equal(206);
    expect(await part.text()).to.equal(made.slice(100, 200));
    const known = await get('/downloads/bridge.mjs', { 'If-None-Match': whole.headers.get('etag') ?? '' });
    expect(known.status).to.equal(304);
  });

  it('are no other files', async () => {
    for (const name of ['.build.json', '..%2F.build.json', 'bridge.mjs.part', 'bridge.mjs%00']) {
      const answer = await api.anyone.get(`/downloads/${name}`);
      expect(answer.status, name).to.be.oneOf([400, 404]);
    }
  });

  it('are found when they are made while the service runs, and missing where there are none', async () => {
    const folder = join(directory(), 'downloads');
    const found = async () => {
      const programs = await programsIn(pathToFileURL(`${folder}/`));
      return programs.map(({ name, bytes }) => [name, bytes]);
    };
    expect(await found()).to.deep.equal([]);
    mkdirSync(folder);
    writeFileSync(join(folder, 'timing-bridge.exe'), 'MZ');
    expect(await found()).to.deep.equal([['timing-bridge.exe', 2]]);
  });
});
