import { hash } from 'node:crypto';
import type { Revision } from '../kernel/ports/event-store.ts';
import { invalidProblem } from './problems.ts';

/** Characters of the hash in the ETag of content without a revision. */
const HASH_LENGTH = 16;

/** One entity tag at the start of a text (RFC 9110 §8.8.3). */
const TAG = /^[\s,]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(?=,|$)/;

/** The ETag of content that is sent in several codings. */
export function weakTag(tag: string): string {
  return tag.startsWith('W/') ? tag : `W/${tag}`;
}

/** ETag of content without a revision: a document, a file. */
export function contentEtag(content: string): string {
  return `"${hash('sha256', content, 'base64url').slice(0, HASH_LENGTH)}"`;
}

/**
 * Whether `If-None-Match` names the tag: `*` or a list, compared weakly (RFC 9110 §13.1.2). A malformed header names
 * nothing.
 */
export function namesTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return parseTags(ifNoneMatch)?.some(({ value }) => weakTag(`"${value}"`) === weakTag(etag)) ?? false;
}

/**
 * The revision that `If-Match` asks for; only the revision of a tag is compared. Null: any (`*`). `'none'`: no tag of
 * the list is strong and of our form, so nothing can match. A list may repeat one revision; several revisions are
 * refused, as a PATCH starts from one.
 * @throws {Problem} 400 when the header is malformed or names several revisions
 */
export function parseIfMatch(header: string): Revision | 'none' | null {
  if (header.trim() === '*') return null;
  const tags = parseTags(header);
  if (!tags) throw invalidProblem('If-Match is * or a list of entity tags in double quotes.', '#/header/If-Match');
  const revisions = new Set<Revision>();
  for (const { weak, value } of tags) {
    const revision = /^(\d{1,15})-/.exec(value)?.[1];
    if (!weak && revision !== undefined) revisions.add(Number(revision));
  }
  if (revisions.size > 1) throw invalidProblem('If-Match names more than one revision.', '#/header/If-Match');
  const [only = 'none'] = revisions;
  return only;
}

/** The tags of a list, or null when it is malformed or empty. */
function parseTags(header: string): { readonly weak: boolean; readonly value: string }[] | null {
  const tags = [];
  let rest = header;
  while (/[^\s,]/.test(rest)) {
    const tag = TAG.exec(rest);
    if (!tag) return null;
    tags.push({ weak: tag[1] !== undefined, value: tag[2] ?? '' });
    rest = rest.slice(tag[0].length);
  }
  return tags.length > 0 ? tags : null;
}
