import type { Response } from 'express';
import { isUnchanged, resourceTag } from '../etags.ts';
import type { EndpointResponse, Headers } from '../endpoint.ts';

/** A response whose whole body is in memory. */
export interface BufferedResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Buffer;
  readonly headers?: Headers | undefined;
  readonly etag?: string | undefined;
}

export const JSON_TYPE = 'application/json';
export const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Makes the response of a handler one with a body: JSON or text. */
export function bufferedResponse(
  response: Extract<EndpointResponse, { kind: 'resource' | 'json' | 'text' }>,
): BufferedResponse & { readonly body: string } {
  const { kind, status, headers } = response;
  const contentType = headers?.['Content-Type'] ?? (kind === 'text' ? TEXT_TYPE : JSON_TYPE);
  const body = kind === 'text' ? response.body : JSON.stringify(response.body);
  const etag = kind === 'resource' ? resourceTag(response, body) : headers?.ETag;
  return { status, contentType, body, headers, etag };
}

/**
 * Sends a response with a body, unless another response was chosen before; 304 where the client has it. Not by `res.json`
 * and `res.send`: these add `; charset=utf-8` to media types that are defined without it.
 */
export function sendBuffered(res: Response, response: BufferedResponse): void {
  if (res.settled) return;
  const { status, contentType, body, headers, etag } = response;
  if (status === 200 && isUnchanged(res.req, etag)) {
    sendEmpty(res, 304, etag === undefined ? headers : { ...headers, ETag: etag });
    return;
  }
  const length = Buffer.byteLength(body);
  addContentHeaders(res, contentType, headers);
  if (etag !== undefined && headers?.ETag === undefined) res.append('ETag', etag);
  res.append('Content-Length', String(length));
  res.bytes = res.req.method === 'HEAD' ? 0 : length;
  res.isReplay = headers?.['Idempotency-Replayed'] !== undefined;
  res.statusCode = status;
  res.end(body);
}

/** Sends a response without a body, unless another response was chosen before. */
export function sendEmpty(res: Response, status: number, headers?: Headers): void {
  if (res.settled) return;
  for (const name in headers) addHeader(res, name, headers[name] ?? '');
  // 204 and 304 have no length by definition (RFC 9110 §8.6).
  if (status !== 204 && status !== 304) res.append('Content-Length', '0');
  res.statusCode = status;
  res.end();
}

/** Adds the headers of a response with content: type, caching (unless the response has its own), and its own. */
export function addContentHeaders(res: Response, contentType: string, headers: Headers | undefined): void {
  res.append('Content-Type', contentType);
  if (headers?.['Cache-Control'] === undefined && !isForCaches(res)) res.append('Cache-Control', 'no-store');
  for (const name in headers) if (name !== 'Content-Type') addHeader(res, name, headers[name] ?? '');
}

/** Whether caches may keep the response: to a cache, requests with different keys, or with none, look alike. */
function isForCaches({ endpoint, caller }: Response): boolean {
  return endpoint?.isPublic === true && caller === null;
}

/**
 * Adds a header of a response. A content policy takes the place of the general one, and a `Location` here is below the
 * path at which clients reach the service.
 */
function addHeader(res: Response, name: string, value: string): void {
  const { headerList, basePath } = res;
  const general = name === 'Content-Security-Policy' ? headerList.indexOf(name) : -1;
  if (general >= 0) headerList[general + 1] = value;
  else if (name === 'Location' && basePath !== '' && value.startsWith('/')) res.append(name, basePath + value);
  else res.append(name, value);
}
