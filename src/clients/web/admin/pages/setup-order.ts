import type { Resource } from '../api/model.ts';
import type { Session } from '../session.ts';

/** The resources in the order in which a venue needs them; others follow in the order of the API document. */
const IN_ORDER: readonly string[] = [
  'Simulator',
  'Track',
  'TrackLayout',
  'CarBrand',
  'CarClass',
  'Car',
  'Rig',
  'Brand',
  'Event',
  'SignupField',
  'Participant',
  'Lap',
  'License',
  'ApiKey',
];

/**
 * The resources that have a page made for all, of those that the key may see, in the order in which they are needed. Files
 * have a page of their own.
 */
export function setupResources({ model, may }: Session): readonly Resource[] {
  const listed = model.resources.filter(
    ({ name, path, list, current }) =>
      name !== 'File' && !path.includes('{') && (may(list) || (list.role === 'ADMIN' && may(current))),
  );
  const known = IN_ORDER.flatMap((name) => listed.filter((resource) => resource.name === name));
  return [...known, ...listed.filter((resource) => !known.includes(resource))];
}
