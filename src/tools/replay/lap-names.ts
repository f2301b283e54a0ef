/**
 * What a field of laps is called elsewhere, and here: requests and events have `carId`, laps that are shown `car`; for
 * all of them `trackId` is the id of the layout.
 */
const NAMES = Object.entries({ carId: 'car', car: 'carId', trackLayoutId: 'trackId', layoutId: 'trackId' });

/**
 * A lap, or the data of an event of one, that throws where a module reads a field by a name that it has elsewhere:
 * types are not checked, so the module would get `undefined`. Copies of it do not.
 */
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
