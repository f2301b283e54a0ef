import createClient from 'openapi-fetch';
import type { components, paths } from '../../generated/api.ts';

export type Schemas = components['schemas'];

export const api = createClient<paths>({ baseUrl: '' });
