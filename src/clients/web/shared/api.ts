import createClient from 'openapi-fetch';
import { base } from './base.ts';
import type { components, paths } from '../../generated/api.ts';

export type Schemas = components['schemas'];

/** The address of an uploaded file, by its key. */
export function fileAddress(key: string): string {
  return `${base}/cdn/${key.split('/').map(encodeURIComponent).join('/')}`;
}

export const api = createClient<paths>({ baseUrl: base });
