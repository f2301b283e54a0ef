import { z } from 'zod';
import { addCarBrand, carBrandDecider } from '../../../commands/car-brands.ts';
import { addCarClass, carClassDecider } from '../../../commands/car-classes.ts';
import { addCar, carDecider } from '../../../commands/cars.ts';
import { mapCar, simulatorCarDecider } from '../../../commands/simulator-cars.ts';
import { mapTrackLayout, simulatorLayoutDecider } from '../../../commands/simulator-layouts.ts';
import { addSimulator, simulatorDecider } from '../../../commands/simulators.ts';
import { addTrackLayout, trackLayoutDecider } from '../../../commands/track-layouts.ts';
import { addTrack, trackDecider } from '../../../commands/tracks.ts';
import { carBrands } from '../../../projections/car-brands.ts';
import { carClasses } from '../../../projections/car-classes.ts';
import { cars } from '../../../projections/cars.ts';
import { simulators } from '../../../projections/simulators.ts';
import { trackLayouts } from '../../../projections/track-layouts.ts';
import { tracks } from '../../../projections/tracks.ts';
import {
  CAR_CLASSES,
  CAR_MAPPINGS,
  CARS,
  LAYOUT_MAPPINGS,
  LAYOUTS,
  MAKERS,
  SIMULATORS,
  TRACKS,
} from '../../catalogue/catalogue.ts';
import type { BodyCommand } from '../../domain/body-command.ts';
import type { CatalogueCommand } from '../../domain/catalogue.ts';
import type { Category } from '../../domain/categories.ts';
import { component } from '../../domain/component.ts';
import { streamAll } from '../../domain/documents.ts';
import { described } from '../../domain/fields.ts';
import { mappingId, type Mapping, type MappingCommand } from '../../domain/mappings.ts';
import type { Aggregates } from '../../kernel/aggregate/aggregates.ts';
import type { CommandHandler, CommandOutcome } from '../../kernel/aggregate/command-handler.ts';
import type { Decider } from '../../kernel/aggregate/decider.ts';
import { Rejection } from '../../kernel/aggregate/rejection.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import type { Document, ReadModels } from '../../kernel/ports/read-store.ts';
import type { Ids } from '../../kernel/ports/system.ts';
import type { ReadModel } from '../../kernel/projection/projection.ts';
import { idOf, streamOf } from '../../kernel/stream-names.ts';
import { endpoint, type ApiRequest, type Endpoint } from '../http/endpoint.ts';
import { FOR_OPERATORS } from './operations.ts';
import type { ReferencedResources } from './references.ts';
import { requireSuccess, type RequestCommands } from './request-commands.ts';
import type { ReadSources } from './views.ts';
import type { WriteAnswers } from './write-answers.ts';

const PATH = '/api/v1/operations/starter-catalogue';

/** A record of the starter catalogue: its category, and its slug (or what stands for one) among those of its kind. */
interface RecordName {
  readonly category: Category;
  readonly slug: string;
  readonly name: string;
}

/**
 * The kinds of items, and the category of the record that one is named after. A track is a circuit, because some generators
 * of clients have one name for equal values of all enums, and a type of files is `TRACK`.
 */
const CATEGORY_OF = { simulator: 'simulator', circuit: 'track', carClass: 'carClass' } as const;

/** A part of the starter catalogue that is taken over as a whole. */
interface Item {
  readonly slug: string;
  readonly kind: keyof typeof CATEGORY_OF;
  readonly name: string;
  /** What comes with it, the record that the item is named after not included. */
  readonly holds: readonly RecordName[];
}

/** What stands for the slug of a car class, which has none. */
function classSlug(shortName: string): string {
  return shortName.toLowerCase();
}

/** The items, in the order in which they are listed. */
const ITEMS: readonly Item[] = [
  ...SIMULATORS.map(simulatorItem),
  ...TRACKS.map(trackItem),
  ...CAR_CLASSES.map(classItem),
];

function simulatorItem({ slug, displayName }: (typeof SIMULATORS)[number]): Item {
  return { slug, kind: 'simulator', name: displayName, holds: [] };
}

function trackItem({ slug, displayName }: (typeof TRACKS)[number]): Item {
  const holds = LAYOUTS.filter(({ track }) => track === slug).map((layout): RecordName => ({
    category: 'trackLayout',
    slug: layout.slug,
    name: layout.displayName,
  }));
  return { slug, kind: 'circuit', name: displayName, holds };
}

function classItem({ shortName, displayName }: (typeof CAR_CLASSES)[number]): Item {
  const own = CARS.filter(({ carClass }) => carClass === shortName);
  const makers = MAKERS.filter(({ slug }) => own.some(({ maker }) => maker === slug));
  const nameOf = (maker: string): string => MAKERS.find(({ slug }) => slug === maker)?.displayName ?? '';
  return {
    slug: classSlug(shortName),
    kind: 'carClass',
    name: displayName,
    holds: [
      ...makers.map((maker): RecordName => ({ category: 'carBrand', slug: maker.slug, name: maker.displayName })),
      ...own.map((car): RecordName => ({
        category: 'car',
        slug: car.key,
        name: `${nameOf(car.maker)} ${car.modelName}`,
      })),
    ],
  };
}

const HELD = ['trackLayout', 'carBrand', 'car'] as const;

const StarterItemView = z
  .object({
    slug: described(z.string(), 'Names the item.', 'spa'),
    kind: described(
      z
        .enum(['simulator', 'circuit', 'carClass'])
        .meta(component('StarterItemKind', 'Kind of an item of the starter catalogue.')),
      'What it is: a simulator, a track with its layouts, or a car class with its cars and their makers.',
      'circuit',
    ),
    name: described(z.string(), 'Name of it.', 'Circuit de Spa-Francorchamps'),
    holds: described(
      z.array(
        z.object({
          kind: described(
            z.enum(HELD).meta(component('StarterRecordKind', 'Kind of a record that comes with an item.')),
            'What it is.',
            'trackLayout',
          ),
          name: described(z.string(), 'Name of it.', 'Spa Grand Prix'),
        }),
      ),
      'What comes with it.',
    ),
    present: described(z.boolean(), 'Whether all of it is in the catalogue already.', false),
  })
  .meta({ id: 'StarterItem', description: 'A part of the starter catalogue.' });

const SLUGS: readonly string[] = ITEMS.map(({ slug }) => slug);

const TakeOverBody = z
  .object({
    items: described(
      z
        .array(z.string().refine((slug) => SLUGS.includes(slug), 'is no item of the starter catalogue'))
        .max(SLUGS.length)
        .default([]),
      'Slugs of the items to be taken over; none, or left out: all.',
      ['spa', 'gt3', 'acc'],
    ),
  })
  .meta({ id: 'TakeOverStarterCatalogue' });

const TakenOverView = z
  .object({
    items: z.array(StarterItemView).meta({ description: 'The items that were asked for.' }),
    added: described(z.int().min(0), 'Number of records and mappings that were not there before.', 14),
  })
  .meta({ id: 'StarterCatalogueTakenOver', description: 'What became of the starter catalogue.' });

interface StarterServices {
  readonly handler: CommandHandler;
  readonly aggregates: Pick<Aggregates, 'firstOf'>;
  readonly commands: RequestCommands;
  readonly references: ReferencedResources;
  readonly answers: WriteAnswers;
  readonly reads: ReadSources;
  readonly ids: Pick<Ids, 'derived'>;
}

/** Endpoints that list the starter catalogue, and take items of it over. */
export function starterCatalogueEndpoints(services: StarterServices): readonly Endpoint[] {
  return [
    endpoint({
      ...FOR_OPERATORS,
      path: PATH,
      method: 'GET',
      operationId: 'listStarterCatalogue',
      summary: 'List the starter catalogue',
      description: 'Well-known simulators, tracks and car classes, which a new venue need not type.',
      responses: { 200: z.array(StarterItemView) },
      async handle() {
        const found = await findRecords(services.reads.models);
        return { kind: 'json', status: 200, body: ITEMS.map((item) => viewOf(services, item, found)) };
      },
    }),
    endpoint({
      ...FOR_OPERATORS,
      path: PATH,
      method: 'POST',
      operationId: 'takeOverStarterCatalogue',
      manages: 'the service',
      summary: 'Take over items of the starter catalogue',
      description:
        'Adds what is not there yet. What has the slug of a record already is taken to be that record. After a failure, ' +
        'the same request adds the rest. What simulators call layouts and cars is added as soon as both are there.',
      body: TakeOverBody,
      features: ['respond-async'],
      responses: { 200: TakenOverView },
      async handle(request) {
        const asked = request.body.items;
        const items = ITEMS.filter(({ slug }) => asked.length === 0 || asked.includes(slug));
        const takeover = new Takeover(services, request, await findRecords(services.reads.models));
        await takeover.take(items);
        await services.answers.waitUntilReadable(takeover.position, request);
        const found = await findRecords(services.reads.models);
        const body = { items: items.map((item) => viewOf(services, item, found)), added: takeover.added };
        return { kind: 'json', status: 200, body };
      },
    }),
  ];
}

/** The ids of the records in the read models, by category, and then by slug. */
interface FoundRecords {
  readonly ids: ReadonlySet<string>;
  readonly bySlug: ReadonlyMap<string, string>;
}

/** The key of a record among those that were found. */
function keyOf(category: Category, slug: string): string {
  return `${category} ${slug}`;
}

/** The key of a car, which has no slug: it is known by its maker, its class and its name. */
function carKey(brandId: string, carClassId: string, modelName: string): string {
  return keyOf('car', JSON.stringify([brandId, carClassId, modelName]));
}

async function findRecords(models: ReadModels): Promise<FoundRecords> {
  const ids = new Set<string>();
  const bySlug = new Map<string, string>();
  const add = async <D extends Document>(model: ReadModel<D>, keyOfOne: (document: D) => string): Promise<void> => {
    for await (const batch of streamAll(models, model, { where: {} })) {
      for (const document of batch) {
        ids.add(document.id);
        const key = keyOfOne(document);
        // Of several with one slug, the one that was there first.
        if (!bySlug.has(key)) bySlug.set(key, document.id);
      }
    }
  };
  await add(simulators, ({ slug }) => keyOf('simulator', slug));
  await add(tracks, ({ slug }) => keyOf('track', slug));
  await add(trackLayouts, ({ slug }) => keyOf('trackLayout', slug));
  await add(carBrands, ({ slug }) => keyOf('carBrand', slug));
  await add(carClasses, ({ shortName }) => keyOf('carClass', classSlug(shortName)));
  await add(cars, ({ brandId, carClassId, modelName }) => carKey(brandId, carClassId, modelName));
  return { ids, bySlug };
}

/** The id that a record of the starter catalogue gets. */
function ownIdOf({ ids }: Pick<StarterServices, 'ids'>, category: Category, slug: string): string {
  return ids.derived('starter-catalogue', category, slug);
}

/** The id of a record that is in the read models; undefined: it is not. */
function presentId(
  services: StarterServices,
  found: FoundRecords,
  category: Category,
  slug: string,
): string | undefined {
  const own = ownIdOf(services, category, slug);
  if (found.ids.has(own)) return own;
  if (category !== 'car') return found.bySlug.get(keyOf(category, slug));
  const car = CARS.find(({ key }) => key === slug);
  if (car === undefined) return undefined;
  const brandId = presentId(services, found, 'carBrand', car.maker);
  const carClassId = presentId(services, found, 'carClass', classSlug(car.carClass));
  if (brandId === undefined || carClassId === undefined) return undefined;
  return found.bySlug.get(carKey(brandId, carClassId, car.modelName));
}

function viewOf(services: StarterServices, { slug, kind, name, holds }: Item, found: FoundRecords) {
  const records = [{ category: CATEGORY_OF[kind], slug }, ...holds];
  return {
    slug,
    kind,
    name,
    holds: holds.map((held) => ({ kind: held.category, name: held.name })),
    present: records.every((record) => presentId(services, found, record.category, record.slug) !== undefined),
  };
}

/** The fingerprint of all records: one that is there under the id of the starter catalogue is never another one. */
const FINGERPRINT = 'starter-catalogue';

/** Nothing of the starter catalogue has pictures, which have owners. */
const NO_PICTURE = '';

type CatalogueDecider<S extends JsonObject> = Decider<S | null, CatalogueCommand<S>>;
type MappingDecider<S extends JsonObject> = Decider<Mapping<S> | null, MappingCommand<S>>;

/**
 * The taking over of some items by a request. Each record is a command like any other, whose id follows from its slug: so
 * a repeated or a simultaneous request finds it, and one after a crash adds the rest.
 */
class Takeover {
  /** Number of records and mappings that were added. */
  added = 0;
  /** Position of the newest of their events. */
  position: Position = 0;
  readonly #services: StarterServices;
  readonly #request: ApiRequest;
  readonly #found: FoundRecords;
  /** The ids of all records that are there now, by their keys. */
  readonly #ids = new Map<string, string>();

  constructor(services: StarterServices, request: ApiRequest, found: FoundRecords) {
    this.#services = services;
    this.#request = request;
    this.#found = found;
  }

  /** Adds what is missing of some items. @throws {Problem} */
  async take(items: readonly Item[]): Promise<void> {
    const named = new Set(items.map(({ kind, slug }) => keyOf(CATEGORY_OF[kind], slug)));
    const isAsked = (category: Category, slug: string): boolean => named.has(keyOf(category, slug));
    await this.#addCars(CAR_CLASSES.filter(({ shortName }) => isAsked('carClass', classSlug(shortName))));
    await this.#addTracks(TRACKS.filter(({ slug }) => isAsked('track', slug)));
    for (const { slug, displayName } of SIMULATORS.filter((simulator) => isAsked('simulator', simulator.slug))) {
      await this.#add(simulatorDecider, addSimulator, slug, {
        displayName,
        slug,
        logo: NO_PICTURE,
        logoWide: NO_PICTURE,
        svg: false,
        enabled: true,
      });
    }
    for (const mapping of LAYOUT_MAPPINGS) {
      const track = LAYOUTS.find(({ slug }) => slug === mapping.layout)?.track ?? '';
      if (isAsked('simulator', mapping.simulator) || isAsked('track', track)) await this.#mapLayout(mapping);
    }
    for (const mapping of CAR_MAPPINGS) {
      const carClass = CARS.find(({ key }) => key === mapping.car)?.carClass ?? '';
      if (isAsked('simulator', mapping.simulator) || isAsked('carClass', classSlug(carClass)))
        await this.#mapCar(mapping);
    }
  }

  async #addCars(classes: typeof CAR_CLASSES): Promise<void> {
    for (const { shortName, displayName } of classes) {
      const carClassId = await this.#add(carClassDecider, addCarClass, classSlug(shortName), {
        displayName,
        shortName,
        logo: NO_PICTURE,
        svg: false,
        enabled: true,
      });
      for (const { key, maker, modelName } of CARS.filter(({ carClass }) => carClass === shortName)) {
        const made = MAKERS.find(({ slug }) => slug === maker);
        if (made === undefined) throw new TypeError(`the starter catalogue has no maker ${maker}`);
        const brandId = await this.#add(carBrandDecider, addCarBrand, maker, {
          displayName: made.displayName,
          slug: made.slug,
          logo: NO_PICTURE,
          svg: false,
          country: made.country,
          enabled: true,
        });
        await this.#add(carDecider, addCar, key, { brandId, modelName, carClassId, enabled: true });
      }
    }
  }

  async #addTracks(asked: typeof TRACKS): Promise<void> {
    for (const track of asked) {
      const trackId = await this.#add(trackDecider, addTrack, track.slug, {
        displayName: track.displayName,
        alternativeNames: [...track.alternativeNames],
        slug: track.slug,
        logo: NO_PICTURE,
        svg: false,
        country: track.country,
        location: track.location,
        enabled: true,
      });
      for (const layout of LAYOUTS.filter((one) => one.track === track.slug)) {
        await this.#add(trackLayoutDecider, addTrackLayout, layout.slug, {
          displayName: layout.displayName,
          slug: layout.slug,
          type: layout.type,
          trackId,
          length: layout.length,
          firstUsage: layout.firstUsage,
          lastUsage: layout.lastUsage,
          cornerCount: layout.cornerCount,
          cornerNames: [...layout.cornerNames],
          trackMap: NO_PICTURE,
          trackImages: [],
          minLapTime: null,
          enabled: true,
        });
      }
    }
  }

  /** Adds a record unless it is there; resolves to its id. */
  async #add<S extends JsonObject, B>(
    decider: CatalogueDecider<S>,
    { body, commands }: BodyCommand<B, CatalogueCommand<S>>,
    slug: string,
    sent: B & JsonObject,
  ): Promise<string> {
    const { handler, commands: requests } = this.#services;
    // Deciders of the catalogue have categories that others refer to.
    const category = decider.category as Category;
    const known = await this.#idOf(category, slug);
    if (known !== null) return known;
    const id = ownIdOf(this.#services, category, slug);
    const outcome = await handler.handle(
      requests.request(this.#request, {
        decider,
        id,
        fresh: true,
        fingerprint: FINGERPRINT,
        commands: commands(body.parse(sent), {}),
      }),
    );
    // The read models do not show yet what has the slug.
    const holder = isTaken(outcome) ? idOf(outcome.owner) : id;
    if (!isTaken(outcome)) this.#count(outcome);
    this.#ids.set(keyOf(category, slug), holder);
    return holder;
  }

  /** The id of a record that is there; null: it is not. */
  async #idOf(category: Category, slug: string): Promise<string | null> {
    const key = keyOf(category, slug);
    const known = this.#ids.get(key) ?? presentId(this.#services, this.#found, category, slug);
    if (known !== undefined) return known;
    const own = ownIdOf(this.#services, category, slug);
    if (!(await this.#services.references.exists(category, own))) return null;
    this.#ids.set(key, own);
    return own;
  }

  async #mapLayout({ simulator, layout, simulatorIdentifier }: (typeof LAYOUT_MAPPINGS)[number]): Promise<void> {
    const simulatorId = await this.#idOf('simulator', simulator);
    const trackLayoutId = await this.#idOf('trackLayout', layout);
    if (simulatorId === null || trackLayoutId === null) return;
    const sent = mapTrackLayout.body.parse({ trackLayoutId, simulatorIdentifier });
    const id = mappingId(simulatorId, trackLayoutId);
    await this.#map(simulatorLayoutDecider, id, mapTrackLayout.commands(sent, { simulatorId }));
  }

  async #mapCar({ simulator, car, simulatorIdentifier, contentId }: (typeof CAR_MAPPINGS)[number]): Promise<void> {
    const simulatorId = await this.#idOf('simulator', simulator);
    const carId = await this.#idOf('car', car);
    if (simulatorId === null || carId === null) return;
    const sent = mapCar.body.parse({ carId, simulatorIdentifier, contentId: contentId ?? null });
    await this.#map(simulatorCarDecider, mappingId(simulatorId, carId), mapCar.commands(sent, { simulatorId }));
  }

  /** Maps something unless it is mapped, or was once: what somebody has taken back stays so. */
  async #map<S extends JsonObject>(
    decider: MappingDecider<S>,
    id: string,
    commands: readonly MappingCommand<S>[],
  ): Promise<void> {
    const { handler, aggregates, commands: requests } = this.#services;
    if ((await aggregates.firstOf(streamOf(decider.category, id))) !== null) return;
    const outcome = await handler.handle(requests.request(this.#request, { decider, id, commands }));
    // Another request has mapped it meanwhile.
    if (outcome instanceof Rejection && outcome.code === 'TAKEN') return;
    this.#count(outcome);
  }

  #count(outcome: CommandOutcome<unknown>): void {
    const { recorded, position } = requireSuccess(outcome);
    if (recorded) this.added += 1;
    this.position = Math.max(this.position, position);
  }
}

function isTaken<S>(outcome: CommandOutcome<S>): outcome is Extract<CommandOutcome<S>, { outcome: 'taken' }> {
  return 'outcome' in outcome && outcome.outcome === 'taken';
}
