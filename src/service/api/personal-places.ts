import { z } from 'zod';
import { component } from '../../domain/component.ts';

/** Where the service keeps personal data, in the order of certificates. */
export const PLACES = [
  'log',
  'claims',
  'deadLetters',
  'readModels',
  'leaderboards',
  'histories',
  'keyStore',
  'caches',
  'otherNodes',
] as const;
export type Place = (typeof PLACES)[number];

export const PlaceName = z.enum(PLACES).meta(component('PlaceOfPersonalData', 'A place where personal data are.'));
