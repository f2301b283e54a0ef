import type { CarClass } from './car-classes.ts';

/** Number of colours of classes; further classes begin again with the first. */
const COLOURS = 6;

/** The class of a car, and the driver's place in it. */
export function ClassBadge({ carClass, place }: { readonly carClass: CarClass; readonly place: number | undefined }) {
  return (
    <span class={`class-badge class-${carClass.number % COLOURS}`} title={carClass.name}>
      <bdi>{carClass.shortName}</bdi>
      {place !== undefined && <span class="numbers">{place}</span>}
    </span>
  );
}
