import { expect } from 'chai';
import { BUILT_IN_VERSION } from '../projections/index.ts';
import { Client, expectProblem, expectStatus, idOf } from './support/api/client.ts';
import { answerCheckOf, operationsOf, type OpenApi } from './support/api/openapi.ts';
import { bodies, createVenue, type Venue } from './support/api/venue.ts';
import { generation, untilState } from './support/history/rebuilding.ts';
import { runCommand } from './support/processes/command-process.ts';
import { withServiceHere } from './support/processes/service-here.ts';
import { ADMIN_TOKEN, World, type ServiceProcess } from './support/processes/world.ts';

/** Beside `world.ts`, as `World.start` takes it. */
const PIT_STOPS = '../pit-stops/preload';
const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const preload = new URL(`./support/pit-stops/preload${extension}`, import.meta.url).href;

describe('adding a resource: a service with pit stops', function () {
  this.timeout(60_000);
  const world = new World();
  const dataDir = world.directory();
  let venue: Venue;
  let service: ServiceProcess;
  let document: OpenApi;
  let admin: Client;
  let path: string;
  const timing = (...args: readonly string[]) =>
    runCommand(args, { DATA_DIR: dataDir, NODE_OPTIONS: `--import=${preload}` });
  const pitStop = (more = {}) => ({ eventId: venue.eventId, duration: 21_500, tyres: 'SOFT', ...more });

  before(async () => {
    venue = await withServiceHere(dataDir, ({ admin: before }) => createVenue(before));
    service = await world.service({ dataDir, preload: PIT_STOPS });
    // What the service says of itself: held against by every answer from here on.
    document = (await service.admin.read('/api-docs')) as unknown as OpenApi;
    admin = new Client(service.url, answerCheckOf(document), ADMIN_TOKEN);
  });
  after(() => world.clean());

  it('says so in its document', () => {
    const operations = operationsOf(document).filter(({ path: found }) => found.startsWith('/api/v1/pit-stops'));
    expect(operations.map(({ method, operation }) => `${method} ${operation.operationId}`)).to.deep.equal([
      'GET listPitStops',
      'POST createPitStop',
      'GET pagePitStops',
      'GET getPitStop',
      'PATCH updatePitStop',
    ]);
    expect(Object.keys(document.components.schemas)).to.include.members(['PitStop', 'RecordPitStop', 'ChangePitStop']);
  });

  it('creates one, and shows it', async () => {
    const created = expectStatus(await admin.post('/api/v1/pit-stops', pitStop()), 201);
    path = created.header('location');
    const { name } = await admin.read(`/api/v1/events/${venue.eventId}`);
    expect(created.body).to.include({ ...pitStop(), note: null, enabled: true, eventName: name });
    expect(await admin.read(path)).to.deep.equal(created.body);
  });

  it('refuses what is out of bounds, and events that there are not', async () => {
    expectProblem(await admin.post('/api/v1/pit-stops', pitStop({ duration: -1 })), 400, '#/duration');
    expectProblem(await admin.post('/api/v1/pit-stops', pitStop({ eventId: venue.rigId })), 422, '#/eventId');
    expectProblem(await admin.as(null).post('/api/v1/pit-stops', pitStop()), 401);
  });

  it('lists them, in pages too', async () => {
    for (const duration of [30_000, 19_000]) await admin.create('/api/v1/pit-stops', pitStop({ duration }));
    const listed = await admin.as(null).list('/api/v1/pit-stops');
    expect(listed.map(({ duration }) => duration)).to.have.members([21_500, 30_000, 19_000]);
    const durations = async (query: string) => {
      const { content } = await admin.as(null).read(`/api/v1/pit-stops/paged${query}`);
      // A page's content is a list of resources: every body was held against the document.
      return (content as readonly { readonly duration: number }[]).map(({ duration }) => duration);
    };
    expect(await durations('?size=2')).to.deep.equal([19_000, 21_500]);
    expect(await durations('?size=2&page=1')).to.deep.equal([30_000]);
    expect(await durations('?sort=duration,desc')).to.deep.equal([30_000, 21_500, 19_000]);
  });

  it('changes one, which follows the names of others', async () => {
    const eventId = idOf(await admin.create('/api/v1/events', bodies.event(venue)));
    const change = { eventId, tyres: 'WET', note: 'It rains', enabled: false };
    const changed = await admin.change(path, change);
    expect(changed).to.include({ ...change, duration: 21_500 });
    expect(await admin.as(null).list('/api/v1/pit-stops')).to.have.lengthOf(2);
    await admin.change(`/api/v1/events/${eventId}`, { name: 'Wet evening' });
    expect(await admin.read(path)).to.include({ ...change, eventName: 'Wet evening' });
  });

  it('built its read models anew, as those of before were of a version without pit stops', async () => {
    const { current } = await untilState(dataDir, ({ current: { version } }) => version !== BUILT_IN_VERSION);
    expect(current).to.deep.equal({ namespace: generation(2), version: BUILT_IN_VERSION + 1 });
  });

  it('knows its events', async () => {
    const { out } = await timing('events', '--type', 'PitStopCorrected');
    expect(out).to.match(/"data":\{"duration":21500,"tyres":"WET"\}\}\n$/);
  });

  it('shows what a replay of its history gives', async () => {
    expect(await timing('verify')).to.deep.include({ code: 0 });
  });
});
