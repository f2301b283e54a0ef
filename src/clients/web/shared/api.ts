import createClient from 'openapi-fetch';
import type { components, paths } from '../../generated/api.ts';

export type Schemas = components['schemas'];

/** Calls to the API that this page comes from, typed by its document. */
export const api = createClient<paths>({ baseUrl: '' });
