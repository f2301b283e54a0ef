import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openFilesystemAssets } from '../../infra/filesystem/assets.ts';
import { cdnEndpoints } from '../../src/service/api/cdn.ts';
import { toyFiles } from '../support/assets/toy-files.ts';
import { lintOpenApi } from '../support/api/lint.ts';
import { operationsOf, type OpenApi } from '../support/api/openapi.ts';
import { keyed, problem, startToys, type Toys } from '../support/api/http.ts';

const BASE = 'https://cdn.example/files';

describe('files that are served from elsewhere', () => {
  const home = mkdtempSync(join(tmpdir(), 'timing-redirect-'));
  let toys: Toys;
  before(async () => {
    toys = await startToys(cdnEndpoints(toyFiles(await openFilesystemAssets(home)), BASE));
  });
  after(async () => {
    await toys.close();
    rmSync(home, { recursive: true });
  });

  const get = (path: string, method = 'GET'): Promise<Response> => toys.send(path, { method, redirect: 'manual' });

  it('are redirected to, GET and HEAD, with names encoded part by part', async () => {
    const names = {
      'a.png': 'a.png',
      'gt3/acc.png': 'gt3/acc.png',
      '%252e%252e': '%252e%252e',
      'a%20b%3F%23%26.png': 'a%20b%3F%23%26.png',
      '%C3%BC.png': '%C3%BC.png',
      'x%2Fy': 'x/y',
    };
    for (const method of ['GET', 'HEAD']) {
      for (const [asked, expected] of Object.entries(names)) {
        const answer = await get(`/cdn/LOGO/${asked}`, method);
        expect([answer.status, answer.headers.get('location')]).to.deep.equal([302, `${BASE}/LOGO/${expected}`]);
        expect(answer.headers.get('cache-control')).to.equal('public, no-cache');
        expect(await answer.text()).to.equal('');
      }
    }
  });

  it('are not redirected where no file can exist', async () => {
    for (const path of ['NOPE/a.png', 'LOGO/', 'LOGO//a', 'LOGO/x%2f..%2fa', 'LOGO/%5Cx']) {
      await problem(await get(`/cdn/${path}`), 404);
    }
  });

  it('are uploaded as ever, with the type that their name tells when they come without one', async () => {
    const body = new FormData();
    body.set('cdnRequest', JSON.stringify({ type: 'LOGO', targetName: 'a.svg' }));
    body.set('cdnFile', new Blob(['<svg/>'], { type: 'application/octet-stream' }), 'a.svg');
    expect((await toys.send('/api/v1/cdn', { method: 'POST', body, ...keyed('CRUD') })).status).to.equal(201);
    const asset = await (await openFilesystemAssets(home)).get('LOGO/a.svg');
    expect(asset?.contentType).to.equal('image/svg+xml');
    await asset?.content[Symbol.asyncIterator]().return?.();
  });

  it('are documented so', async () => {
    // Produced by the generator of OpenAPI documents.
    const document = toys.http.document as OpenApi;
    expect(await lintOpenApi(document)).to.deep.equal([]);
    const { operation } = operationsOf(document).find((found) => found.operation.operationId === 'getCdnFile') ?? {};
    expect(Object.keys(operation?.responses ?? {})).to.deep.equal([
      '200',
      '206',
      '302',
      '304',
      '400',
      '404',
      '416',
      '429',
      '500',
      '503',
    ]);
    expect(Object.keys(operation?.responses['302']?.headers ?? {})).to.include('Location');
  });
});
