import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { BUILT_IN_VERSION } from '../src/service/resources/built-in.ts';
import { Client, expectProblem, expectStatus } from './support/api/client.ts';
import { answerCheckOf, operationsOf, type OpenApi } from './support/api/openapi.ts';
import { createLicense, createVenue, type Venue } from './support/api/venue.ts';
import { generation, untilState } from './support/processes/rebuilding.ts';
import { runCommand } from './support/processes/command-process.ts';
import { withServiceHere } from './support/processes/service-here.ts';
import { ADMIN_TOKEN, preloading, World, type ServiceProcess } from './support/processes/world.ts';

/** Beside `world.ts`, as `World.start` takes it. */
const SPONSORS = '../sponsors/preload';

describe('adding a resource: a service with sponsors', () => {
  const world = new World();
  const dataDir = world.directory();
  let venue: Venue;
  let service: ServiceProcess;
  let document: OpenApi;
  let admin: Client;
  let manager: Client;
  let path: string;
  const timing = (...args: readonly string[]) => runCommand(args, preloading(SPONSORS, { DATA_DIR: dataDir }));
  const sponsor = (more = {}) => ({
    licenseId: venue.licenseId,
    displayName: 'Brakes & Sons',
    slug: 'brakes',
    website: 'https://brakes.example',
    logo: 'BRAND/brakes.svg',
    tier: 'GOLD',
    eventIds: [venue.eventId],
    ...more,
  });

  before(async () => {
    venue = await withServiceHere(dataDir, ({ admin: before }) => createVenue(before));
    service = await world.service({ dataDir, preload: SPONSORS });
    // What the service says of itself: held against by every answer from here on.
    document = (await service.admin.read('/api-docs')) as unknown as OpenApi;
    admin = new Client(service.url, answerCheckOf(document), ADMIN_TOKEN);
    manager = admin.as(venue.manager.token);
  });
  after(() => world.clean());

  it('says so in its document', () => {
    const operations = operationsOf(document).filter(({ path: found }) => found.startsWith('/api/v1/sponsors'));
    expect(operations.map(({ method, operation }) => `${method} ${operation.operationId}`)).to.have.members([
      'GET listSponsors',
      'POST createSponsor',
      'GET pageSponsors',
      'GET getSponsor',
      'PATCH updateSponsor',
      'GET getSponsorHistory',
    ]);
    expect(Object.keys(document.components.schemas)).to.include.members([
      'Sponsor',
      'SponsorTier',
      'AddSponsor',
      'ChangeSponsor',
    ]);
  });

  it('creates one, and shows it', async () => {
    const created = expectStatus(await manager.post('/api/v1/sponsors', sponsor()), 201);
    path = created.header('location');
    const { displayName } = await manager.read('/api/v1/licenses/current');
    expect(created.body).to.deep.include({ ...sponsor(), enabled: true, licenseDisplayName: displayName });
    expect(await manager.read(path)).to.deep.equal(created.body);
  });

  it('refuses what is out of bounds, references to nothing, and a slug that its licence already has', async () => {
    const refusedFor = async (more: object, status: number, pointer: string) =>
      expectProblem(await manager.post('/api/v1/sponsors', sponsor({ slug: 'other', ...more })), status, pointer);
    await refusedFor({ website: 'javascript:alert(1)' }, 400, '#/website');
    await refusedFor({ eventIds: [venue.eventId, venue.rigId] }, 422, '#/eventIds/1');
    await refusedFor({ slug: 'brakes' }, 409, '#/slug');
    expectProblem(await admin.as(null).post('/api/v1/sponsors', sponsor()), 401);
  });

  it('belongs to the licence that it names: others neither make nor change one for it', async () => {
    const { manager: other, licenseId } = await createLicense(admin);
    expectProblem(await other.post('/api/v1/sponsors', sponsor({ slug: 'theirs' })), 403, '#/licenseId');
    expectProblem(await other.patch(path, { tier: 'SILVER' }), 403);
    expectProblem(await manager.patch(path, { licenseId }), 403, '#/licenseId');
    expectStatus(await other.post('/api/v1/sponsors', sponsor({ licenseId })), 201);
  });

  it('lists them by licence and event, in pages too', async () => {
    await manager.create('/api/v1/sponsors', sponsor({ displayName: 'Apex Oil', slug: 'apex', eventIds: [] }));
    const names = async (query: string) => {
      const { content } = await admin.as(null).read(`/api/v1/sponsors/paged${query}`);
      // A page's content is a list of resources: every body was held against the document.
      return (content as readonly { readonly displayName: string }[]).map(({ displayName }) => displayName);
    };
    expect(await names(`?licenseId=${venue.licenseId}`)).to.deep.equal(['Apex Oil', 'Brakes & Sons']);
    expect(await names(`?licenseId=${venue.licenseId}&size=1&page=1`)).to.deep.equal(['Brakes & Sons']);
    expect(await names(`?licenseId=${venue.licenseId}&eventId=${venue.eventId}`)).to.deep.equal(['Brakes & Sons']);
  });

  it('changes one, which follows the name of its licence, and has a history of who changed what', async () => {
    const change = { tier: 'TITLE', eventIds: [], enabled: false };
    expect(await manager.change(path, change)).to.deep.include(change);
    await admin.change(`/api/v1/licenses/${venue.licenseId}`, { displayName: 'Wet Arena' });
    expect(await admin.read(path)).to.include({ licenseDisplayName: 'Wet Arena' });
    const history = await manager.list(`${path}/history`);
    expect(history.map(({ type }) => type)).to.deep.equal([
      'SponsorAdded',
      'SponsorTierChanged',
      'SponsorEventsChanged',
      'SponsorDisabled',
    ]);
  });

  it('rebuilt its read models, because the former ones were of a version without sponsors', async () => {
    const { current } = await untilState(dataDir, ({ current: { version } }) => version !== BUILT_IN_VERSION);
    expect(current).to.include({ namespace: generation(2), version: BUILT_IN_VERSION + 1 });
  });

  it('knows its events, and exports its table', async () => {
    const { out } = await timing('events', '--type', 'SponsorTierChanged');
    expect(out).to.match(/"data":\{"tier":"TITLE"\}\}\n$/);
    const table = join(world.directory(), 'sponsors.csv');
    expect(await timing('export', 'sponsors', '--out', table)).to.deep.include({ code: 0 });
    expect(readFileSync(table, 'utf8')).to.match(/^.?id,licenseId,displayName,slug,website,logo,tier,/);
  });

  it('shows what a replay of its history gives', async () => {
    expect(await timing('verify')).to.deep.include({ code: 0 });
  });
});
