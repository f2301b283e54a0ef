import { z } from 'zod';
import { Timed } from './child-protocol.ts';
import { Client, type Call } from './load.ts';
import { anyPage, PAGE_SIZE, posts } from './requests.ts';
import { atMost, resultOf, round, type Goal, type Result } from './result.ts';
import { median } from './rounds.ts';
import type { World } from './world.ts';

/** Number of laps that are recorded; the others are copies. */
const RECORDED = 200;
/** Collections are smaller than the other stores by this factor, as FerretDB reads all documents for each answer. */
const PART = 10;
/** A page of many takes seconds there. */
const ROUNDS = 5;
/** Pages per round while nothing changes. */
const PAGES = 50;
/** Servers may be slow, which is not what is measured, ms. */
const ENVIRONMENT = { PROJECTION_WAIT_MS: '60000', REQUEST_DEADLINE_MS: '60000', STORE_TIMEOUT_MS: '30000' };

/** ms of the first page: while nothing changes, right after a lap, and by MongoDB's driver. */
interface FirstPage {
  readonly again: () => Promise<number>;
  readonly afterLap: () => Promise<number>;
  readonly driver: () => Promise<number>;
}

const ROWS: readonly (readonly [what: keyof FirstPage, work: string, goal: Goal | null])[] = [
  ['again', 'GET page 0', atMost(1.5)],
  ['afterLap', 'GET page 0, after each lap,', null],
  ['driver', "page 0 by MongoDB's driver, sorted,", null],
];

/** Page 0 of many laps in MongoDB against page 0 of few. */
export async function pageOfManyServer(world: World): Promise<readonly Result[]> {
  const [large, small] = [world.scale.middle / PART, world.scale.small / PART];
  const [many, few] = [await firstPage(world, large), await firstPage(world, small)];
  const pairs: { readonly what: keyof FirstPage; readonly many: number; readonly few: number }[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    for (const [what] of ROWS) pairs.push({ what, many: await many[what](), few: await few[what]() });
  }
  return ROWS.map(([what, work, goal]) => {
    const own = pairs.filter((pair) => pair.what === what);
    const ratios = own.map(({ many, few }) => many / few);
    return resultOf({
      work: `${work} of ${large} laps on MongoDB`,
      figure: `${round(median(own.map(({ many }) => many)))} ms`,
      baseline: `${round(median(own.map(({ few }) => few)))} ms of ${small} laps`,
      ratio: median(ratios),
      goal,
      ratios,
    });
  });
}

async function firstPage(world: World, laps: number): Promise<FirstPage> {
  const url = await world.mongo();
  const server = await world.serviceOn({ ...ENVIRONMENT, MONGODB_URL: url });
  const post = await posts()(server);
  const driver = await world.driver('mongo-driver', url);
  const client = await Client.open(server.url, 1);
  const ask = async (call: Call): Promise<number> => median((await client.run(0, () => call)).latencies);
  for (let n = 0; n < RECORDED; n += 1) await ask(post());
  await driver.ask('multiply', z.null(), { count: laps });
  // Counts of many documents are remembered for a while.
  const page = anyPage('', laps)();
  return {
    async again() {
      const times: number[] = [];
      for (let n = 0; n < PAGES; n += 1) times.push(await ask(page));
      return median(times);
    },
    async afterLap() {
      await ask(post());
      return ask(page);
    },
    driver: async () => (await driver.ask('page', Timed, { size: PAGE_SIZE })).seconds * 1_000,
  };
}
