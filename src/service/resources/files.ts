import { fileDecider } from '../../../commands/files.ts';
import { fileQuery } from '../../../queries/files.ts';
import { resource } from './resource.ts';

/** Files are uploaded, not created and changed by JSON: `src/service/api/cdn.ts`. */
export const fileResource = resource({
  path: '/api/v1/cdn',
  decider: fileDecider,
  query: fileQuery,
  create: null,
  change: null,
  access: { read: 'R', write: 'CRUD', owner: { kind: 'creator' } },
  history: true,
  export: { name: 'files' },
});
