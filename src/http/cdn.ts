import { z } from 'zod';
import type { Assets, StoredAsset } from '../kernel/assets.ts';
import { endpoint, type Answer, type Endpoint, type Headers } from './endpoint.ts';
import { Problem } from './problems.ts';

/** SPEC.md "CdnType values". */
export const CDN_TYPES = ['BRAND', 'CLASS', 'COUNTRY', 'LOGO', 'TRACK'] as const;

/** With the longest type, a key still fits the 255 characters of the fields that refer to it. */
const MAX_NAME = 240;

/**
 * A name below its type's folder, folders of its own included: `gt3/acc.png`. No segment is empty, blank, `.` or `..`;
 * nothing in it can mean a folder to any system: no backslash, no drive letter, no control character. Percent signs are
 * just text.
 */
export function isTargetName(name: string): boolean {
  if (name.length > MAX_NAME || /[\\\p{Cc}\p{Cs}]|^[a-z]:/iu.test(name)) return false;
  return name.split('/').every((segment) => segment.trim() !== '' && segment !== '.' && segment !== '..');
}

/** Body of the `cdnRequest` part. */
export const CdnRequest = z.object({
  type: z.enum(CDN_TYPES),
  targetName: z.string().refine(isTargetName, { error: 'must be a relative file name' })
    .meta({ minLength: 1, maxLength: MAX_NAME, description: 'Name below the folder of its type, folders included.' }),
}).meta({ id: 'CdnRequest' });

/** Types that browsers show without running anything, once SVG may not run scripts; all else is a download. */
const INLINE = new Set([
  'image/avif', 'image/bmp', 'image/gif', 'image/jpeg', 'image/png', 'image/svg+xml', 'image/vnd.microsoft.icon',
  'image/webp',
]);

/** What a name says of its type, for files sent as application/octet-stream (SPEC.md "CDN upload"). */
const BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ['avif', 'image/avif'], ['bmp', 'image/bmp'], ['gif', 'image/gif'], ['ico', 'image/vnd.microsoft.icon'],
  ['jpeg', 'image/jpeg'], ['jpg', 'image/jpeg'], ['png', 'image/png'], ['svg', 'image/svg+xml'], ['webp', 'image/webp'],
]);

const UNKNOWN_TYPE = 'application/octet-stream';

/** Rows of the table: the upload of SPEC.md "CDN upload", and where the files are to be had. */
export function cdnEndpoints(assets: Assets): readonly Endpoint[] {
  return [
    endpoint({
      method: 'POST', path: '/api/v1/cdn', operationId: 'uploadCdnFile', tag: 'CDN', access: 'CRUD',
      summary: 'Upload a file, to be referred to by the key {type}/{targetName}',
      body: CdnRequest,
      upload: { jsonPart: 'cdnRequest', filePart: 'cdnFile' },
      responses: { 201: 'text/plain', 400: 'text/plain' },
      async handle({ body, file }): Promise<Answer> {
        if (!file) throw new TypeError('an upload without its file');
        const { contentType, content } = file;
        await assets.put({ key: `${body.type}/${body.targetName}`, contentType, content });
        return { kind: 'text', status: 201, body: 'Success' };
      },
    }),
    endpoint({
      method: 'GET', path: '/cdn/{type}/{name*}', operationId: 'getCdnFile', tag: 'CDN', access: 'public',
      summary: 'Download a file that was uploaded',
      params: z.object({ type: z.string(), name: z.string() }),
      features: ['etag'],
      responses: { 200: '*/*' },
      handle: ({ params }) => download(assets, params),
    }),
  ];
}

interface Place {
  readonly type: string;
  readonly name: string;
}

async function download(assets: Assets, { type, name }: Place): Promise<Answer> {
  const known = CDN_TYPES.some((cdnType) => cdnType === type) && isTargetName(name);
  const asset = known ? await assets.get(`${type}/${name}`) : null;
  if (!asset) throw new Problem('NOT_FOUND', 'There is no such file.');
  return { kind: 'stream', status: 200, content: asset.content, headers: headersOf(asset, name) };
}

function headersOf(asset: StoredAsset, name: string): Headers {
  const stored = asset.contentType === UNKNOWN_TYPE ? BY_EXTENSION.get(extensionOf(name)) : asset.contentType;
  const type = stored !== undefined && INLINE.has(stored) ? stored : UNKNOWN_TYPE;
  return {
    'Content-Type': type,
    'Content-Length': String(asset.size),
    ETag: `"${asset.etag}"`,
    // A file may be replaced under its name at any time.
    'Cache-Control': 'public, no-cache',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ...(type === UNKNOWN_TYPE ? { 'Content-Disposition': 'attachment' } : {}),
  };
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}
