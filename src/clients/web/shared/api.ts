import createClient from 'openapi-fetch';
import type { components, paths } from '../../generated/api.ts';

export type Schemas = components['schemas'];

/** The address of an uploaded file, by its key. */
export function fileAddress(key: string): string {
  return `/cdn/${key.split('/').map(encodeURIComponent).join('/')}`;
}

export const api = createClient<paths>({ baseUrl: '' });
