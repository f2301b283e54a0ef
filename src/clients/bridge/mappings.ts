import type { Answer, Connection } from '../connection.ts';
import type { components } from '../generated/api.ts';
import { byIdentifier, isSimulatorOf, layoutIdentifier, simulatorNamesOf, type SimulatorGame } from '../simulators.ts';
import type { GameName } from './games/games.ts';
import type { KeptLap } from './lap-journal.ts';
import { modelNameOf } from './model-names.ts';

type Simulator = components['schemas']['Simulator'];

/** The games of simulators, by their names here. */
const SIMULATOR_GAMES: Readonly<Record<GameName, SimulatorGame>> = {
  f1: 'f1',
  acc: 'acc',
  ac: 'ac',
  'ac-server': 'ac',
  ams2: 'ams2',
  forza: 'forza',
  lfs: 'lfs',
};

/** What a simulator maps. */
interface Mapped {
  readonly simulator: Simulator;
  readonly cars: ReadonlyMap<string, string | null>;
  readonly layouts: ReadonlyMap<string, string | null>;
}

/** Something that is not mapped. */
export interface Unmapped {
  readonly what: 'simulator' | 'car' | 'layout';
  /** As people may know it: `Ferrari 296 GT3 (acc 32)`. */
  readonly name: string;
  /** Where the administration maps it, with the form filled in; null: nobody can, as the game does not name it. */
  readonly link: string | null;
}

/** Where a lap was driven, and in which car; or what of it is not mapped. */
export type Placed =
  | { readonly outcome: 'mapped'; readonly carId: string; readonly trackId: string }
  | { readonly outcome: 'unmapped'; readonly missing: readonly Unmapped[] };

/** What the simulators of a game map, as the service last said. */
export class GameMappings {
  readonly #venue: Connection;
  readonly #url: string;
  readonly #game: SimulatorGame;
  /** The id of the simulator that counts; null: all of the game do. */
  readonly #chosen: string | null;
  readonly #simulators = new CachedAnswer<readonly Simulator[]>();
  readonly #lists = new Map<string, CachedLists>();
  #mapped: readonly Mapped[] = [];

  /** `url`: the address of the service. */
  constructor(venue: Connection, url: string, game: GameName, chosen: string | null) {
    this.#venue = venue;
    this.#url = url;
    this.#game = SIMULATOR_GAMES[game];
    this.#chosen = chosen;
  }

  /** Asks the service again; what has not changed is not sent. @throws {Refused} */
  async refresh(): Promise<void> {
    const venue = this.#venue;
    const simulators = await this.#simulators.ask(venue, (header) =>
      venue.GET('/api/v1/simulators', { params: { header } }),
    );
    const mapped: Mapped[] = [];
    for (const simulator of simulators) {
      if (!this.#counts(simulator)) continue;
      const lists = this.#lists.get(simulator.id) ?? new CachedLists();
      this.#lists.set(simulator.id, lists);
      const path = { simulatorId: simulator.id };
      const cars = await lists.cars.ask(venue, (header) =>
        venue.GET('/api/v1/simulators/{simulatorId}/cars', { params: { path, header } }),
      );
      const layouts = await lists.layouts.ask(venue, (header) =>
        venue.GET('/api/v1/simulators/{simulatorId}/layouts', { params: { path, header } }),
      );
      mapped.push({
        simulator,
        cars: byIdentifier(cars.map((car) => [car.simulatorIdentifier, car.carId])),
        layouts: byIdentifier(layouts.map((layout) => [layout.simulatorIdentifier, layout.trackLayoutId])),
      });
    }
    this.#mapped = mapped;
  }

  /** Where a lap was driven, and in which car. */
  place(lap: KeptLap): Placed {
    const car = lap.model;
    const layout = layoutIdentifier(lap.session.track, lap.session.layout);
    const simulators = this.#simulatorsFor(lap);
    for (const { cars, layouts } of simulators) {
      const carId = cars.get(car ?? '') ?? null;
      const trackId = layouts.get(layout ?? '') ?? null;
      if (carId !== null && trackId !== null) return { outcome: 'mapped', carId, trackId };
    }
    const [first] = simulators;
    return { outcome: 'unmapped', missing: this.#missing(lap, car, layout, first) };
  }

  #counts(simulator: Simulator): boolean {
    return this.#chosen === null ? isSimulatorOf(this.#game, simulator) : simulator.id === this.#chosen;
  }

  /** The simulators of the game; those of the year of the lap's format first, as F1 numbers its teams anew each year. */
  #simulatorsFor({ format }: KeptLap): readonly Mapped[] {
    const year = /-20(\d\d)$/.exec(format)?.[1] ?? null;
    if (year === null) return this.#mapped;
    const isOfYear = ({ simulator: { slug, displayName } }: Mapped): boolean =>
      slug.endsWith(year) || displayName.endsWith(year);
    return [...this.#mapped.filter(isOfYear), ...this.#mapped.filter((mapped) => !isOfYear(mapped))];
  }

  #missing(lap: KeptLap, car: string | null, layout: string | null, mapped: Mapped | undefined): readonly Unmapped[] {
    if (mapped === undefined) return [this.#missingSimulator()];
    const { simulator, cars, layouts } = mapped;
    const missing: Unmapped[] = [];
    if (car === null) {
      missing.push({ what: 'car', name: 'A car that the game does not name', link: null });
    } else if ((cars.get(car) ?? null) === null) {
      const known = modelNameOf(lap.game, car);
      const name = known === null ? `Car ${car} (${lap.game})` : `${known} (${lap.game} ${car})`;
      missing.push({ what: 'car', name, link: this.#formOf(simulator, 'cars', car) });
    }
    if (layout === null) {
      missing.push({ what: 'layout', name: 'A track that the game does not name', link: null });
    } else if ((layouts.get(layout) ?? null) === null) {
      const name = `Track ${layout} (${lap.game})`;
      missing.push({ what: 'layout', name, link: this.#formOf(simulator, 'layouts', layout) });
    }
    return missing;
  }

  #missingSimulator(): Unmapped {
    const { slug, displayName } = simulatorNamesOf(this.#game);
    const query = new URLSearchParams({ displayName, slug });
    return {
      what: 'simulator',
      name: `The simulator ${displayName}`,
      link: `${this.#url}/admin/simulators/new?${query.toString()}`,
    };
  }

  #formOf({ id }: Simulator, what: 'cars' | 'layouts', simulatorIdentifier: string): string {
    const query = new URLSearchParams({ simulatorIdentifier });
    return `${this.#url}/admin/simulators/${id}/${what}/new?${query.toString()}`;
  }
}

/** An answer of the service, which is sent again only when it has changed. */
class CachedAnswer<T> {
  #known: { readonly data: T; readonly etag: string } | null = null;

  async ask(venue: Connection, get: (header: { readonly 'If-None-Match'?: string }) => Promise<Answer<T>>): Promise<T> {
    const { data, response } = await venue.answered(async () => {
      const known = this.#known;
      if (known === null) return get({});
      const answer = await get({ 'If-None-Match': known.etag });
      return answer.response.status === 304 ? { data: known.data, response: answer.response } : answer;
    });
    const etag = response.headers.get('etag');
    this.#known = etag === null ? null : { data, etag };
    return data;
  }
}

/** The mappings of a simulator. */
class CachedLists {
  readonly cars = new CachedAnswer<readonly components['schemas']['SimulatorCar'][]>();
  readonly layouts = new CachedAnswer<readonly components['schemas']['SimulatorLayout'][]>();
}
