import { expect } from 'chai';
import { layoutLeaderboardPage, type LayoutBoardRequest } from '../../../queries/leaderboards/layout-board.ts';
import type { LeaderboardRow } from '../../../queries/leaderboards/leaderboards.ts';
import { Allowance } from '../../../queries/leaderboards/sources.ts';
import { JoinedBody } from '../../../src/service/http/joined-body.ts';
import type { ReadModels } from '../../../src/kernel/ports/read-store.ts';
import { layoutBoardOf } from '../model/boards.ts';
import type { Things } from '../model/things.ts';

/** Sizes of a page that is whole, and of the small ones in which a board is read, too. */
const WHOLE = 1_000;
const PAGE = 2;

/** A page of the board of a layout over all events. */
export async function layoutPage(models: ReadModels, request: LayoutBoardRequest, page = 0, size = WHOLE) {
  const found = await layoutLeaderboardPage({ ...request, page, size }, { models, allowance: new Allowance() });
  const { rows, total, head } = found ?? expect.fail(`no such layout: ${JSON.stringify(request)}`);
  // Together they are the JSON of rows.
  const content = JSON.parse(new JoinedBody('[', rows, ']').bytes.toString()) as LeaderboardRow[];
  return { content, leaderboard: head, total };
}

/** Compares the board of a layout, whole and in pages, with the plain board of what things are. */
export async function expectLayoutBoard(
  models: ReadModels,
  things: Things,
  request: LayoutBoardRequest,
): Promise<void> {
  const title = JSON.stringify(request);
  const { content, leaderboard, total } = await layoutPage(models, request);
  const head = { ...leaderboard, venue: null };
  expect({ content, leaderboard: head }, title).to.deep.equal(layoutBoardOf(request, things));
  expect(total, title).to.equal(content.length);
  for (let page = 0; page * PAGE < total; page += 1) {
    const { content: rows } = await layoutPage(models, request, page, PAGE);
    expect(rows, `${title}, page ${page}`).to.deep.equal(content.slice(page * PAGE, (page + 1) * PAGE));
  }
}
