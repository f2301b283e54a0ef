import type { Answer } from '../connection.ts';
import { CAR_CLASSES, CARS, LAYOUTS, MAKERS, SIMULATORS, SPONSORS, TRACKS } from './data.ts';
import { PICTURE } from './pictures.ts';
import { createAll, onRefusal, type IdLookup, type Venue } from './resources.ts';

export type Catalogue = Awaited<ReturnType<typeof fillCatalogue>>;

async function fillCars(venue: Venue): Promise<IdLookup> {
  const { client } = venue;
  const maker = await createAll(
    venue,
    { label: 'Car makers', kind: 'maker', post: (request) => client.POST('/api/v1/car-brands', request) },
    MAKERS.map((body) => ({ name: body.slug, body: { ...body, logo: PICTURE.maker(body.slug), svg: true } })),
  );
  const carClass = await createAll(
    venue,
    { label: 'Car classes', kind: 'class', post: (request) => client.POST('/api/v1/car-classes', request) },
    CAR_CLASSES.map((body) => ({
      name: body.shortName,
      body: { ...body, logo: PICTURE.carClass(body.shortName), svg: true },
    })),
  );
  return createAll(
    venue,
    { label: 'Cars', kind: 'car', post: (request) => client.POST('/api/v1/cars', request) },
    CARS.map((car) => ({
      name: car.key,
      body: { brandId: maker(car.maker), modelName: car.modelName, carClassId: carClass(car.carClass) },
    })),
  );
}

async function fillTracks(venue: Venue): Promise<IdLookup> {
  const { client } = venue;
  const track = await createAll(
    venue,
    { label: 'Tracks', kind: 'track', post: (request) => client.POST('/api/v1/tracks', request) },
    TRACKS.map((track) => {
      const alternativeNames = [...track.alternativeNames];
      return { name: track.slug, body: { ...track, alternativeNames, logo: PICTURE.track(track.slug), svg: true } };
    }),
  );
  return createAll(
    venue,
    { label: 'Track layouts', kind: 'layout', post: (request) => client.POST('/api/v1/track-layouts', request) },
    LAYOUTS.map(({ track: circuit, ...layout }) => {
      const map = PICTURE.layout(layout.slug);
      const cornerNames = [...layout.cornerNames];
      const body = { ...layout, cornerNames, trackId: track(circuit), trackMap: map, trackImages: [map] };
      return { name: layout.slug, body };
    }),
  );
}

async function fillSimulators(venue: Venue, layout: IdLookup, car: IdLookup): Promise<IdLookup> {
  const { client, phase } = venue;
  const simulator = await createAll(
    venue,
    { label: 'Simulators', kind: 'simulator', post: (request) => client.POST('/api/v1/simulators', request) },
    SIMULATORS.map(({ slug, displayName }) => ({
      name: slug,
      body: { displayName, slug, logo: PICTURE.simulator(slug), logoWide: PICTURE.simulatorWide(slug), svg: true },
    })),
  );
  const mappings = SIMULATORS.flatMap(({ slug, layouts, cars }): readonly (() => Promise<Answer<object>>)[] => {
    const params = { path: { simulatorId: simulator(slug) } };
    return [
      ...layouts.map(({ layout: name, simulatorIdentifier }) => {
        const body = { trackLayoutId: layout(name), simulatorIdentifier };
        return () => client.POST('/api/v1/simulators/{simulatorId}/layouts', { params, body });
      }),
      ...cars.map(({ car: name, simulatorIdentifier, contentId }) => {
        const body = { carId: car(name), simulatorIdentifier, contentId: contentId ?? null };
        return () => client.POST('/api/v1/simulators/{simulatorId}/cars', { params, body });
      }),
    ];
  });
  // Mappings have no `Idempotency-Key` (docs/interface.md#idempotency): 409 means that one exists already.
  await phase('Simulator mappings', mappings, (post) =>
    client.answered(post).then(
      () => ({ outcome: 'new' as const }),
      onRefusal([409], () => ({ outcome: 'existing' as const })),
    ),
  );
  return simulator;
}

/** Creates makers, classes, cars, tracks, layouts, simulators with their mappings, and sponsors. @throws {Failure} */
export async function fillCatalogue(venue: Venue) {
  const car = await fillCars(venue);
  const layout = await fillTracks(venue);
  const simulator = await fillSimulators(venue, layout, car);
  const sponsor = await createAll(
    venue,
    { label: 'Sponsors', kind: 'sponsor', post: (request) => venue.client.POST('/api/v1/brands', request) },
    SPONSORS.map(({ key, ...body }) => ({ name: key, body: { ...body, logo: PICTURE.sponsor(key) } })),
  );
  return { car, layout, simulator, sponsor };
}
