import { giveWay } from '../../src/runtime/give-way.ts';
import { atMost, median, resultOf, round, type Result } from './comparison.ts';
import { Client, type Call } from './load.ts';
import { filtered, inTurns, posts, spelled } from './requests.ts';
import { warmUp } from './rows.ts';
import type { Server, World } from './world.ts';

/** Times that each page is asked for, and pages until the one without filters is. */
const ROUNDS = 7;
const OFTEN = 8;

/** The bench's laps begin on that day, 137 ms apart. */
const MINUTES = 'from=2025-01-01T00:02:00Z&to=2025-01-01T00:05:00Z';
const IDS = ['eventId', 'participantId', 'rigId', 'carId', 'trackId'];
const FILTERS = [...IDS, 'valid=true', 'valid=false', MINUTES, 'maxTotalTime=70000'];
const PAIRS = FILTERS.flatMap((one, n) => FILTERS.slice(n + 1).map((two) => `${one}&${two}`)).filter(
  (pair) => pair !== 'valid=true&valid=false',
);
const SORTS = ['totalTime', 'createdAt,desc', 'drivenAt'];
const QUERIES = SORTS.flatMap((sort) => PAIRS.map((pair) => `${pair}&sort=${sort}`));

/** CPU of pages by two filters that were never asked for, one at a time, compared with such pages without filters. */
export async function filters(world: World): Promise<readonly Result[]> {
  const { large } = world.scale;
  const server = await world.service(await world.own(large));
  const post = await posts()(server);
  const pages = inTurns(QUERIES.map((query, n) => filtered(query, server, n)));
  // A lap makes the service compute and count again.
  const both = inTurns([post, pages]);
  await warmUp(world, server, { next: () => both()() });
  const client = new Client(server.url, 1);
  const plain: number[] = [];
  const taken = new Map(QUERIES.map((query): [string, number[]] => [query, []]));
  for (let n = 0; n < ROUNDS; n += 1) {
    for (const [place, [query, all]] of [...taken].entries()) {
      if (place % PAIRS.length === 0) await cpuOf(server, client, post());
      const unfiltered = filtered(spelled('sort=totalTime', place + n), server, 0);
      if (place % OFTEN === 0) plain.push(await cpuOf(server, client, unfiltered));
      all.push(await cpuOf(server, client, filtered(query, server, place + n)));
    }
  }
  const most = [...taken].map(([query, all]) => ({ query, micros: median(all) })).sort((a, b) => b.micros - a.micros);
  const page0 = median(plain);
  return [most.slice(0, 1), most.slice(Math.floor(most.length / 2)).slice(0, 1)]
    .flat()
    .map(({ query, micros }, place) =>
      resultOf({
        work: `a page of ${large} laps by two filters, never asked for, the ${place === 0 ? 'slowest' : 'median'} of ${most.length}`,
        figure: `${round(micros)} µs CPU`,
        baseline: `${round(page0)} µs page 0 without filters`,
        ratio: micros / page0,
        goal: atMost(12),
        notes: [`${query}; over one connection`],
      }),
    );
}

/** CPU of one answer, in µs, with all that follows it. */
async function cpuOf({ child }: Server, client: Client, call: Call): Promise<number> {
  const before = child.threadMicros();
  await client.run(0, () => call);
  // What a thread takes is known exactly once it sleeps; until then, some systems do not tell it at all.
  while (child.isRunning()) await giveWay();
  return child.threadMicros() - before;
}
