import { z } from 'zod';
import { marked } from './facts.ts';
import { described, list, NAME_OF, REFERS_TO, uuid } from './fields.ts';

/** What the examples of the API document are about: a hotlap evening at Spa-Francorchamps. */
export const EXAMPLES = {
  license: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e01', name: 'Apex Arena' },
  apiKey: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e02', name: 'Rig 7' },
  rig: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e03', name: 'Rig 7' },
  simulator: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e04', name: 'Assetto Corsa Competizione' },
  track: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e05', name: 'Circuit de Spa-Francorchamps' },
  trackLayout: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06', name: 'Spa Grand Prix' },
  carBrand: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e07', name: 'Porsche' },
  carClass: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e08', name: 'Gran Turismo 3' },
  car: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e09', name: '911 GT3 R (992)' },
  brand: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0a', name: 'Brakes & Sons' },
  event: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0b', name: 'Spa hotlap Friday' },
  signupField: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0c', name: 'T-shirt size' },
  participant: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0d', name: 'Nora Lindqvist' },
  lap: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0e', name: '2:18.491' },
  file: { id: '2b1f6c1e-7d55-5c1e-9a55-6a1f0c2b7e0f', name: 'spa/logo.svg' },
} as const;

export type Exemplified = keyof typeof EXAMPLES;

export function reference(to: Exemplified, description: string) {
  return described(uuid, description, EXAMPLES[to].id).meta({ [REFERS_TO]: schemaName(to) });
}

/** The ids of other resources; bounds are those of `list`. */
export function references(to: Exemplified, description: string, bounds: Parameters<typeof list>[1] = {}) {
  return described(list(uuid, bounds), description, [EXAMPLES[to].id]).meta({ [REFERS_TO]: schemaName(to) });
}

/** The schema, in the API document, of a thing of the examples: `TrackLayout`. */
function schemaName(of: Exemplified): string {
  return of.charAt(0).toUpperCase() + of.slice(1);
}

/** Whose names tell who somebody is; a licence may be one person's. */
const PEOPLE: readonly string[] = [EXAMPLES.participant.id, EXAMPLES.license.id];

/** The name of what a field refers to; that of a person is personal. */
export function referredName(field: string, type: z.core.$ZodType) {
  const { examples } = z.globalRegistry.get(type) ?? {};
  const example = Object.values(EXAMPLES).find(({ id }) => Array.isArray(examples) && examples.includes(id));
  const name = nameOf(field, described(z.string(), `Current name of what \`${field}\` refers to.`, example?.name));
  return example !== undefined && PEOPLE.includes(example.id) ? marked('personal', name) : name;
}

/** A type whose values are the names of what another field refers to. */
export function nameOf<T extends z.ZodType>(field: string, type: T): T {
  return type.meta({ [NAME_OF]: field });
}

/** The id of a resource itself; `Lap` has that of `lap` among the examples. */
export function ownId(resource: string) {
  return described(uuid, 'Id of the resource, assigned by the service.', exampleId(resource));
}

/** The example of an id by the name of what it is the id of, in any case. */
export function exampleId(resource: string): string | undefined {
  const key = resource.charAt(0).toLowerCase() + resource.slice(1);
  return Object.entries(EXAMPLES).find(([name]) => name === key)?.[1].id;
}
