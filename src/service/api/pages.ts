import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { z } from 'zod';
import { endpoint, type Endpoint, type EndpointResponse, type Headers } from '../http/endpoint.ts';
import { API } from '../http/parameters.ts';
import { Problem } from '../http/problems.ts';
import { basePathOf } from '../http/base-path.ts';
import { contentEtag } from '../http/etags.ts';
import type { ReadModels } from '../../kernel/ports/read-store.ts';
import { downloadEndpoints } from './downloads.ts';
import { attributeText, sharedCard } from './shared-card.ts';

/** The page that is shared with people who were not there: its HTML says what it is about. */
const RESULTS = '/events/{eventId}/results';

/** The pages by their names in the build, and the paths that each is at. */
const PATHS = {
  home: ['/'],
  board: ['/events/{eventId}'],
  results: [RESULTS],
  layout: ['/layouts/{trackLayoutId}'],
  overlay: ['/overlay/{eventId}'],
  admin: [
    ...['/admin', '/admin/night', '/admin/check-in', '/admin/seats', '/admin/review', '/admin/setup'],
    ...['/admin/catalogue', '/admin/venue', '/admin/overlay', '/admin/imports', '/admin/uploads', '/admin/operations'],
  ],
} as const;

/** Name, in the build, of the page for addresses without a page. */
const MISSING = 'missing';

const TAG = { name: 'Pages', description: 'Pages for people.' };

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/vnd.microsoft.icon',
};

/** The pictures, by the beginnings of their names in the build. */
const PICTURES = {
  icon: 'icon-',
  small: 'icon-192-',
  large: 'icon-512-',
  maskable: 'maskable-512-',
  favicon: 'favicon-',
  card: 'card-',
} as const;

/** The worker of the administration, by the beginning of its name in the build; also the name of its trusted type. */
const WORKER = 'import-worker';

/** What the worker may do: send requests to this service, and start nothing. */
const WORKER_POLICY = {
  'Content-Security-Policy':
    "default-src 'none'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
} as const;

/** The names of assets tell their content (`board-1A2B3C4D.js`), so they are kept for a year without asking (RFC 8246). */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Browsers ask whether a page is still the same: it names the newest assets. */
const ASK = 'no-cache';

/** Where the pages are, and what they say of themselves. */
export interface PagesOptions {
  /** Where uploaded files are, as configured; null: here. */
  readonly cdnBaseUrl: string | null;
  /** The address at which people reach the service, as configured; null: that of the service. */
  readonly publicUrl: string | null;
  readonly models: ReadModels;
  /** Where the programs are that people get for rigs; the folder may be missing. */
  readonly programs: URL;
}

/** The pages for people. */
export interface Pages {
  readonly endpoints: readonly Endpoint[];
  /** The page that browsers get at an address without a page. */
  readonly notFound: EndpointResponse & { readonly kind: 'text' };
}

/**
 * The endpoints of the pages for people, and of what these load: browsers load nothing else for them except uploaded
 * images.
 * @param api the endpoints of the interface: each list whose records can be read has pages in the administration
 * @throws {Error} when they are not built
 */
export async function createPages(options: PagesOptions, api: readonly Endpoint[]): Promise<Pages> {
  const { cdnBaseUrl, publicUrl } = options;
  const basePath = basePathOf(publicUrl);
  const policyOf = policyFor(cdnBaseUrl === null ? null : new URL(cdnBaseUrl).origin);
  const directory = builtPages();
  const assets = await readAssets(new URL('assets/', directory));
  const pictures = picturesIn([...assets.keys()]);
  // Browsers ask for this one beside what is not a page, such as the API document.
  const favicon = await readAsset(new URL(`assets/${pictures.favicon}`, directory), ASK);
  const manifest = manifestOf(basePath, pictures);
  const pathsOf = { ...PATHS, admin: [...PATHS.admin, ...recordPaths(api)] };
  const rows = Object.entries(pathsOf).map(async ([name, paths]) => {
    const page = await readPage(new URL(`${name}.html`, directory), policyOf(name), publicUrl);
    if (name === 'results') return [resultsPage(page, `/assets/${pictures.card}`, options)];
    return paths.map((path) => pageEndpoint(`${name}Page`, path, () => page));
  });
  const endpoints = [
    ...(await Promise.all(rows)).flat(),
    endpoint({
      ...pageEndpoint('pageAsset', '/assets/{name}', notThere),
      params: z.object({ name: z.string() }),
      handle: ({ params: { name } }) => assets.get(name) ?? notThere(),
    }),
    ...downloadEndpoints(options.programs),
    pageEndpoint('favicon', '/favicon.ico', () => favicon),
    pageEndpoint('manifest', '/manifest.webmanifest', () => manifest),
  ];
  const { body, headers } = await readPage(new URL(`${MISSING}.html`, directory), policyOf(MISSING), publicUrl);
  const notFound = { kind: 'text', status: 404, body, headers: { ...headers, 'Cache-Control': 'no-store' } } as const;
  return { endpoints, notFound };
}

type Pictures = Readonly<Record<keyof typeof PICTURES, string>>;

/** The names of the pictures among those of all assets. */
function picturesIn(names: readonly string[]): Pictures {
  const named = (kind: keyof typeof PICTURES, extension: string): string =>
    names.find((name) => name.startsWith(PICTURES[kind]) && name.endsWith(extension)) ?? '';
  return {
    icon: named('icon', '.svg'),
    small: named('small', '.png'),
    large: named('large', '.png'),
    maskable: named('maskable', '.png'),
    favicon: named('favicon', '.ico'),
    card: named('card', '.png'),
  };
}

/** The manifest by which browsers install the pages as an application. */
function manifestOf(basePath: string, { icon, small, large, maskable }: Pictures): Pages['notFound'] {
  const address = (name: string): string => `${basePath}/assets/${name}`;
  const body = JSON.stringify({
    name: 'Sim Racing Timing',
    short_name: 'Timing',
    start_url: `${basePath}/`,
    scope: `${basePath}/`,
    display: 'standalone',
    background_color: '#0d1014',
    theme_color: '#101418',
    icons: [
      { src: address(icon), type: 'image/svg+xml', sizes: 'any', purpose: 'any' },
      { src: address(small), type: 'image/png', sizes: '192x192', purpose: 'any' },
      { src: address(large), type: 'image/png', sizes: '512x512', purpose: 'any' },
      { src: address(maskable), type: 'image/png', sizes: '512x512', purpose: 'maskable' },
    ],
  });
  const headers = { 'Content-Type': 'application/manifest+json', 'Cache-Control': ASK, ETag: contentEtag(body) };
  return { kind: 'text', status: 200, body, headers, coded: new Map() };
}

/** The addresses of tables and records in the administration: those of lists whose records can be read one by one. */
function recordPaths(api: readonly Endpoint[]): readonly string[] {
  const paths = new Set(api.filter(({ method }) => method === 'GET').map(({ path }) => path));
  const records = [...paths].filter((path) => {
    const list = path.slice(0, path.lastIndexOf('/'));
    return path.startsWith(API) && path.endsWith('}') && paths.has(list);
  });
  return records.flatMap((path) => {
    const address = `/admin/${path.slice(API.length)}`;
    return [address.slice(0, address.lastIndexOf('/')), address];
  });
}

/** Where the build puts the pages, seen from this module in dist, and from its source. */
function builtPages(): URL {
  const inDist = new URL('../../../web/', import.meta.url);
  return existsSync(inDist) ? inDist : new URL('../../../dist/web/', import.meta.url);
}

function pageEndpoint(operationId: string, path: string, handle: () => EndpointResponse): Endpoint {
  const head = { method: 'GET', path, operationId, tag: TAG, summary: 'A page', access: 'public' } as const;
  return { ...head, keyless: true, features: ['etag'], responses: { 200: 'text/html' }, handle };
}

/** The page of the results of an event, with what other services show of its address; of no event, as it is built. */
function resultsPage(page: Pages['notFound'], cardPath: string, { publicUrl, models }: PagesOptions): Endpoint {
  return endpoint({
    ...pageEndpoint('resultsPage', RESULTS, notThere),
    params: z.object({ eventId: z.string() }),
    async handle({ params: { eventId } }) {
      const card = await sharedCard(eventId, { publicUrl, cardPath, models });
      if (card === null) return page;
      const body = page.body.replace('</head>', () => `${card}</head>`);
      return { ...page, body, headers: { ...page.headers, ETag: contentEtag(body) }, coded: new Map() };
    },
  });
}

function notThere(): never {
  throw new Problem('NOT_FOUND', 'There is nothing at this path.');
}

async function readAssets(directory: URL): Promise<ReadonlyMap<string, EndpointResponse>> {
  const names = await readdir(directory);
  const files = names.map(async (name) => [name, await readAsset(new URL(name, directory), FOR_EVER)] as const);
  return new Map(await Promise.all(files));
}

/** A page that knows the address at which people reach the service; null: that is not configured. */
async function readPage(file: URL, policy: Headers, publicUrl: string | null): Promise<Pages['notFound']> {
  const built = await readFile(file, 'utf8');
  const body = built
    .replaceAll('{base}', basePathOf(publicUrl))
    .replaceAll('{publicUrl}', () => attributeText((publicUrl ?? '').replace(/\/$/, '')));
  return assetOf(body, { file, caching: ASK, policy });
}

async function readAsset(file: URL, caching: string): Promise<EndpointResponse> {
  const isPicture = /\.(png|ico)$/.test(file.pathname);
  if (isPicture) return pictureOf(await readFile(file), file, caching);
  const policy = basename(file.pathname).startsWith(`${WORKER}-`) ? WORKER_POLICY : {};
  return assetOf(await readFile(file, 'utf8'), { file, caching, policy });
}

/** A picture that is sent as it is: it is compressed already. */
function pictureOf(bytes: Buffer, file: URL, caching: string): EndpointResponse {
  const headers = {
    'Content-Type': typeOf(file),
    'Content-Length': String(bytes.length),
    'Cache-Control': caching,
    ETag: contentEtag(bytes),
  };
  const content = {
    async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
      yield bytes;
    },
  };
  return { kind: 'stream', status: 200, content, headers };
}

function typeOf(file: URL): string {
  return TYPES[extname(file.pathname)] ?? 'application/octet-stream';
}

interface Served {
  readonly file: URL;
  readonly caching: string;
  readonly policy: Headers;
}

function assetOf(body: string, { file, caching, policy }: Served): Pages['notFound'] {
  const headers = { ...policy, 'Content-Type': typeOf(file), 'Cache-Control': caching, ETag: contentEtag(body) };
  return { kind: 'text', status: 200, body, headers, coded: new Map() };
}

/**
 * Scripts, styles and data of this service and no other, nothing inline, and no text that becomes HTML or script. The
 * administration shows overlays in a frame, which nobody else may do with a page: there is nothing to click on an overlay.
 */
function policyFor(imageOrigin: string | null): (page: string) => Headers {
  const rules = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    `img-src 'self' blob:${imageOrigin === null ? '' : ` ${imageOrigin}`}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ];
  return (page) => {
    const policy = [...rules];
    // The administration starts a worker: its only trusted type has no other address than that.
    policy.push(page === 'admin' ? `trusted-types ${WORKER}` : "trusted-types 'none'");
    if (page === 'admin') policy.push("frame-src 'self'");
    policy.push(page === 'overlay' ? "frame-ancestors 'self'" : "frame-ancestors 'none'");
    return { 'Content-Security-Policy': policy.join('; ') };
  };
}
