import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { LANGUAGES } from '../../src/clients/web/shared/language.ts';
import { useService } from '../support/api/with-service.ts';
import { picturesInIco, sizeOfPng } from '../support/web/ico.ts';

const ASSETS = 'dist/web/assets';
const ID = '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e11';
const PAGES = [
  '/',
  `/events/${ID}`,
  `/events/${ID}/results`,
  `/layouts/${ID}`,
  `/overlay/${ID}`,
  '/admin',
  '/admin/overlay',
  '/admin/cars',
  '/admin/cars/new',
];

/** Most bytes of each page's script, compressed. */
const BUDGETS = {
  missing: 10_000,
  home: 15_000,
  board: 45_000,
  layout: 45_000,
  results: 20_000,
  overlay: 45_000,
  admin: 220_000,
  'import-worker': 60_000,
};

describe('Pages: as they are served', () => {
  const api = useService();

  for (const path of PAGES) {
    it(`${path} is a page that loads only files of this service, which are there and kept for ever`, async () => {
      const page = await api.anyone.get(path);
      expect(page.status).to.equal(200);
      expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(page.headers.get('cache-control')).to.equal('no-cache');
      const policy = page.header('content-security-policy');
      expect(policy).to.include("script-src 'self';").and.to.include("style-src 'self';");
      expect(policy).to.not.match(/unsafe|https?:|\*/);
      // Only the administration has a frame, with an overlay, on which there is nothing to click.
      expect(policy.includes("frame-src 'self'")).to.equal(path.startsWith('/admin'));
      expect(policy).to.include(`frame-ancestors ${path.startsWith('/overlay/') ? "'self'" : "'none'"}`);
      const unchanged = await api.anyone.get(path, { 'If-None-Match': page.header('etag') });
      expect(unchanged.status).to.equal(304);
      const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
      expect(loaded).to.have.length(5).and.to.include('/manifest.webmanifest');
      for (const address of loaded.filter((one) => one.startsWith('/assets/'))) {
        const asset = await api.anyone.get(address);
        expect(asset.status, address).to.equal(200);
        expect(asset.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
      }
      expect(page.text, 'nothing inline').to.not.match(/<script(?![^>]*src=)|<style|style=|\son\w+=/);
    });
  }

  it('answers like the API for files that it does not have', async () => {
    for (const name of ['none.js', '..%2f..%2fpackage.json', 'board', '%00']) {
      const answer = await api.anyone.get(`/assets/${name}`);
      expect(answer.status, name).to.be.oneOf([400, 404]);
      expect(answer.headers.get('content-type')).to.equal('application/problem+json');
    }
    expect((await api.anyone.post('/admin', {})).status).to.equal(405);
  });

  it('say on a page of their own that there is none, to browsers', async () => {
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    // The client of the tests knows problem documents only.
    const get = (path: string, accept: string): Promise<Response> =>
      fetch(api.service.url + path, { headers: { Accept: accept } });
    const paths = [
      ...['/nothing', '/admin/nothing', '/admin/cars/1/2', '/admin/simulators/1/nothing', '/admin/reviews', '/board'],
      ...[`/board/${ID}`, '/overlay', '/overlay/', `/overlay/${ID}/x`, `/events/${ID}/x`, '/events', '/events/%zz'],
      ...['/index.html', '/swagger-ui/nothing', '/%00', '/admin/%', '/admin/cars/%zz', '/apis'],
    ];
    for (const path of paths) {
      const page = await get(path, browser);
      expect(page.status, path).to.equal(404);
      expect(page.headers.get('content-type'), path).to.equal('text/html; charset=utf-8');
      expect(page.headers.get('cache-control'), path).to.equal('no-store');
      expect(page.headers.get('content-security-policy')).to.include("script-src 'self';");
      expect(await page.text()).to.include('class="missing"');
      for (const accept of [
        'application/json',
        '*/*',
        'application/json, text/html;q=0.5',
        'text/html;q=0',
        'image/*',
      ]) {
        const answer = await get(path, accept);
        expect(answer.status, path).to.be.oneOf([400, 404]);
        expect(answer.headers.get('content-type'), `${path} for ${accept}`).to.equal('application/problem+json');
      }
    }
    // What programs ask for is the same for all.
    for (const path of ['/api/v1/nothing', `/api/v1/cars/${ID}`, '/api', '/actuator/nothing']) {
      const answer = await get(path, browser);
      expect(answer.status, path).to.equal(404);
      expect(answer.headers.get('content-type'), path).to.equal('application/problem+json');
    }
    for (const path of [
      '/admin/simulators/1/cars',
      '/admin/simulators/1/cars/2',
      '/admin/laps/new',
      '/admin/api-keys/current',
    ])
      expect((await get(path, browser)).status, path).to.equal(200);
  });

  it('can be installed: their manifest names the application, its start and its icon', async () => {
    // The client of the tests knows JSON and problem documents only.
    const answer = await fetch(`${api.service.url}/manifest.webmanifest`);
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.equal('application/manifest+json');
    expect(answer.headers.get('cache-control')).to.equal('no-cache');
    const manifest: unknown = await answer.json();
    expect(manifest).to.include({ name: 'Sim Racing Timing', start_url: '/', scope: '/', display: 'standalone' });
    const { icons } = manifest as {
      readonly icons: readonly Readonly<Record<'src' | 'type' | 'sizes' | 'purpose', string>>[];
    };
    const purposes = icons.map(({ type, sizes, purpose }) => `${type} ${sizes} ${purpose}`);
    expect(purposes).to.deep.equal([
      'image/svg+xml any any',
      'image/png 192x192 any',
      'image/png 512x512 any',
      'image/png 512x512 maskable',
    ]);
    for (const { src, type, sizes } of icons) {
      const icon = await fetch(api.service.url + src);
      expect(icon.status, src).to.equal(200);
      expect(icon.headers.get('content-type')).to.equal(type);
      if (type !== 'image/png') continue;
      const { width, height } = sizeOfPng(Buffer.from(await icon.arrayBuffer()));
      expect(`${width}x${height}`).to.equal(sizes);
    }
  });

  it('have an icon where browsers look for it', async () => {
    const icon = await api.anyone.get('/favicon.ico');
    expect(icon.status).to.equal(200);
    expect(icon.header('content-type')).to.equal('image/vnd.microsoft.icon');
    expect(icon.header('cache-control')).to.equal('no-cache');
    const unchanged = await api.anyone.get('/favicon.ico', { 'If-None-Match': icon.header('etag') });
    expect(unchanged.status).to.equal(304);
    const bytes = Buffer.from(await (await fetch(`${api.service.url}/favicon.ico`)).arrayBuffer());
    expect(picturesInIco(bytes).map((picture) => sizeOfPng(picture).width)).to.deep.equal([16, 32, 48]);
  });

  it('is compressed on request', async () => {
    const [script = ''] = readdirSync(ASSETS).filter((name) => name.startsWith('home-') && name.endsWith('.js'));
    const answer = await api.anyone.get(`/assets/${script}`, { 'Accept-Encoding': 'br' });
    expect(answer.headers.get('content-encoding')).to.equal('br');
    expect(answer.headers.get('content-type')).to.equal('text/javascript; charset=utf-8');
  });
});

describe('Pages: uploaded files on another host', () => {
  const api = useService({ CDN_BASE_URL: 'https://files.example/venue' });

  it('may be shown as images, and are a source of nothing else', async () => {
    const policy = (await api.anyone.get('/')).header('content-security-policy');
    expect(policy.match(/https:\/\/files\.example/g)).to.have.length(1);
    expect(policy).to.include("img-src 'self' blob: https://files.example;");
  });
});

describe('Pages: as they are built', () => {
  for (const [page, most] of Object.entries(BUDGETS)) {
    it(`the script of ${page} takes ${most / 1_000} kB at most, compressed`, () => {
      const scripts = readdirSync(ASSETS).filter((name) => name.startsWith(`${page}-`) && name.endsWith('.js'));
      expect(scripts).to.have.length(1);
      const size = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(ASSETS, name))).length, 0);
      expect(size).to.be.below(most);
    });
  }
});

describe('Pages: their texts', () => {
  const catalogue = readdirSync('src/clients/web/texts').filter((name) => name.endsWith('.json'));
  const sources = readdirSync('src/clients/web', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join('src/clients/web', name), 'utf8'));

  for (const name of catalogue) {
    it(`${name} has each text in every language, with the same values, and no unused one`, () => {
      const texts: unknown = JSON.parse(readFileSync(join('src/clients/web/texts', name), 'utf8'));
      for (const [key, text] of Object.entries(texts as Readonly<Record<string, Readonly<Record<string, string>>>>)) {
        expect(Object.keys(text), key).to.have.members([...LANGUAGES]);
        const values = LANGUAGES.map((language) => [...(text[language] ?? '').matchAll(/\{\w+\}/g)].map(String).sort());
        for (const of of values) expect(of, key).to.deep.equal(values[0]);
        for (const language of LANGUAGES) expect(text[language]?.trim(), key).to.not.equal('');
        const uses = sources.filter((source) => new RegExp(`\\b${key}\\b`).test(source));
        expect(uses.length, `${key} is used`).to.be.above(0);
      }
    });
  }
});
