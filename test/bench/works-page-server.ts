import { z } from 'zod';
import { Timed } from './child-protocol.ts';
import { makeFixtures } from './fixtures.ts';
import { Client, type Call } from './load.ts';
import { atMost, round, type Goal, type Result } from './result.ts';
import { median } from './rounds.ts';
import type { World } from './world.ts';
import { get, lapPosts, PAGE_SIZE, PageShown } from './works-http.ts';

/** Laps that are recorded; the others are copies of them. */
const RECORDED = 200;
/** The collections have this part of the laps of a middle store and of a small one: FerretDB reads all for each answer. */
const PART = 10;
/** A page of many takes seconds there. */
const ROUNDS = 5;
/** Pages per round while nothing changes. */
const PAGES = 50;
/** Servers may be slow, which is not what is measured, ms. */
const ENVIRONMENT = { PROJECTION_WAIT_MS: '60000', REQUEST_DEADLINE_MS: '60000', STORE_TIMEOUT_MS: '30000' };

/** One collection: ms of its first page. */
interface Side {
  /** While nothing changes. */
  readonly again: () => Promise<number>;
  /** Right after a lap. */
  readonly afterLap: () => Promise<number>;
  /** The same page by MongoDB's driver. */
  readonly driver: () => Promise<number>;
}

/** Page 0 of many laps in MongoDB against page 0 of few: while nothing changes, and each time after a lap. */
export async function pageOfManyServer(world: World): Promise<Result[]> {
  const { middle, small } = world.scale;
  const [large, little] = [middle / PART, small / PART];
  const [many, few] = [await sideOf(world, large), await sideOf(world, little)];
  const times = { again: [] as Pair[], afterLap: [] as Pair[], driver: [] as Pair[] };
  for (let n = 0; n < ROUNDS; n += 1) {
    for (const what of ['again', 'afterLap', 'driver'] as const)
      times[what].push([await many[what](), await few[what]()]);
  }
  const row = (work: string, goal: Goal | null, pairs: readonly Pair[]) =>
    resultOf(`${work} of ${large} laps on MongoDB`, { goal, small: little, pairs });
  return [
    row('GET page 0', atMost(1.5), times.again),
    row('GET page 0, after each lap,', null, times.afterLap),
    row("page 0 by MongoDB's driver, sorted,", null, times.driver),
  ];
}

/** Times of both sides in a round, ms. */
type Pair = readonly [many: number, few: number];

function resultOf(
  work: string,
  { goal, small, pairs }: { readonly goal: Goal | null; readonly small: number; readonly pairs: readonly Pair[] },
): Result {
  const ratios = pairs.map(([many, few]) => many / few);
  const ratio = median(ratios);
  return {
    work,
    figure: `${round(median(pairs.map(([many]) => many)))} ms`,
    baseline: `${round(median(pairs.map(([, few]) => few)))} ms of ${small} laps`,
    ratio,
    shown: `${ratio.toFixed(2)}×`,
    goal,
    ratios,
    sides: [],
    notes: [],
  };
}

async function sideOf(world: World, laps: number): Promise<Side> {
  const url = await world.mongo();
  const server = await world.server('service', {
    dataDir: world.newPath(),
    environment: { ...ENVIRONMENT, MONGODB_URL: url },
  });
  // A store of its own: what laps refer to has other ids there.
  const post = lapPosts(await makeFixtures(server.url), 'service');
  const driver = await world.driver('mongo-driver', url);
  const client = await Client.open(server.url, 1);
  const ask = async (call: Call): Promise<number> => {
    const { latencies } = await client.run(0, () => call);
    return median(latencies);
  };
  for (let n = 0; n < RECORDED; n += 1) await ask(post());
  await driver.ask('multiply', z.null(), { count: laps });
  // Counts of many documents are remembered for a while.
  const page = get(`/api/v1/laps/paged?size=${PAGE_SIZE}`, (body) => {
    const { content, totalElements } = PageShown.parse(JSON.parse(body));
    return content.length === PAGE_SIZE && totalElements >= laps;
  });
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
    async driver() {
      const { seconds } = await driver.ask('page', Timed, { size: PAGE_SIZE });
      return seconds * 1_000;
    },
  };
}
