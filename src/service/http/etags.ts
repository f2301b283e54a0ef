/**
 * Entity tags: of resources, documents and files, and what conditional requests ask for. Express compares tags for GET
 * (`fresh`), but makes none of a revision, and knows no `If-Match`; the package `etag` makes tags of content only.
 */
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { crc32 } from 'node:zlib';
import type { ExpectedVersion } from '../../kernel/aggregate/command-handler.ts';
import type { Revision } from '../../kernel/ports/event-store.ts';
import type { EndpointResponse } from './endpoint.ts';
import { invalidProblem } from './problems.ts';

/** Characters of the hash in the ETag of content without a revision. */
const HASH_LENGTH = 16;

/** One entity tag of a list (RFC 9110 §8.8.3), and what separates it from the one before. */
const TAG = /[\s,]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(?=,|$)/y;

/** Most tags of a list; with more it counts as malformed. */
const MAX_TAGS = 1_000;

/** The ETag of content that is sent in several codings. */
export function weakTag(tag: string): string {
  return tag.startsWith('W/') ? tag : `W/${tag}`;
}

/** ETag of content without a revision: a document, a file. */
export function contentEtag(content: string | Buffer): string {
  return `"${hash('sha256', content, 'base64url').slice(0, HASH_LENGTH)}"`;
}

/** The tag of one resource: revision, the moment of its event, and the body. */
export function resourceTag(
  { revision, updatedAt }: Extract<EndpointResponse, { kind: 'resource' }>,
  body: string,
): string {
  const moment = updatedAt === null ? '' : `${Date.parse(updatedAt).toString(36)}.`;
  // SHA-256 instead of a checksum would cost a request 4 % more CPU; with the length it tells the bodies of one revision
  // apart (docs/interface.md#conditional-requests).
  return `"${revision}-${moment}${crc32(body).toString(36)}.${body.length.toString(36)}"`;
}

/** Whether a GET may be answered 304 for this tag. */
export function isUnchanged(req: IncomingMessage, etag: string | undefined): boolean {
  const known = req.headers['if-none-match'];
  if (known === undefined || etag === undefined) return false;
  return isRead(req) && namesTag(known, etag);
}

/** Whether a request only reads. */
export function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Whether `If-None-Match` names the tag, compared weakly (RFC 9110 §13.1.2). A malformed header names nothing. */
function namesTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return parseTags(ifNoneMatch)?.some(({ value }) => weakTag(`"${value}"`) === weakTag(etag)) ?? false;
}

/** The start of a tag of ours: revision, and the moment of its event, which tags of earlier releases do not have. */
const OWN_TAG = /^(\d{1,15})-(?:([0-9a-z]{1,11})\.[0-9a-z]+\.[0-9a-z]+$)?/;

/**
 * The version that `If-Match` asks for: of a tag, the revision and the moment of its event are compared, as after an older
 * backup was restored, the same revision may be of another event. Null: any (`*`). `'none'`: no tag of the list is strong
 * and of our form, so nothing can match. A list may repeat one revision; several revisions are refused, as a PATCH starts
 * from one.
 * @throws {Problem} 400 when the header is malformed or names several revisions
 */
export function parseIfMatch(header: string): ExpectedVersion | 'none' | null {
  if (header.trim() === '*') return null;
  const tags = parseTags(header);
  if (!tags) throw invalidProblem('If-Match is * or a list of entity tags in double quotes.', '#/header/If-Match');
  const revisions = new Set<Revision>();
  const moments: number[] = [];
  let isOfAnyMoment = false;
  for (const { weak, value } of tags) {
    const [, revision, moment] = OWN_TAG.exec(value) ?? [];
    if (weak || revision === undefined) continue;
    revisions.add(Number(revision));
    if (moment === undefined) isOfAnyMoment = true;
    else moments.push(Number.parseInt(moment, 36));
  }
  if (revisions.size > 1) throw invalidProblem('If-Match names more than one revision.', '#/header/If-Match');
  const [revision] = revisions;
  return revision === undefined ? 'none' : { revision, moments: isOfAnyMoment ? null : moments };
}

function parseTags(header: string): { readonly weak: boolean; readonly value: string }[] | null {
  const tags = [];
  const end = header.replace(/(?<![\s,])[\s,]+$/, '').length;
  TAG.lastIndex = 0;
  while (TAG.lastIndex < end) {
    const tag = TAG.exec(header);
    if (!tag || tags.length === MAX_TAGS) return null;
    tags.push({ weak: tag[1] !== undefined, value: tag[2] ?? '' });
  }
  return tags.length > 0 ? tags : null;
}
