import { expect } from 'chai';
import type { JsonObject } from '../../src/service/kernel/json.ts';
import { idOf, textOf } from '../support/api/client.ts';
import { createLicense, registerRig, bodies } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

/** What is renamed: its path, the change, the name that it gives, and the fields that show it, by path. */
interface Renaming {
  readonly path: string;
  readonly change: JsonObject;
  readonly name: string;
  readonly shown: Readonly<Record<string, string>>;
}

const LAYOUT = 'simulators/{simulatorId}/layouts/{trackLayoutId}';
const MAPPED_CAR = 'simulators/{simulatorId}/cars/{carId}';
const SIMULATOR = { slug: 'renamed', logo: 'LOGO/a.png', logoWide: 'LOGO/b.png', displayName: 'Sim Z' };

const RENAMINGS: Readonly<Record<string, Renaming>> = {
  'a participant': {
    path: 'participants/{participantId}',
    change: { firstName: 'Grace', lastName: 'Hopper' },
    name: 'Grace Hopper',
    shown: { 'laps/{lapId}': 'participantName' },
  },
  'a participant, by last name only': {
    path: 'participants/{participantId}',
    change: { lastName: 'Murray' },
    name: 'Grace Murray',
    shown: { 'laps/{lapId}': 'participantName' },
  },
  'a rig': { path: 'rigs/{rigId}', change: { name: 'Rig One' }, name: 'Rig One', shown: { 'laps/{lapId}': 'rigName' } },
  'an event': {
    path: 'events/{eventId}',
    change: { name: 'Finals' },
    name: 'Finals',
    shown: { 'laps/{lapId}': 'eventName', 'signup-fields/{signupFieldId}': 'eventName' },
  },
  'a track': {
    path: 'tracks/{trackId}',
    change: { displayName: 'Nordschleife' },
    name: 'Nordschleife',
    shown: { 'track-layouts/{trackLayoutId}': 'trackDisplayName' },
  },
  'a track layout': {
    path: 'track-layouts/{trackLayoutId}',
    change: { displayName: 'Full course' },
    name: 'Full course',
    shown: { 'laps/{lapId}': 'trackDisplayName', [LAYOUT]: 'trackLayoutDisplayName' },
  },
  'a car': {
    path: 'cars/{carId}',
    change: { modelName: 'Model S' },
    name: 'Model S',
    shown: { [MAPPED_CAR]: 'carDisplayName' },
  },
  'a maker': {
    path: 'car-brands/{carBrandId}',
    change: { displayName: 'Maker Z' },
    name: 'Maker Z',
    shown: { 'cars/{carId}': 'brandDisplayName', [MAPPED_CAR]: 'carBrandDisplayName' },
  },
  'a car class': {
    path: 'car-classes/{carClassId}',
    change: { displayName: 'Class Z' },
    name: 'Class Z',
    shown: { 'cars/{carId}': 'carClassDisplayName', [MAPPED_CAR]: 'carClassDisplayName' },
  },
  'a simulator': {
    path: 'simulators/{simulatorId}',
    change: SIMULATOR,
    name: 'Sim Z',
    shown: {
      'events/{eventId}': 'simulatorDisplayName',
      [LAYOUT]: 'simulatorDisplayName',
      [MAPPED_CAR]: 'simulatorDisplayName',
    },
  },
  'a licence': {
    path: 'licenses/{licenseId}',
    change: { displayName: 'Venue Z' },
    name: 'Venue Z',
    shown: { 'rigs/{rigId}': 'licenseDisplayName', 'participants/{participantId}': 'licenseDisplayName' },
  },
};

describe('API: names that others show', () => {
  const api = useVenue();
  /** A path with the ids of the venue in it. */
  const v1 = (path: string): string =>
    `/api/v1/${path.replace(/\{(\w+)\}/g, (_, name: string) => String(Reflect.get(api.venue, name)))}`;

  before(async () => {
    const { simulatorId, trackLayoutId, carId } = api.venue;
    await api.admin.create(v1(`simulators/${simulatorId}/layouts`), { trackLayoutId, simulatorIdentifier: 'nords' });
    await api.admin.create(v1(`simulators/${simulatorId}/cars`), { carId, simulatorIdentifier: 'gt3' });
  });

  it('are there from the start', async () => {
    const { lapId, rigId, carId } = api.venue;
    const lap = await api.admin.read(v1(`laps/${lapId}`));
    expect(lap.participantName).to.match(/^Ada Racer /);
    expect(lap.rigName, 'a rig has no name until it gets one').to.equal(null);
    for (const [path, field] of Object.values(RENAMINGS).flatMap(({ shown }) => Object.entries(shown))) {
      if (field === 'rigName') continue;
      expect(textOf(await api.admin.read(v1(path)), field), `${path} ${field}`).not.to.equal('');
    }
    expect((await api.admin.read(v1(`rigs/${rigId}`))).licenseDisplayName).to.match(/^Licence /);
    expect((await api.admin.read(v1(`cars/${carId}`))).brandDisplayName).to.match(/^Maker /);
  });

  for (const [renamed, { path, change, name, shown }] of Object.entries(RENAMINGS)) {
    it(`follow when ${renamed} is renamed, at once`, async () => {
      await api.admin.change(v1(path), change);
      for (const [place, field] of Object.entries(shown)) {
        expect((await api.admin.read(v1(place)))[field], `${field} of ${place}`).to.equal(name);
      }
    });
  }

  it('follow in lists, pages and embedded mappings too', async () => {
    const { simulatorId, trackLayoutId, lapId } = api.venue;
    await api.admin.change(v1(`track-layouts/${trackLayoutId}`), { displayName: 'GP course' });
    const simulators = await api.anyone.list(v1('simulators'));
    const layouts = simulators.find(({ id }) => id === simulatorId)?.layouts;
    expect(layouts).to.deep.equal([await api.anyone.read(v1(`simulators/${simulatorId}/layouts/${trackLayoutId}`))]);
    expect(layouts).to.have.nested.property('[0].trackLayoutDisplayName', 'GP course');
    const page = await api.anyone.read(v1('laps/paged'));
    expect(page.content).to.deep.equal([await api.anyone.read(v1(`laps/${lapId}`))]);
    expect(page.content).to.have.nested.property('[0].trackDisplayName', 'GP course');
  });

  it('follow when a reference moves, in mappings of what moved as well', async () => {
    const { carId, simulatorId } = api.venue;
    const maker = await api.admin.create(v1('car-brands'), bodies.carBrand());
    const carClass = await api.admin.create(v1('car-classes'), bodies.carClass());
    const moved = await api.admin.change(v1(`cars/${carId}`), { brandId: idOf(maker), carClassId: idOf(carClass) });
    expect(moved).to.include({ brandDisplayName: maker.displayName, carClassDisplayName: carClass.displayName });
    expect(await api.admin.read(v1(`simulators/${simulatorId}/cars/${carId}`))).to.include({
      carBrandId: maker.id,
      carBrandDisplayName: maker.displayName,
      carClassId: carClass.id,
      carClassDisplayName: carClass.displayName,
    });
  });

  it('follow when a lap moves to other neighbours, and no longer those it left', async () => {
    const { lapId, eventId, participantId, rigId, trackId } = api.venue;
    const license = await createLicense(api.admin);
    const rig = await registerRig(license.manager, license.licenseId);
    await api.admin.change(v1(`rigs/${rig.rigId}`), { name: 'Second rig' });
    const participant = await api.admin.create(v1('participants'), bodies.participant(license.licenseId));
    const layout = await api.admin.create(v1('track-layouts'), bodies.trackLayout(trackId));
    const event = await api.admin.create(v1('events'), bodies.event({ ...api.venue, rigId: rig.rigId }));
    const moved = await api.admin.change(v1(`laps/${lapId}`), {
      rigId: rig.rigId,
      participantId: idOf(participant),
      trackId: idOf(layout),
      eventId: idOf(event),
    });
    expect(moved).to.include({
      rigName: 'Second rig',
      participantName: `Ada ${textOf(participant, 'lastName')}`,
      trackDisplayName: layout.displayName,
      eventName: event.name,
    });
    await api.admin.change(v1(`events/${eventId}`), { name: 'Left behind' });
    await api.admin.change(v1(`rigs/${rigId}`), { name: 'Left behind' });
    await api.admin.change(v1(`participants/${participantId}`), { firstName: 'Left', lastName: 'behind' });
    expect(await api.admin.read(v1(`laps/${lapId}`))).to.deep.equal(moved);
  });
});
