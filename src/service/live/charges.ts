import type { AnyRequester } from '../http/requester.ts';
import { ENTRIES_PER_DOCUMENT } from '../../kernel/ports/read-store.ts';

/** Changes by which a board advances that count as one document. */
const CHANGES_PER_DOCUMENT = 5;

/** Charges for a board of so many changes that few others watch. @throws when the client's share is used up */
export function chargeBoard(usage: AnyRequester['usage'], changes: number): void {
  if (usage === undefined) return;
  usage.requireShare();
  chargePass(usage, changes);
}

/** Charges for one pass over so many changes, which several may share. */
export function chargePass(usage: AnyRequester['usage'], changes: number): void {
  if (usage === undefined) return;
  usage.documents += changes / ENTRIES_PER_DOCUMENT;
  usage.settle();
}

/** Charges for bytes that are sent to one of many: they were made for all. */
export function chargeSent(usage: AnyRequester['usage'], bytes: number): void {
  if (usage === undefined) return;
  usage.sent += bytes;
  usage.settle();
}

/** Charges for changes by which a board of few readers advances, and for bytes that are sent to them. */
export function chargeChanges(usage: AnyRequester['usage'], changes: number, bytes: number): void {
  if (usage === undefined || (changes === 0 && bytes === 0)) return;
  usage.documents += changes / CHANGES_PER_DOCUMENT;
  usage.bytes += bytes;
  usage.settle();
}
