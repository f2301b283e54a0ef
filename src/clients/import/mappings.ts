import { Refused, type Connection } from '../connection.ts';
import { byIdentifier, isSimulatorOf } from '../simulators.ts';
import type { Game, PlannedFile } from './planned-file.ts';

/** What a simulator calls cars and layouts; an identifier that several of them have is null. */
export interface Mappings {
  readonly simulatorId: string;
  readonly simulatorName: string;
  readonly cars: ReadonlyMap<string, string | null>;
  readonly layouts: ReadonlyMap<string, string | null>;
}

/** The id of the simulator that was chosen for files of a game; null: it is found by the name of the game. */
export type ChosenSimulator = (game: Game) => string | null;

/** Finds the simulators of games, and what they map. Each is read once. */
export class SimulatorMappings {
  readonly #venue: Connection;
  readonly #chosen: ChosenSimulator;
  readonly #known = new Map<string, Promise<Mappings>>();

  constructor(venue: Connection, chosen: ChosenSimulator) {
    this.#venue = venue;
    this.#chosen = chosen;
  }

  /**
   * The mappings of the simulator that a file is of: the one of its game that knows most of its cars and layouts; null
   * if there is no simulator of the game.
   * @throws {Refused} if there is no simulator of the chosen id.
   */
  async of(file: PlannedFile): Promise<Mappings | null> {
    const { data: simulators } = await this.#venue.answered(() => this.#venue.GET('/api/v1/simulators'));
    const chosen = this.#chosen(file.game);
    const fitting = simulators.filter((simulator) =>
      chosen === null ? isSimulatorOf(file.game, simulator) : simulator.id === chosen,
    );
    if (chosen !== null && fitting.length === 0) {
      throw new Refused(404, `There is no simulator ${chosen}`);
    }
    let best: Mappings | null = null;
    let mostKnown = -1;
    for (const { id, displayName } of fitting) {
      const mappings = await this.#mappingsOf(id, displayName);
      const known = knownIn(file, mappings);
      if (known > mostKnown) {
        best = mappings;
        mostKnown = known;
      }
    }
    return best;
  }

  #mappingsOf(simulatorId: string, simulatorName: string): Promise<Mappings> {
    const known = this.#known.get(simulatorId) ?? this.#read(simulatorId, simulatorName);
    this.#known.set(simulatorId, known);
    return known;
  }

  async #read(simulatorId: string, simulatorName: string): Promise<Mappings> {
    const venue = this.#venue;
    const params = { path: { simulatorId } };
    const cars = await venue.answered(() => venue.GET('/api/v1/simulators/{simulatorId}/cars', { params }));
    const layouts = await venue.answered(() => venue.GET('/api/v1/simulators/{simulatorId}/layouts', { params }));
    return {
      simulatorId,
      simulatorName,
      cars: byIdentifier(cars.data.map((one) => [one.simulatorIdentifier, one.carId])),
      layouts: byIdentifier(layouts.data.map((one) => [one.simulatorIdentifier, one.trackLayoutId])),
    };
  }
}

/** How many laps of a file have a car, and how many a layout, that are mapped. */
function knownIn({ laps }: PlannedFile, { cars, layouts }: Mappings): number {
  let known = 0;
  for (const { car, layout } of laps) {
    if (car !== null && cars.has(car)) known += 1;
    if (layout !== null && layouts.has(layout)) known += 1;
  }
  return known;
}
