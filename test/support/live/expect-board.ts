import { expect } from 'chai';
import type { BoardRequest } from '../../../queries/leaderboards/find-board.ts';
import type { RecordedEvent } from '../../../src/kernel/ports/event-store.ts';
import type { ReadModels } from '../../../src/kernel/ports/read-store.ts';
import { boardOf } from '../model/boards.ts';
import type { Things } from '../model/things.ts';
import { thingsOf } from '../seasons/history.ts';
import { boardSources, shownPage } from './sources.ts';

/** Sizes of a page that is whole, and of the small ones in which a board is read, too. */
const WHOLE = 1_000;
const PAGE = 2;

/** Compares a board, whole and in pages, with the plain board of the events of a history. */
export async function expectBoard(
  models: ReadModels,
  { events, things }: { readonly events: readonly RecordedEvent[]; readonly things: Things },
  request: BoardRequest,
): Promise<void> {
  const title = JSON.stringify(request);
  const pageOf = async (page: number, size: number) => {
    const sources = boardSources(models, { events, isFollowed: size === PAGE });
    const found = await shownPage({ ...request, page, size }, sources);
    return found ?? expect.fail(`no such event: ${title}`);
  };
  const { rows: content, head: leaderboard, total: totalElements } = await pageOf(0, WHOLE);
  const { asOf } = request;
  const then = asOf === undefined ? things : thingsOf(events.filter(({ metadata }) => metadata.occurredAt <= asOf));
  const wanted = boardOf({ ...request, page: 0, size: WHOLE }, things, then);
  expect({ ...wanted, content, leaderboard, totalElements }, title).to.deep.equal(wanted);
  for (let page = 0; page * PAGE < totalElements; page += 1) {
    const { rows } = await pageOf(page, PAGE);
    expect(rows, `${title}, page ${page}`).to.deep.equal(content.slice(page * PAGE, (page + 1) * PAGE));
  }
}
