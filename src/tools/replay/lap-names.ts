/** What a field of laps is called elsewhere, and here: requests and events have `carId`, laps that are shown `car`. */
const NAMES = Object.entries({ carId: 'car', car: 'carId', trackLayoutId: 'trackId', layoutId: 'trackId' });

/** A lap that throws where a module, whose types are not checked, reads a field by a name that it has elsewhere. */
export function withOwnNames<T extends object>(lap: T): T {
  for (const [elsewhere, own] of NAMES) {
    if (elsewhere in lap || !(own in lap)) continue;
    const get = (): never => {
      throw new TypeError(`a lap has no ${elsewhere} here; did you mean ${own}?`);
    };
    Object.defineProperty(lap, elsewhere, { get, configurable: true });
  }
  return lap;
}
