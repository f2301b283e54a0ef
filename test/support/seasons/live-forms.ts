import type { BoardRequest } from '../model/boards.ts';
import type { Comparisons } from './comparisons.ts';
import { momentIn, type Past } from './expectations.ts';
import {
  boardAt,
  changesUpTo,
  compareChanges,
  firstPosition,
  idOf,
  lastChange,
  shownBy,
  titleOf,
  watch,
  type AllChanges,
  type Change,
  type Manner,
  type Seen,
} from './live.ts';

/** All changes lead from board to board; and whoever has some of them, sees the past, or is behind gets the rest. */
export async function compareForms(
  url: string,
  request: BoardRequest,
  { whole, to, moments }: { readonly whole: Past; readonly to: Comparisons; readonly moments: number },
): Promise<void> {
  const [first, last] = [firstPosition(whole, request), lastChange(whole, request)];
  const seenAs = async (manner: Manner) => ({
    ...(await changesUpTo(await watch(url, request, manner), last)),
    manner,
  });
  const { changes } = await seenAs({ after: first });
  const full = { past: whole, request, from: first, changes };
  compareChanges(full, to);
  const manners = Array.from({ length: moments }, (): Manner => {
    const [after, from] = [whole.chances.below(last), momentIn(whole).asOf];
    return whole.chances.pick([{ after }, { from }, { after, from }]);
  });
  const all = await Promise.all([delayOf(whole), ...manners].map(seenAs));
  for (const seen of all) compareRest(full, seen, to);
}

/** A delay that shows the end of a season again. */
function delayOf({ events }: Past): Manner {
  const near = events[Math.floor(events.length * NEAR_END)]?.metadata.occurredAt ?? '';
  return { delaySeconds: Math.ceil((Date.now() - Date.parse(near)) / 1_000) };
}

/** The end of a season, as a part of it: as long as a delayed board is waited for. */
const NEAR_END = 0.9;

/** Whoever watches in another manner begins where that says, and gets exactly the rest of the changes. */
function compareRest(all: AllChanges, { manner, ...seen }: Seen & { readonly manner: Manner }, to: Comparisons) {
  const { past, request } = all;
  const title = titleOf({ ...request, ...manner });
  const [begun = [], ...others] = seen.changes;
  const { from, after = idOf(begun), delaySeconds } = manner;
  const isResumed = manner.after !== undefined;
  const board = boardAt(past, request, after);
  if (!isResumed) {
    const events = past.events.filter(({ metadata }) => from === undefined || metadata.occurredAt <= from);
    for (const event of begun) board.take(event);
    to.same(
      `the beginning of ${title}`,
      shownBy(board),
      shownBy(boardAt({ ...past, events }, request, from ? Number.MAX_SAFE_INTEGER : after)),
    );
  }
  for (const event of seen.changes.flat()) board.take(event);
  to.same(`the end of ${title}`, shownBy(board), shownBy(boardAt(past, request, lastChange(past, request))));
  const rest = all.changes.filter((change) => idOf(change) > after);
  if (after >= all.from) to.same(title, isResumed ? seen.changes : others, rest);
  if (delaySeconds !== undefined) to.same(`times of ${title}`, untimely(all, seen, delaySeconds * 1_000), []);
}

/** Ids of changes that came before their time, or not with the first board though it was time. */
function untimely({ past, changes }: AllChanges, seen: Seen, delay: number): readonly number[] {
  const times = new Map(past.events.map(({ position, metadata }) => [position, Date.parse(metadata.occurredAt)]));
  const dueAt = (change: Change): number => (times.get(idOf(change)) ?? 0) + delay;
  const tooSoon = seen.changes.filter((change, n) => dueAt(change) > (seen.arrivals[n] ?? 0));
  const due = changes.filter((change) => dueAt(change) <= seen.openedAt);
  return [...tooSoon, ...due.filter((change) => idOf(change) > idOf(seen.changes[0]))].map(idOf);
}
