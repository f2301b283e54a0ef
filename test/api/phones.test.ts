import { expect } from 'chai';
import { useVenue } from '../support/api/with-service.ts';
import { BATCH } from '../support/api/batches.ts';
import { expectProblem, expectStatus, type Client } from '../support/api/client.ts';
import { createRace } from '../support/api/leaderboard.ts';
import { bodies } from '../support/api/venue.ts';

/** Phones, drivers, and laps after each of which every phone looks at everything. */
const PHONES = 10;
const DRIVERS = 12;
const ROUNDS = 3;

describe('API: the quotas of a venue', () => {
  const api = useVenue({ UNLIMITED_CLIENTS: 'none', KEY_REQUESTS_PER_MINUTE: '100' });

  it('let phones behind one address watch and page through a board, since a cached page costs one request', async () => {
    const { eventId, enter } = await createRace(api.admin, api.venue);
    const drivers = await Promise.all(Array.from({ length: DRIVERS }, (_, n) => enter('Driver', `No${n}`)));
    const lapOf = (participantId: string) => bodies.lap({ ...api.venue, eventId, participantId });
    expectStatus(await api.venue.manager.post(BATCH, { laps: drivers.map(lapOf) }), 200);

    const board = `/api/v1/events/${eventId}/leaderboard?size=4`;
    const watch = async (phone: Client, round: number): Promise<void> => {
      const paths = [0, 1, 2].map((page) => `${board}&page=${page}`);
      paths.push(`/api/v1/laps/paged?eventId=${eventId}&sort=createdAt,desc&page=${round}`, `${board}&validOnly=false`);
      for (const path of paths) expectStatus(await phone.get(path), 200);
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      await api.admin.create('/api/v1/laps', lapOf(drivers[round] ?? ''));
      await Promise.all(Array.from({ length: PHONES }, () => watch(api.anyone, round)));
    }
    // Of 30,000 in a minute: 50 phones may look every second.
    const quotas = (await api.anyone.get('/api/v1/laps')).header('ratelimit');
    const left = (name: string) => Number(new RegExp(`"${name}";r=(\\d+);`).exec(quotas)?.[1]);
    expect(left('address')).to.be.above(29_500);
    expect(left('reading')).to.be.above(29_900);
  });

  it('count a batch as one request for each lap', async () => {
    const laps = Array.from({ length: 60 }, () => bodies.lap(api.venue));
    expectStatus(await api.venue.rig.post(BATCH, { laps }), 200);
    const refused = await api.venue.rig.post(BATCH, { laps });
    expectProblem(refused, 429);
    expect(Number(refused.header('retry-after'))).to.be.greaterThan(0);
  });
});
