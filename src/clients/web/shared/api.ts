import createClient from 'openapi-fetch';
import type { components, paths } from '../../generated/api.ts';

/** Schemas of the interface by name. */
export type Schemas = components['schemas'];

/** A problem document (RFC 9457), as the service answers what it refuses. */
export type ApiProblem = Schemas['Problem'];

/** Calls to the API that this page comes from, typed by its document. */
export const api = createClient<paths>({ baseUrl: '' });
