import type {
  AnnouncedLap,
  CarState,
  DetectedLap,
  Entrant,
  Finding,
  LapFacts,
  LapHistory,
  Observation,
  RememberedLap,
  Session,
} from './observations.ts';

/** How a game shows that a lap is completed. */
export interface DetectionRules {
  /**
   * Whether the count of laps and the last lap change in the same packet. If not, a time that stays the same is believed
   * only after `SETTLE_MS`: the new one may still come.
   */
  readonly isTimeWithCount: boolean;
  /** Whether the last lap changes at the flag, while the count stays. */
  readonly doesCountStayAtFlag: boolean;
  /** How long, in ms, a lap waits for the game's own memory of it; 0: the game has none. */
  readonly historyWaitMs: number;
}

/** How long, in ms, the time of a lap may come after the count. */
const SETTLE_MS = 1_500;

const NOT_KNOWN: Entrant = { driver: null, driverId: null, model: null };

/** A lap that has ended, but of which something is still expected. */
interface PendingLap {
  readonly lap: number;
  /** Null: the packet with the time was lost, or is still to come. */
  readonly ms: number | null;
  /** The last lap when this one ended, if its own time has not come yet. */
  readonly staleMs: number | null;
  readonly facts: LapFacts;
  readonly entrant: string;
  readonly endedAt: number;
  readonly endMs: number | null;
}

/** A lap that was found. */
interface FoundLap {
  readonly lap: DetectedLap;
  readonly entrant: string;
  /** Time since the start of the session, in ms; null: not known. */
  readonly endMs: number | null;
}

/** What is known of a car in the session. */
interface Car {
  /** Its name in the ids of laps: a car that begins anew has another one. */
  readonly name: string;
  /** The first lap whose end can be seen: the one that was driven when the car was first seen. */
  firstLap: number;
  state: CarState;
  /** The last lap when the lap that is driven began. */
  lastLapAtStart: number | null;
  /** Everything that was said of the lap that is driven. */
  running: LapFacts;
  readonly pending: Map<number, PendingLap>;
  readonly found: Map<number, FoundLap>;
  /** Times of laps that were taken back, by lap. */
  readonly takenBack: Map<number, number>;
  /** How often each lap was found. */
  readonly times: Map<number, number>;
  /** The state after this moment is where the car has gone back to. */
  isBackFrom: boolean;
}

/** A car in a session, as it is kept on disk. */
interface SavedCar extends Omit<Car, 'pending' | 'found' | 'takenBack' | 'times'> {
  readonly pending: readonly PendingLap[];
  readonly found: readonly FoundLap[];
  readonly takenBack: readonly (readonly [lap: number, ms: number])[];
  readonly times: readonly (readonly [lap: number, times: number])[];
}

/** All that a detector knows of the session that runs, as JSON: with it, another one goes on where this one ended. */
export interface DetectorState {
  readonly session: Session;
  readonly cars: readonly (readonly [car: string, SavedCar])[];
  readonly resets: readonly (readonly [car: string, resets: number])[];
  readonly entrants: readonly (readonly [key: string, Entrant])[];
}

/** A lap that is driven. */
export interface RunningLap extends Entrant {
  readonly car: string;
  readonly lap: number;
}

/**
 * A detector of completed laps, for all games. It learns states of cars, announcements and memories of a game, and
 * finds each completed lap once. It has no clock: whoever calls it says when things came, in ms since the start.
 */
export class LapDetector {
  readonly #rules: DetectionRules;
  #session: Session | null = null;
  #cars = new Map<string, Car>();
  /** How often each car began anew in the session. */
  #resets = new Map<string, number>();
  /** Laps of announcing games: the highest number of each car and entrant, and all of them. */
  #announced = new Map<string, Map<number, FoundLap>>();
  #entrants = new Map<string, Entrant>();
  /** Cars whose laps from before the bridge ran are noted already, by session. */
  readonly #noted = new Set<string>();
  #findings: Finding[] = [];
  /** The session that an earlier detector has followed; null: there is none, or another one has begun. */
  #remembered: DetectorState | null;
  /** The id that the earlier detector had for the session, if it goes on. */
  #idOfRecalled: string | null = null;
  /** Its cars, until they are seen again. */
  #recalled = new Map<string, Car>();

  /**
   * `remembered`: what an earlier detector knew. It counts if the first session has the same id; behind a plus sign, the
   * remembered one may have how often it was started again.
   */
  constructor(rules: DetectionRules, remembered: DetectorState | null = null) {
    this.#rules = rules;
    this.#remembered = remembered;
  }

  /** What it knows of the session that runs; null: none does. */
  state(): DetectorState | null {
    if (this.#session === null) return null;
    return {
      session: this.#session,
      cars: Array.from([...this.#recalled, ...this.#cars], ([name, car]) => [name, savedCar(car)] as const),
      resets: [...this.#resets],
      entrants: [...this.#entrants],
    };
  }

  /** The laps that are driven, in games that say so. */
  running(): readonly RunningLap[] {
    return Array.from(this.#cars.values(), ({ state: { car, lapsDone, entrant } }) => ({
      ...(this.#entrants.get(entrant) ?? NOT_KNOWN),
      car,
      lap: lapsDone + 1,
    }));
  }

  /** Learns something, and returns what follows from it. */
  observe(observation: Observation, at: number): readonly Finding[] {
    this.#settle(at);
    switch (observation.kind) {
      case 'session':
        this.#release();
        this.#idOfRecalled = null;
        this.#session = observation.session;
        this.#cars = new Map();
        this.#resets = new Map();
        this.#announced = new Map();
        this.#recall(observation.session);
        break;
      case 'session-details':
        this.#session = { ...observation.session, id: this.#idOfRecalled ?? observation.session.id };
        break;
      case 'car':
        this.#observeCar(observation, at);
        break;
      case 'entrant':
        this.#observeEntrant(observation.key, observation.entrant);
        break;
      case 'announced-lap':
        this.#observeAnnouncement(observation, at);
        break;
      case 'history':
        this.#observeHistory(observation, at);
        break;
      case 'flashback':
        for (const car of this.#cars.values()) this.#goBack(car, observation.toMs);
        break;
      case 'car-reset':
        this.#releaseCar(observation.car);
        this.#cars.delete(observation.car);
        this.#recalled.delete(observation.car);
        this.#resets.set(observation.car, (this.#resets.get(observation.car) ?? 0) + 1);
        break;
      case 'note':
        this.#note(observation.text);
        break;
    }
    return this.#take();
  }

  /** What follows from the time that has passed. */
  wait(at: number): readonly Finding[] {
    this.#settle(at);
    return this.#take();
  }

  /** What follows from the end: nothing more comes. */
  finish(): readonly Finding[] {
    this.#release();
    return this.#take();
  }

  #take(): readonly Finding[] {
    const findings = this.#findings;
    this.#findings = [];
    return findings;
  }

  /** Goes on with a session that an earlier detector has followed, and that may have been started again under its id. */
  #recall(session: Session): void {
    const remembered = this.#remembered;
    this.#remembered = null;
    this.#recalled = new Map();
    const id = remembered?.session.id;
    if (remembered === null || id === undefined || id.split('+', 1)[0] !== session.id) return;
    this.#idOfRecalled = id;
    this.#session = { ...session, id };
    this.#recalled = new Map(remembered.cars.map(([name, car]) => [name, carFrom(car)]));
    this.#resets = new Map(remembered.resets);
    this.#entrants = new Map(remembered.entrants);
  }

  /** A car that an earlier detector has followed, if it goes on; one whose count is lower has begun anew meanwhile. */
  #recallCar({ car: name, lapsDone }: CarState): Car | undefined {
    const car = this.#recalled.get(name);
    this.#recalled.delete(name);
    if (car === undefined || lapsDone < car.state.lapsDone) return undefined;
    this.#cars.set(name, car);
    return car;
  }

  #note(text: string): void {
    this.#findings.push({ kind: 'note', text });
  }

  #observeCar(state: CarState, at: number): void {
    if (this.#session === null) return;
    const car = this.#cars.get(state.car) ?? this.#recallCar(state);
    if (car === undefined) {
      const resets = this.#resets.get(state.car) ?? 0;
      this.#cars.set(state.car, {
        name: resets === 0 ? state.car : `${state.car}+${resets}`,
        firstLap: state.lapsDone + 1,
        state,
        lastLapAtStart: state.lastLapMs,
        running: state.running,
        pending: new Map(),
        found: new Map(),
        takenBack: new Map(),
        times: new Map(),
        isBackFrom: false,
      });
      return;
    }
    if (car.isBackFrom || state.lapsDone < car.state.lapsDone) {
      this.#resume(car, state);
      return;
    }
    if (state.lapsDone > car.state.lapsDone) this.#countRose(car, state, at);
    else this.#countStayed(car, state, at);
    car.state = state;
  }

  /** The count of laps has risen: the lap before the line is complete, and so are those between, if packets were lost. */
  #countRose(car: Car, state: CarState, at: number): void {
    const ended = state.lapsDone;
    for (let lap = car.state.lapsDone + 1; lap < ended; lap += 1) {
      if (car.found.has(lap) || car.pending.has(lap)) continue;
      // Of the first one it is known how it began, of the others nothing.
      const facts = lap === car.state.lapsDone + 1 ? car.running : UNKNOWN_FACTS;
      car.pending.set(lap, {
        lap,
        ms: null,
        staleMs: null,
        facts: { ...facts, valid: null, sectors: null },
        entrant: car.state.entrant,
        endedAt: at,
        endMs: null,
      });
    }
    if (!car.found.has(ended) && !car.pending.has(ended)) {
      const isNew = this.#rules.isTimeWithCount || state.lastLapMs !== car.lastLapAtStart;
      const wasSeen = ended === car.state.lapsDone + 1;
      const driven = wasSeen ? car.running : { ...UNKNOWN_FACTS };
      this.#end(car, {
        lap: ended,
        ms: isNew ? state.lastLapMs : null,
        staleMs: isNew ? null : state.lastLapMs,
        facts: state.last ?? driven,
        entrant: state.lastEntrant ?? (wasSeen ? car.state.entrant : state.entrant),
        endedAt: at,
        endMs: state.lapStartMs,
      });
    }
    car.lastLapAtStart = state.lastLapMs;
    car.running = state.running;
  }

  #countStayed(car: Car, state: CarState, at: number): void {
    const ended = state.lapsDone;
    const waiting = car.pending.get(ended);
    const isNewTime = state.lastLapMs !== null && state.lastLapMs !== car.state.lastLapMs;
    if (waiting !== undefined && waiting.ms === null) {
      const facts = state.last ?? waiting.facts;
      const entrant = state.lastEntrant ?? waiting.entrant;
      if (isNewTime) {
        car.lastLapAtStart = state.lastLapMs;
        this.#end(car, { ...waiting, ms: state.lastLapMs, staleMs: null, facts, entrant });
      } else {
        car.pending.set(ended, { ...waiting, facts, entrant });
      }
    } else if (isNewTime && this.#isEndAtFlag(car, state)) {
      this.#end(car, {
        lap: ended + 1,
        ms: state.lastLapMs,
        staleMs: null,
        facts: state.last ?? car.running,
        entrant: state.entrant,
        endedAt: at,
        endMs: state.lapStartMs,
      });
    }
    car.running = merged(car.running, state.running);
  }

  /** Whether a last lap that changes while the count stays is the end of the lap that is driven. */
  #isEndAtFlag(car: Car, { lapsDone, lastLapMs }: CarState): boolean {
    if (!this.#rules.doesCountStayAtFlag) return false;
    if (car.found.has(lapsDone + 1) || car.pending.has(lapsDone + 1)) return false;
    // A game that has cleared the last lap may show it again.
    const before = car.found.get(lapsDone)?.lap.ms ?? car.pending.get(lapsDone)?.ms ?? car.lastLapAtStart;
    return lastLapMs !== before;
  }

  /** A lap has ended: it is found, or waits for what is still expected. */
  #end(car: Car, ended: PendingLap): void {
    car.pending.delete(ended.lap);
    if (ended.ms !== null && this.#rules.historyWaitMs === 0) this.#find(car, ended, ended.ms);
    else car.pending.set(ended.lap, ended);
  }

  #find(car: Car, ended: PendingLap, ms: number): void {
    car.pending.delete(ended.lap);
    if (this.#session === null) return;
    const times = (car.times.get(ended.lap) ?? 0) + 1;
    car.times.set(ended.lap, times);
    const lap: DetectedLap = {
      ...(this.#entrants.get(ended.entrant) ?? NOT_KNOWN),
      ...ended.facts,
      id: [this.#session.id, car.name, ended.lap, ...(times > 1 ? [times] : [])].join('/'),
      session: this.#session,
      car: car.state.car,
      lap: ended.lap,
      ms,
      completedAt: ended.endedAt,
    };
    car.found.set(ended.lap, { lap, entrant: ended.entrant, endMs: ended.endMs });
    this.#findings.push({ kind: 'lap', lap });
  }

  /** Finds the laps for which nothing more is expected. */
  #settle(at: number): void {
    for (const car of this.#cars.values()) {
      for (const pending of [...car.pending.values()]) {
        const waited = at - pending.endedAt;
        const ms = pending.ms ?? pending.staleMs;
        const limit = pending.ms === null ? SETTLE_MS : this.#rules.historyWaitMs;
        if (ms !== null && waited > limit) this.#find(car, pending, ms);
      }
    }
  }

  /** Finds what can be found when nothing more comes for a session; of the rest it says that it was lost. */
  #release(): void {
    for (const name of this.#cars.keys()) this.#releaseCar(name);
  }

  #releaseCar(name: string): void {
    const car = this.#cars.get(name);
    if (car === undefined) return;
    for (const pending of [...car.pending.values()]) {
      if (pending.ms !== null) this.#find(car, pending, pending.ms);
      else this.#note(`Lap ${pending.lap} of car ${name} was driven, but its time is not known.`);
    }
    car.pending.clear();
  }

  /** A car goes back: laps that ended later than that are taken back. */
  #goBack(car: Car, toMs: number): void {
    for (const [lap, found] of [...car.found]) {
      if (found.endMs !== null && found.endMs > toMs) this.#takeBack(car, lap);
    }
    for (const [lap, pending] of [...car.pending]) {
      if (pending.endMs === null || pending.endMs <= toMs) continue;
      car.pending.delete(lap);
      if (pending.ms !== null) car.takenBack.set(lap, pending.ms);
      this.#note(`Lap ${lap} of car ${car.state.car} was taken back by a flashback before it was sent.`);
    }
    car.isBackFrom = true;
  }

  #takeBack(car: Car, lap: number): void {
    const found = car.found.get(lap);
    if (found === undefined) return;
    car.found.delete(lap);
    car.takenBack.set(lap, found.lap.ms);
    this.#findings.push({ kind: 'taken-back', lap: found.lap });
  }

  /** The first state after a car has gone back: laps that are driven again do not count as completed. */
  #resume(car: Car, state: CarState): void {
    for (const lap of [...car.found.keys()]) {
      if (lap > state.lapsDone) this.#takeBack(car, lap);
    }
    for (const lap of [...car.pending.keys()]) {
      if (lap > state.lapsDone) car.pending.delete(lap);
    }
    car.isBackFrom = false;
    car.firstLap = Math.min(car.firstLap, state.lapsDone + 1);
    car.lastLapAtStart = state.lastLapMs;
    car.running = state.running;
    car.state = state;
  }

  #observeEntrant(key: string, entrant: Entrant): void {
    this.#entrants.set(key, entrant);
    const groups = [...[...this.#cars.values()].map(({ found }) => found), ...this.#announced.values()];
    for (const group of groups) {
      for (const [number, found] of group) {
        if (found.entrant !== key || !isCompletedBy(found.lap, entrant)) continue;
        const lap = { ...found.lap, ...entrant };
        group.set(number, { ...found, lap });
        this.#findings.push({ kind: 'corrected', lap });
      }
    }
  }

  #observeAnnouncement({ car, entrant, lap: number, ms, facts }: AnnouncedLap, at: number): void {
    if (this.#session === null) return;
    const key = `${car}/${entrant}`;
    const laps = this.#announced.get(key) ?? new Map<number, FoundLap>();
    this.#announced.set(key, laps);
    const lap = number ?? laps.size + 1;
    if (laps.has(lap)) return;
    if (ms === null) {
      this.#note(`Lap ${lap} of car ${car} has no time.`);
      return;
    }
    const found: DetectedLap = {
      ...(this.#entrants.get(entrant) ?? NOT_KNOWN),
      ...facts,
      id: [this.#session.id, entrant, lap].join('/'),
      session: this.#session,
      car,
      lap,
      ms,
      completedAt: at,
    };
    laps.set(lap, { lap: found, entrant, endMs: null });
    this.#findings.push({ kind: 'lap', lap: found });
  }

  #observeHistory({ car: name, isComplete, laps }: LapHistory, at: number): void {
    const car = this.#cars.get(name);
    if (car === undefined) {
      if (laps.length > 0 && !this.#recalled.has(name)) this.#noteBefore(name, laps.length);
      return;
    }
    if (car.isBackFrom) return;
    const isSeen = ({ lap }: RememberedLap): boolean => car.found.has(lap) || car.pending.has(lap);
    const before = laps.filter((lap) => !isSeen(lap) && (!isComplete || lap.lap < car.firstLap));
    if (before.length > 0) this.#noteBefore(name, before.length);
    for (const lap of laps) {
      if (!before.includes(lap)) this.#remember(car, lap, at);
    }
  }

  #noteBefore(car: string, laps: number): void {
    const key = `${this.#session?.id ?? ''}/${car}`;
    if (this.#noted.has(key)) return;
    this.#noted.add(key);
    const what = laps === 1 ? 'One lap' : `${laps} laps`;
    this.#note(
      `${what} of car ${car} from before the bridge ran are known from the history of the game only, and are not sent.`,
    );
  }

  /** The game remembers a lap that was driven since the car was first seen. */
  #remember(car: Car, { lap, ms, sectors, valid }: RememberedLap, at: number): void {
    const found = car.found.get(lap);
    if (found !== undefined) {
      if (found.lap.ms !== ms) return;
      if (found.lap.valid === valid && isSame(found.lap.sectors, sectors)) return;
      const corrected = { ...found.lap, sectors, valid };
      car.found.set(lap, { ...found, lap: corrected });
      this.#findings.push({ kind: 'corrected', lap: corrected });
      return;
    }
    if (car.takenBack.get(lap) === ms && lap > car.state.lapsDone) return;
    const pending = car.pending.get(lap);
    if (pending !== undefined && pending.ms !== null && pending.ms !== ms) return;
    const isRunning = lap === car.state.lapsDone + 1;
    const ended: PendingLap = pending ?? {
      lap,
      ms,
      staleMs: null,
      facts: isRunning ? car.running : UNKNOWN_FACTS,
      entrant: car.state.entrant,
      endedAt: at,
      endMs: null,
    };
    this.#find(car, { ...ended, facts: { ...ended.facts, sectors, valid } }, ms);
  }
}

/** `DetectorState` of an earlier detector, with its times counted from the start of another one, which was later. */
export function laterBy(state: DetectorState, ms: number): DetectorState {
  const cars = state.cars.map(([name, car]) => {
    const pending = car.pending.map((lap) => ({ ...lap, endedAt: lap.endedAt - ms }));
    const found = car.found.map((one) => {
      const completedAt = one.lap.completedAt - ms;
      return { ...one, lap: { ...one.lap, completedAt } };
    });
    return [name, { ...car, pending, found }] as const;
  });
  return { ...state, cars };
}

function savedCar(car: Car): SavedCar {
  return {
    ...car,
    pending: [...car.pending.values()],
    found: [...car.found.values()],
    takenBack: [...car.takenBack],
    times: [...car.times],
  };
}

function carFrom(saved: SavedCar): Car {
  return {
    ...saved,
    pending: new Map(saved.pending.map((pending) => [pending.lap, pending])),
    found: new Map(saved.found.map((found) => [found.lap.lap, found])),
    takenBack: new Map(saved.takenBack),
    times: new Map(saved.times),
  };
}

const UNKNOWN_FACTS: LapFacts = { sectors: null, valid: null, isOut: false };

/** What was said of a lap until now, with what is said of it now. */
function merged(before: LapFacts, now: LapFacts): LapFacts {
  return {
    sectors: now.sectors ?? before.sectors,
    // A lap that was invalid once stays so.
    valid: before.valid === false ? false : now.valid,
    isOut: now.isOut,
  };
}

/** Whether a lap says less of its driver and car than is known now. */
function isCompletedBy(lap: Entrant, { driver, driverId, model }: Entrant): boolean {
  const isDriverNew = lap.driver === null && driver !== null;
  const isIdNew = lap.driverId === null && driverId !== null;
  const isModelNew = lap.model === null && model !== null;
  return isDriverNew || isIdNew || isModelNew;
}

function isSame(one: readonly (number | null)[] | null, other: readonly (number | null)[] | null): boolean {
  return one?.join() === other?.join();
}
