import type { MakerData } from '../types.ts';

/** Makers of the cars, with the country of their seat. */
export const MAKERS: readonly MakerData[] = [
  { slug: 'acura', displayName: 'Acura', country: 'JPN' },
  { slug: 'alpine', displayName: 'Alpine', country: 'FRA' },
  { slug: 'aston-martin', displayName: 'Aston Martin', country: 'GBR' },
  { slug: 'audi', displayName: 'Audi', country: 'DEU' },
  { slug: 'bmw', displayName: 'BMW', country: 'DEU' },
  { slug: 'cadillac', displayName: 'Cadillac', country: 'USA' },
  { slug: 'chevrolet', displayName: 'Chevrolet', country: 'USA' },
  { slug: 'dallara', displayName: 'Dallara', country: 'ITA' },
  { slug: 'ferrari', displayName: 'Ferrari', country: 'ITA' },
  { slug: 'ford', displayName: 'Ford', country: 'USA' },
  { slug: 'honda', displayName: 'Honda', country: 'JPN' },
  { slug: 'hyundai', displayName: 'Hyundai', country: 'KOR' },
  { slug: 'lamborghini', displayName: 'Lamborghini', country: 'ITA' },
  { slug: 'mclaren', displayName: 'McLaren', country: 'GBR' },
  { slug: 'mercedes-amg', displayName: 'Mercedes-AMG', country: 'DEU' },
  { slug: 'nissan', displayName: 'Nissan', country: 'JPN' },
  { slug: 'oreca', displayName: 'ORECA', country: 'FRA' },
  { slug: 'peugeot', displayName: 'Peugeot', country: 'FRA' },
  { slug: 'porsche', displayName: 'Porsche', country: 'DEU' },
  { slug: 'toyota', displayName: 'Toyota', country: 'JPN' },
];
