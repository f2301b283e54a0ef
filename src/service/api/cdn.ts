import { z } from 'zod';
import { CdnRequest, isFilePath } from '../../../commands/files.ts';
import { fileQuery } from '../../../queries/files.ts';
import { described } from '../../domain/fields.ts';
import type { FilePath } from '../../domain/file-path.ts';
import { endpoint, type EndpointResponse, type Endpoint, type Headers } from '../http/endpoint.ts';
import { Problem } from '../http/problems.ts';
import type { StoredAsset } from '../../kernel/ports/assets.ts';
import { UNKNOWN_TYPE } from './file-bytes.ts';
import { mediaTypeOf, type Files } from './files.ts';
import { endpointBase } from './endpoint-base.ts';
import { acceptedResponse, AcceptedView } from './write-answers.ts';

const PATH = '/api/v1/cdn';

/** The files that the CDN takes and serves. */
export type CdnFiles = Pick<Files, keyof Files>;

/**
 * Endpoints of the CDN: the upload (docs/interface.md#uploaded-files), and the download, from here or, with a base URL
 * (without a slash at its end), by a redirect to it. The download is documented alike with and without a base URL:
 * clients should be ready for both.
 */
export function cdnEndpoints(files: CdnFiles, baseUrl: string | null = null): readonly Endpoint[] {
  return [
    endpoint({
      ...endpointBase('POST', PATH, fileQuery),
      operationId: 'uploadCdnFile',
      access: 'CRUD',
      summary: 'Upload a file',
      description:
        'Others refer to it by the key `{type}/{targetName}`; a file with that key is replaced, and keeps its owner.',
      body: CdnRequest,
      upload: { jsonPart: 'cdnRequest', filePart: 'cdnFile', reserve: (size) => files.reserve(size) },
      responses: { 201: 'text/plain', 202: AcceptedView, 400: 'text/plain', 503: 'text/plain' },
      async handle(request, file): Promise<EndpointResponse> {
        if (file === undefined) throw new TypeError('the upload has no file');
        const { id, isReadable } = await files.store(request, file);
        if (!isReadable) return acceptedResponse(id, `${PATH}/${id}`);
        return { kind: 'text', status: 201, body: 'Success' };
      },
    }),
    endpoint({
      ...endpointBase('GET', '/cdn/{type}/{name*}', fileQuery),
      operationId: 'getCdnFile',
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
      handle({ params }) {
        // Others are not looked up.
        if (!isFilePath(params)) throw unknownFile();
        return baseUrl === null ? download(files, params) : redirect(files, params, baseUrl);
      },
    }),
  ];
}

function unknownFile(): Problem {
  return new Problem('NOT_FOUND', 'There is no such file.');
}

async function download(files: CdnFiles, path: FilePath): Promise<EndpointResponse> {
  const asset = await files.find(path);
  if (!asset) throw unknownFile();
  const { content, part, size } = asset;
  return { kind: 'stream', status: 200, content, ranges: { size, part }, headers: headersOf(asset, path.name) };
}

/**
 * Redirects without asking the store of assets: whether the bytes exist, the other server knows. 302, as a file may be
 * replaced, and as 307 would only add that the method stays, which 302 promises for GET and HEAD too (RFC 9110 §15.4.3).
 */
async function redirect(files: CdnFiles, path: FilePath, baseUrl: string): Promise<EndpointResponse> {
  const encoded = (await files.assetKeyOf(path)).split('/').map(encodeURIComponent).join('/');
  const headers = { ...FOR_ALL_ORIGINS, Location: `${baseUrl}/${encoded}` };
  return { kind: 'empty', status: 302, headers };
}

/** A file may be replaced under its name at any time. */
const FOR_ALL_ORIGINS = {
  'Cache-Control': 'public, no-cache',
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const;

function headersOf(asset: StoredAsset, name: string): Headers {
  const type = mediaTypeOf(name);
  const headers = {
    ...FOR_ALL_ORIGINS,
    'Content-Type': type,
    'Content-Length': String(asset.size),
    ETag: `"${asset.etag}"`,
    'Accept-Ranges': 'bytes',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  };
  return type === UNKNOWN_TYPE ? { ...headers, 'Content-Disposition': 'attachment' } : headers;
}
