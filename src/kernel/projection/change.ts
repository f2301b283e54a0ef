import type { Change, Document } from '../ports/read-store.ts';

/** A change of one document by its id. */
type OfOne = Exclude<Change, { readonly kind: 'setWhere' }>;

/** Id of the document that a change is for; null for a fan-out. */
export function targetOf(change: Change): string | null {
  if (change.kind === 'setWhere') return null;
  return change.kind === 'insert' ? change.document.id : change.id;
}

/**
 * The document after a change, by the rules of the port: an insert has no effect on one that exists, everything else
 * only on one whose position is smaller. The change must be for its collection; a fan-out that does not match leaves it
 * as it is.
 */
export function afterChange(document: Document, change: Change): Document;
/** The same, where there may be no document yet. */
export function afterChange(document: Document | null, change: Change): Document | null;
/** Both. */
export function afterChange(document: Document | null, change: Change): Document | null {
  if (change.kind === 'setWhere') return document === null ? null : afterFanOut(document, change);
  return afterOwn(document, change);
}

function afterOwn(document: Document | null, change: OfOne): Document | null {
  if (change.kind === 'insert') return document ?? change.document;
  if (document === null || document._position >= change.position) return document;
  const moved = { id: document.id, _position: change.position, _revision: change.revision ?? document._revision };
  if (change.kind === 'set') return { ...document, ...change.fields, ...moved };
  const kept = Object.entries(document).filter(([field]) => !change.fields.includes(field));
  return { ...Object.fromEntries(kept), ...moved };
}

function afterFanOut(document: Document, change: Extract<Change, { readonly kind: 'setWhere' }>): Document {
  const touched = document._position < change.position && (document[change.field] ?? null) === change.value;
  return touched ? { ...document, ...change.fields, _position: change.position } : document;
}
