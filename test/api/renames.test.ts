import { expect } from 'chai';
import type { JsonObject } from '../../src/kernel/json.ts';
import { idOf, textOf } from '../support/client.ts';
import { createLicense, registerRig, bodies, type Venue } from '../support/venue.ts';
import { useVenue } from '../support/with-service.ts';

/** Where a name shows: path of what shows it, and the field. */
type Sight = readonly [path: string, field: string];

/** What is renamed: its path, the change, the name that it gives, and every place that shows it. */
interface Renaming {
  readonly path: string;
  readonly change: JsonObject;
  readonly name: string;
  readonly sights: readonly Sight[];
}

function renamings(v: Venue): Readonly<Record<string, Renaming>> {
  const lap = `laps/${v.lapId}`;
  const layout = `simulators/${v.simulatorId}/layouts/${v.trackLayoutId}`;
  const mappedCar = `simulators/${v.simulatorId}/cars/${v.carId}`;
  const car = `cars/${v.carId}`;
  const whole = { slug: 'renamed', logo: 'LOGO/a.png', logoWide: 'LOGO/b.png' };
  return {
    'a participant': {
      path: `participants/${v.participantId}`, change: { firstName: 'Grace', lastName: 'Hopper' }, name: 'Grace Hopper',
      sights: [[lap, 'participantName']],
    },
    'a participant, by last name only': {
      path: `participants/${v.participantId}`, change: { lastName: 'Murray' }, name: 'Grace Murray',
      sights: [[lap, 'participantName']],
    },
    'a rig': { path: `rigs/${v.rigId}`, change: { name: 'Rig One' }, name: 'Rig One', sights: [[lap, 'rigName']] },
    'an event': {
      path: `events/${v.eventId}`, change: { name: 'Finals' }, name: 'Finals',
      sights: [[lap, 'eventName'], [`signup-fields/${v.signupFieldId}`, 'eventName']],
    },
    'a track': {
      path: `tracks/${v.trackId}`, change: { displayName: 'Nordschleife' }, name: 'Nordschleife',
      sights: [[`track-layouts/${v.trackLayoutId}`, 'trackDisplayName']],
    },
    'a track layout': {
      path: `track-layouts/${v.trackLayoutId}`, change: { displayName: 'Full course' }, name: 'Full course',
      sights: [[lap, 'trackDisplayName'], [layout, 'trackLayoutDisplayName']],
    },
    'a car': { path: car, change: { modelName: 'Model S' }, name: 'Model S', sights: [[mappedCar, 'carDisplayName']] },
    'a maker': {
      path: `car-brands/${v.carBrandId}`, change: { displayName: 'Maker Z' }, name: 'Maker Z',
      sights: [[car, 'brandDisplayName'], [mappedCar, 'carBrandDisplayName']],
    },
    'a car class': {
      path: `car-classes/${v.carClassId}`, change: { displayName: 'Class Z' }, name: 'Class Z',
      sights: [[car, 'carClassDisplayName'], [mappedCar, 'carClassDisplayName']],
    },
    'a simulator': {
      path: `simulators/${v.simulatorId}`, change: { ...whole, displayName: 'Sim Z' }, name: 'Sim Z',
      sights: [[`events/${v.eventId}`, 'simulatorDisplayName'], [layout, 'simulatorDisplayName'], [mappedCar, 'simulatorDisplayName']],
    },
    'a licence': {
      path: `licenses/${v.licenseId}`, change: { displayName: 'Venue Z' }, name: 'Venue Z',
      sights: [[`rigs/${v.rigId}`, 'licenseDisplayName'], [`participants/${v.participantId}`, 'licenseDisplayName']],
    },
  };
}

const NAMES = [
  'a participant', 'a participant, by last name only', 'a rig', 'an event', 'a track', 'a track layout', 'a car',
  'a maker', 'a car class', 'a simulator', 'a licence',
] as const;

describe('API: names that others show', () => {
  const api = useVenue();
  const v1 = (path: string): string => `/api/v1/${path}`;

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
    for (const [path, field] of Object.values(renamings(api.venue)).flatMap(({ sights }) => sights)) {
      if (field !== 'rigName') expect(textOf(await api.admin.read(v1(path)), field), `${path} ${field}`).not.to.equal('');
    }
    expect((await api.admin.read(v1(`rigs/${rigId}`))).licenseDisplayName).to.match(/^Licence /);
    expect((await api.admin.read(v1(`cars/${carId}`))).brandDisplayName).to.match(/^Maker /);
  });

  for (const renamed of NAMES) {
    it(`follow when ${renamed} is renamed, at once`, async () => {
      const renaming = renamings(api.venue)[renamed];
      if (renaming === undefined) throw new Error(`no ${renamed}`);
      await api.admin.change(v1(renaming.path), renaming.change);
      for (const [path, field] of renaming.sights) {
        expect((await api.admin.read(v1(path)))[field], `${field} of ${path}`).to.equal(renaming.name);
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
      carBrandId: maker.id, carBrandDisplayName: maker.displayName, carClassId: carClass.id,
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
      rigId: rig.rigId, participantId: idOf(participant), trackId: idOf(layout), eventId: idOf(event),
    });
    expect(moved).to.include({
      rigName: 'Second rig', participantName: `Ada ${textOf(participant, 'lastName')}`,
      trackDisplayName: layout.displayName, eventName: event.name,
    });
    await api.admin.change(v1(`events/${eventId}`), { name: 'Left behind' });
    await api.admin.change(v1(`rigs/${rigId}`), { name: 'Left behind' });
    await api.admin.change(v1(`participants/${participantId}`), { firstName: 'Left', lastName: 'behind' });
    expect(await api.admin.read(v1(`laps/${lapId}`))).to.deep.equal(moved);
  });
});
