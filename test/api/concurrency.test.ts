import { expect } from 'chai';
import { idOf, textOf, type Answer } from '../support/api/client.ts';
import { unique } from '../support/resources/fields.ts';
import { bodies, createLicense, issueLicenseFile } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

const ATTEMPTS = 100;

/** The number of answers with each status. */
function statuses(answers: readonly Answer[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function atOnce<T>(count: number, run: (index: number) => Promise<T>): Promise<readonly T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => run(index)));
}

describe('API: concurrent requests', () => {
  const api = useVenue();

  it(`${ATTEMPTS} registrations of one hardwareId: one 201, the others 409`, async () => {
    const { manager, licenseId } = api.venue;
    const body = { hardwareId: `hw-${unique()}`, licenseFile: await issueLicenseFile(manager, licenseId) };
    const answers = await atOnce(ATTEMPTS, () => manager.post('/api/v1/rigs', body));
    expect(statuses(answers)).to.deep.equal({ 201: 1, 409: ATTEMPTS - 1 });
    const winner = answers.find(({ status }) => status === 201);
    expect(await manager.read(`/api/v1/rigs/hardwareId/${body.hardwareId}`)).to.deep.equal(winner?.body.rig);
    const rigs = await manager.list('/api/v1/rigs');
    expect(rigs.filter(({ hardwareId }) => hardwareId === body.hardwareId)).to.have.length(1);
    const keys = await manager.list('/api/v1/api-keys');
    expect(
      keys.filter((key) => textOf(key, 'name').includes(body.hardwareId)),
      'no key without a rig',
    ).to.have.length(1);
  });

  it(`${ATTEMPTS} participants of one licence: one 201, the others 200, all with the same body`, async () => {
    const { licenseId } = await createLicense(api.admin);
    const answers = await atOnce(ATTEMPTS, (index) =>
      api.admin.post('/api/v1/participants', { ...bodies.participant(licenseId), firstName: `Racer ${index}` }),
    );
    expect(statuses(answers)).to.deep.equal({ 200: ATTEMPTS - 1, 201: 1 });
    expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
  });

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

  it('all of 200 laps recorded at once are stored, and each answer equals the next GET', async () => {
    const before = (await api.anyone.list('/api/v1/laps')).length;
    const laps = await atOnce(200, (index) =>
      api.venue.rig.create('/api/v1/laps', { ...bodies.lap(api.venue), totalTime: index }),
    );
    expect(await api.anyone.list('/api/v1/laps')).to.have.length(before + 200);
    for (const lap of laps.slice(0, 10)) expect(await api.anyone.read(`/api/v1/laps/${idOf(lap)}`)).to.deep.equal(lap);
  });
});
