import { createAll, type IdLookup, type Venue } from './api.ts';
import { CAR_CLASSES, CARS, MAKERS } from './data/cars.ts';
import { LAYOUTS, TRACKS } from './data/circuits.ts';
import { SIMULATORS } from './data/simulators.ts';
import { SPONSORS } from './data/venue.ts';
import type { JsonObject } from './http-client.ts';
import { PICTURE } from './pictures.ts';
import type { ItemResult } from './progress.ts';

/** Look-ups of the ids of the catalogue. */
export interface Catalogue {
  readonly car: IdLookup;
  readonly layout: IdLookup;
  readonly simulator: IdLookup;
  readonly sponsor: IdLookup;
}

async function fillCars(venue: Venue): Promise<IdLookup> {
  const maker = await createAll(
    venue,
    { label: 'Car makers', path: 'car-brands', kind: 'maker' },
    MAKERS.map((body) => ({ name: body.slug, body: { ...body, logo: PICTURE.maker(body.slug), svg: true } })),
  );
  const carClass = await createAll(
    venue,
    { label: 'Car classes', path: 'car-classes', kind: 'class' },
    CAR_CLASSES.map((body) => ({
      name: body.shortName,
      body: { ...body, logo: PICTURE.carClass(body.shortName), svg: true },
    })),
  );
  return createAll(
    venue,
    { label: 'Cars', path: 'cars', kind: 'car' },
    CARS.map((car) => ({
      name: car.key,
      body: { brandId: maker(car.maker), modelName: car.modelName, carClassId: carClass(car.carClass) },
    })),
  );
}

async function fillTracks(venue: Venue): Promise<IdLookup> {
  const track = await createAll(
    venue,
    { label: 'Tracks', path: 'tracks', kind: 'track' },
    TRACKS.map((body) => ({ name: body.slug, body: { ...body, logo: PICTURE.track(body.slug), svg: true } })),
  );
  return createAll(
    venue,
    { label: 'Track layouts', path: 'track-layouts', kind: 'layout' },
    LAYOUTS.map(({ track: circuit, ...layout }) => {
      const map = PICTURE.layout(layout.slug);
      return { name: layout.slug, body: { ...layout, trackId: track(circuit), trackMap: map, trackImages: [map] } };
    }),
  );
}

/**
 * Creates a mapping. There is no `Idempotency-Key` for it (docs/interface.md#idempotency): a 409 means that it exists
 * already.
 */
async function createMapping(venue: Venue, path: string, body: JsonObject): Promise<ItemResult> {
  const response = await venue.send({ method: 'POST', path, token: venue.token, body, expect: [200, 201, 202, 409] });
  return { outcome: response.status === 409 ? 'existing' : 'new' };
}

async function fillSimulators(venue: Venue, layout: IdLookup, car: IdLookup): Promise<IdLookup> {
  const simulator = await createAll(
    venue,
    { label: 'Simulators', path: 'simulators', kind: 'simulator' },
    SIMULATORS.map(({ slug, displayName }) => ({
      name: slug,
      body: { displayName, slug, logo: PICTURE.simulator(slug), logoWide: PICTURE.simulatorWide(slug), svg: true },
    })),
  );
  const mappings = SIMULATORS.flatMap(({ slug, layouts, cars }) => {
    const path = `/api/v1/simulators/${simulator(slug)}`;
    return [
      ...layouts.map(([name, simulatorIdentifier]) => ({
        path: `${path}/layouts`,
        body: { trackLayoutId: layout(name), simulatorIdentifier },
      })),
      ...cars.map(([name, [simulatorIdentifier, contentId]]) => ({
        path: `${path}/cars`,
        body: { carId: car(name), simulatorIdentifier, contentId },
      })),
    ];
  });
  await venue.phase('Simulator mappings', mappings, ({ path, body }) => createMapping(venue, path, body));
  return simulator;
}

/** Creates makers, classes, cars, tracks, layouts, simulators with their mappings, and sponsors. Throws `DemoError`. */
export async function fillCatalogue(venue: Venue): Promise<Catalogue> {
  const car = await fillCars(venue);
  const layout = await fillTracks(venue);
  const simulator = await fillSimulators(venue, layout, car);
  const sponsor = await createAll(
    venue,
    { label: 'Sponsors', path: 'brands', kind: 'sponsor' },
    SPONSORS.map(({ key, ...body }) => ({ name: key, body: { ...body, logo: PICTURE.sponsor(key) } })),
  );
  return { car, layout, simulator, sponsor };
}
