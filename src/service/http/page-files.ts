import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Endpoint, EndpointResponse, Headers } from './endpoint.ts';
import { contentEtag } from './respond.ts';

const TAG = { name: 'Pages', description: 'Pages for people.' };

const HTML_TYPE = 'text/html; charset=utf-8';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Browsers ask whether a page is still the same: it names the newest assets. */
export const ASK = 'no-cache';

/** GET of a page, or of what one loads: without a key, and not part of the API document. */
export function pageEndpoint(operationId: string, path: string, handle: Endpoint['handle']): Endpoint {
  const head = { method: 'GET', path, operationId, tag: TAG, summary: 'A page', access: 'public' } as const;
  return { ...head, keyless: true, features: ['etag'], responses: { 200: 'text/html' }, handle };
}

/** A page. `policy`: what it may load, for `Content-Security-Policy`. */
export function pageResponse(html: string, policy: readonly string[]): EndpointResponse {
  return textResponse(html, {
    ...{ 'Content-Type': HTML_TYPE, 'Cache-Control': ASK },
    'Content-Security-Policy': policy.join('; '),
  });
}

/** A file that pages load, in UTF-8. */
export async function readAsset(file: URL, caching: string): Promise<EndpointResponse> {
  const type = TYPES[extname(file.pathname)] ?? 'application/octet-stream';
  return textResponse(await readFile(file, 'utf8'), { 'Content-Type': type, 'Cache-Control': caching });
}

/** A text that is sent again and again: its tag and its compressed forms are made once. */
export function textResponse(body: string, headers: Headers): EndpointResponse {
  return { kind: 'text', status: 200, body, headers: { ...headers, ETag: contentEtag(body) }, coded: new Map() };
}
