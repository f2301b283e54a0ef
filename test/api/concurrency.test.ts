import { expect } from 'chai';
import { idOf, textOf, type Answer } from '../support/api/client.ts';
import { bodies } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

const ATTEMPTS = 20;

/** The number of answers with each status. */
function statuses(answers: readonly Answer[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function atOnce<T>(count: number, run: (index: number) => Promise<T>): Promise<readonly T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => run(index)));
}

// `two-nodes.ts` has rigs, participants and Idempotency-Keys, of which one wins on two nodes.
describe('API: concurrent requests', () => {
  const api = useVenue();

  for (const name of ['Track', 'SignupField', 'SimulatorLayout']) {
    it(`${ATTEMPTS} of one ${name}: one 201, the others 409`, async () => {
      const { path, body } = api.resource(name);
      const wanted = await body();
      const before = (await api.anyone.list(path)).length;
      const answers = await atOnce(ATTEMPTS, () => api.admin.post(path, wanted));
      expect(statuses(answers)).to.deep.equal({ 201: 1, 409: ATTEMPTS - 1 });
      expect(await api.anyone.list(path)).to.have.length(before + 1);
    });
  }

  it('50 PATCHes of one lap without If-Match all succeed, and the lap ends as one of them left it', async () => {
    const path = `/api/v1/laps/${api.venue.lapId}`;
    const answers = await atOnce(50, (index) =>
      api.venue.rig.patch(path, { totalTime: 1_000 + index, sectors: [index] }),
    );
    expect(statuses(answers)).to.deep.equal({ 200: 50 });
    const { totalTime, sectors } = await api.anyone.read(path);
    expect(totalTime).to.be.within(1_000, 1_049);
    expect(sectors, 'both of one PATCH').to.deep.equal([Number(totalTime) - 1_000]);
    const revision = /^"(\d+)/.exec((await api.anyone.get(path)).header('etag'))?.[1];
    expect(Number(revision), 'every PATCH is an event').to.be.at.least(49);
  });

  it('after tracks swap and chase slugs, every slug is held once', async () => {
    const tracks = await atOnce(6, () => api.admin.create('/api/v1/tracks', bodies.track()));
    const slugs = tracks.map((track) => textOf(track, 'slug'));
    const answers = await atOnce(60, (index) =>
      api.admin.patch(`/api/v1/tracks/${idOf(tracks[index % 6] ?? {})}`, {
        slug: slugs[(index * 5 + 1) % 6] ?? `free-${index}`,
      }),
    );
    for (const { status } of answers) expect(status).to.be.oneOf([200, 409]);
    const held = (await api.anyone.list('/api/v1/tracks')).map(({ slug }) => slug);
    expect(new Set(held).size).to.equal(held.length);
  });

  it('all of 100 laps recorded at once are stored, and each answer equals the next GET', async () => {
    const before = (await api.anyone.list('/api/v1/laps')).length;
    const laps = await atOnce(100, (index) =>
      api.venue.rig.create('/api/v1/laps', { ...bodies.lap(api.venue), totalTime: index }),
    );
    expect(await api.anyone.list('/api/v1/laps')).to.have.length(before + 100);
    for (const lap of laps.slice(0, 10)) expect(await api.anyone.read(`/api/v1/laps/${idOf(lap)}`)).to.deep.equal(lap);
  });
});
