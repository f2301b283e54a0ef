import { expect } from 'chai';
import { leaderboards } from '../../projections/leaderboards/leaderboards.ts';
import { leaderboardPage } from '../../queries/leaderboards/leaderboards.ts';
import type { EventStore } from '../../src/service/kernel/ports/event-store.ts';
import type { ReadModels } from '../../src/service/kernel/ports/read-store.ts';
import { builtInOver, world } from '../support/simulation/laps.ts';
import { appendLeague } from '../support/simulation/league-events.ts';
import { leagueProjections } from '../support/simulation/league.ts';
import { poisonedTwice } from '../support/simulation/poison.ts';
import type { Projected, ProjectedTwice, Simulated } from '../support/simulation/projectors.ts';
import { playHistories } from '../support/simulation/random.ts';
import { depth } from '../support/depth.ts';
import { boardSources } from '../support/leaderboards/sources.ts';

/** `SIMULATION_HISTORIES` and `SIMULATION_EVENTS` set more or longer histories. */
const HISTORIES = depth({ short: 4, deep: 40 });
/** Histories of the league, which are short. */
const SHORT_HISTORIES = depth({ short: 80, deep: 1_000 });
const EVENTS = Number(process.env['SIMULATION_EVENTS'] ?? 150);

const league: Simulated = {
  projections: leagueProjections,
  append: (store, chances) => appendLeague(unshared(store), chances, 20 + chances.below(60)),
  luck: { crash: [0, 15, 50], pause: [0, 8, 20] },
};

/**
 * If events of several streams set the same field of a document, the last one wins, and a retry comes last (see
 * `Parking`). So only one team names captains here, and only one player moves.
 */
function unshared(store: EventStore): EventStore {
  return {
    ...store,
    async append(stream, [event, ...more], expected) {
      const shared =
        (event?.type === 'CaptainNamed' && stream !== 'team-t0') ||
        (event?.type === 'PlayerMovedToTeam' && stream !== 'player-p0');
      return shared || event === undefined ? NOWHERE : store.append(stream, [event, ...more], expected);
    },
  };
}

const NOWHERE = { revision: 0, position: 0 };

const builtIn = builtInOver(EVENTS);

/**
 * Their reserve of laps depends on the order in which laps arrive, which a retry changes; their answers do not.
 */
const GATHERING = [leaderboards.collection];

describe('simulation of poison events', () => {
  it('ends a league as a clean rebuild does once all events are projected', async () => {
    await playHistories('dead letters of a league', SHORT_HISTORIES, async (seed) =>
      expectSame(await poisonedTwice(seed, league)),
    );
  }).timeout(3_600_000);

  it('ends the built-in projections so too, and answers the same leaderboards', async () => {
    await playHistories('dead letters', HISTORIES, async (seed) => {
      const twice = await poisonedTwice(seed, builtIn);
      expectSame(twice);
      for (const wish of boardRequests()) {
        expect(await boardOf(twice.projected.models, wish)).to.deep.equal(await boardOf(twice.rebuilt.models, wish));
      }
    });
  }).timeout(3_600_000);
});

function expectSame({ projected, rebuilt }: ProjectedTwice): void {
  expect([...projected.documents.keys()]).to.have.members([...rebuilt.documents.keys()]);
  const wanted = comparable(rebuilt);
  for (const [key, document] of comparable(projected)) expect(document, key).to.deep.equal(wanted.get(key));
  expect(projected.checkpoint).to.equal(rebuilt.checkpoint);
}

/** Leaves out positions, as a retry has its own, and another event may create a document. */
function comparable({ documents }: Projected): ReadonlyMap<string, object> {
  const some = [...documents].filter(([key]) => !GATHERING.some((collection) => key.startsWith(`${collection}/`)));
  return new Map(some.map(([key, { _created: _, _position: __, ...document }]) => [key, document]));
}

function boardRequests() {
  const {
    eventIds,
    trackIds: [trackLayoutId = ''],
    carIds: [carId = ''],
  } = world;
  return eventIds.flatMap((eventId) => [
    { eventId, validOnly: true },
    { eventId, validOnly: false },
    { eventId, validOnly: true, trackLayoutId, carId },
  ]);
}

function boardOf(models: ReadModels, request: ReturnType<typeof boardRequests>[number]) {
  return leaderboardPage({ ...request, page: 0, size: 1_000 }, boardSources(models));
}
