import { z } from 'zod';
import { described } from '../domain/fields.ts';
import { AssetKeyRefused, type Assets, type StoredAsset } from '../kernel/ports/assets.ts';
import { endpoint, type EndpointResponse, type Endpoint, type Headers } from '../http/endpoint.ts';
import { Problem } from '../http/problems.ts';

/** Folders of uploaded files (docs/interface.md#uploaded-files). */
export const CDN_TYPES = ['BRAND', 'CLASS', 'COUNTRY', 'LOGO', 'TRACK'] as const;

/**
 * Most characters of a name: with the longest type, a key still fits the 255 characters of the fields that refer to it.
 */
const MAX_NAME = 240;

/**
 * Whether a text is a name below its type's folder, subfolders included: `gt3/acc.png`. No segment is empty, blank, `.`
 * or `..`, and nothing in it has a meaning to a file system: no backslash, no drive letter, no control character.
 * Percent signs are just text.
 */
export function isTargetName(name: string): boolean {
  if (name.length > MAX_NAME || /[\\\p{Cc}\p{Cs}]|^[a-z]:/iu.test(name)) return false;
  return name.split('/').every((segment) => segment.trim() !== '' && segment !== '.' && segment !== '..');
}

const CDN = { name: 'CDN', description: 'Images and other files that resources refer to.' } as const;

/** Body of the `cdnRequest` part. */
export const CdnRequest = z
  .object({
    type: described(z.enum(CDN_TYPES), 'Folder of the file: what it shows.', 'TRACK'),
    targetName: z
      .string()
      .refine(isTargetName, { error: 'must be a relative file name' })
      .meta({
        minLength: 1,
        maxLength: MAX_NAME,
        description: 'Name below the folder of its type, folders included.',
        examples: ['spa/logo.svg'],
      }),
  })
  .meta({ id: 'CdnRequest', description: 'Where an uploaded file goes.' });

/** Types by file extension (docs/interface.md#uploaded-files): what browsers show, and what can run nothing. */
const BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ['avif', 'image/avif'],
  ['bmp', 'image/bmp'],
  ['gif', 'image/gif'],
  ['ico', 'image/vnd.microsoft.icon'],
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['png', 'image/png'],
  ['svg', 'image/svg+xml'],
  ['webp', 'image/webp'],
]);

const UNKNOWN_TYPE = 'application/octet-stream';

/** How long, in seconds, a redirect may be cached. It depends on the base URL alone, not on which files exist. */
const REDIRECT_SECONDS = 300;

/**
 * Endpoints of the CDN: the upload (docs/interface.md#uploaded-files), and the download, from here or, with a base URL
 * (without a slash at its end), by a redirect to it.
 */
export function cdnEndpoints(assets: Assets, baseUrl: string | null = null): readonly Endpoint[] {
  return [uploadEndpoint(assets), downloadEndpoint(assets, baseUrl)];
}

function uploadEndpoint(assets: Assets): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/api/v1/cdn',
    operationId: 'uploadCdnFile',
    tag: CDN,
    access: 'CRUD',
    summary: 'Upload a file',
    description: 'Others refer to it by the key `{type}/{targetName}`; a file with that key is replaced.',
    body: CdnRequest,
    upload: { jsonPart: 'cdnRequest', filePart: 'cdnFile' },
    responses: { 201: 'text/plain', 400: 'text/plain', 503: 'text/plain' },
    async handle({ body: { type, targetName } }, file): Promise<EndpointResponse> {
      if (file === undefined) throw new TypeError('the upload has no file');
      const contentType = typeOf(targetName);
      await assets.put({ ...file, key: `${type}/${targetName}`, contentType }).catch((error: unknown) => {
        throw error instanceof AssetKeyRefused ? new Problem('INVALID', error.message) : error;
      });
      return { kind: 'text', status: 201, body: 'Success' };
    },
  });
}

/** The download. It is documented alike with and without a base URL: clients should be ready for both. */
function downloadEndpoint(assets: Assets, baseUrl: string | null): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/cdn/{type}/{name*}',
    operationId: 'getCdnFile',
    tag: CDN,
    access: 'public',
    summary: 'Download a file',
    description:
      'The bytes, with the media type that its name tells; or a redirect, where files are served from elsewhere.',
    params: z.object({
      type: described(z.string(), 'Folder of the file.', 'TRACK'),
      name: described(z.string(), 'Name of the file, slashes included.', 'spa/logo.svg'),
    }),
    features: ['etag', 'range'],
    responses: { 200: '*/*', 206: '*/*', 302: null },
    handle: ({ params }) => (baseUrl === null ? download(assets, params) : redirect(baseUrl, params)),
  });
}

interface AssetPath {
  readonly type: string;
  readonly name: string;
}

/** Whether there may be a file with this path: others are not looked up. */
function isAssetPath({ type, name }: AssetPath): boolean {
  return CDN_TYPES.some((cdnType) => cdnType === type) && isTargetName(name);
}

function unknownFile(): Problem {
  return new Problem('NOT_FOUND', 'There is no such file.');
}

async function download(assets: Assets, path: AssetPath): Promise<EndpointResponse> {
  const asset = isAssetPath(path) ? await assets.get(`${path.type}/${path.name}`) : null;
  if (!asset) throw unknownFile();
  const { content, part, size } = asset;
  return { kind: 'stream', status: 200, content, ranges: { size, part }, headers: headersOf(asset, path.name) };
}

/**
 * Redirects without asking any store: whether the file exists, the other server knows. 302, as the setting may change,
 * and as 307 would only add that the method stays, which 302 promises for GET and HEAD too (RFC 9110 §15.4.3).
 */
function redirect(baseUrl: string, path: AssetPath): EndpointResponse {
  if (!isAssetPath(path)) throw unknownFile();
  const encoded = [path.type, ...path.name.split('/')].map(encodeURIComponent).join('/');
  return {
    kind: 'empty',
    status: 302,
    headers: {
      Location: `${baseUrl}/${encoded}`,
      'Cache-Control': `public, max-age=${REDIRECT_SECONDS}`,
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
  };
}

function headersOf(asset: StoredAsset, name: string): Headers {
  const type = typeOf(name);
  return {
    'Content-Type': type,
    'Content-Length': String(asset.size),
    ETag: `"${asset.etag}"`,
    'Accept-Ranges': 'bytes',
    // A file may be replaced under its name at any time.
    'Cache-Control': 'public, no-cache',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ...(type === UNKNOWN_TYPE ? { 'Content-Disposition': 'attachment' } : {}),
  };
}

/** The type of a file by its name, whatever it was sent as: all but pictures are downloads, from other servers too. */
function typeOf(name: string): string {
  return BY_EXTENSION.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase()) ?? UNKNOWN_TYPE;
}
