import { expect } from 'chai';
import { useVenue } from '../support/api/with-service.ts';
import { expectStatus, type Client } from '../support/api/client.ts';
import { createRace } from '../support/api/leaderboard.ts';
import { bodies } from '../support/api/venue.ts';

const PHONES = 50;
const DRIVERS = 60;
const ROUNDS = 6;

describe('API: the phones of a venue', () => {
  const api = useVenue({ UNLIMITED_CLIENTS: 'none' });

  it('watch one board from behind one address, and page through it, without ever being refused', async () => {
    const { eventId, enter } = await createRace(api.admin, api.venue);
    const drivers = await Promise.all(Array.from({ length: DRIVERS }, (_, n) => enter('Driver', `No${n}`)));
    const lapOf = (participantId: string) => bodies.lap({ ...api.venue, eventId, participantId });
    const laps = drivers.flatMap((driver) => [lapOf(driver), lapOf(driver), lapOf(driver)]);
    expectStatus(await api.admin.post('/api/v1/laps/batch', { laps }), 200);

    const board = `/api/v1/events/${eventId}/leaderboard?size=20`;
    const watch = async (phone: Client, round: number): Promise<readonly number[]> => {
      const paths = [0, 1, 2].map((page) => `${board}&page=${page}`);
      paths.push(`/api/v1/laps/paged?eventId=${eventId}&sort=createdAt,desc&page=${round}`, `${board}&validOnly=false`);
      const statuses: number[] = [];
      for (const path of paths) statuses.push((await phone.get(path)).status);
      return statuses;
    };
    const refused: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      expectStatus(await api.admin.post('/api/v1/laps', lapOf(drivers[round] ?? '')), 201);
      const seen = await Promise.all(Array.from({ length: PHONES }, () => watch(api.anyone, round)));
      refused.push(...seen.flat().filter((status) => status !== 200));
    }
    expect(refused).to.deep.equal([]);
    const left = /"reading";r=(\d+);/.exec((await api.anyone.get('/api/v1/laps')).header('ratelimit'));
    expect(Number(left?.[1])).to.be.above(25_000);
  });
});
