import { IN_ORDER } from './entries.ts';
import { entry as declared, type Entry, type Role } from './entry.ts';

/** Files have no JSON bodies, so only their operations are tested like those of resources. */
export const FILE = declared('File', 'cdn', {
  commands: ['', ''],
  sort: 'key',
  reads: 'R',
  history: true,
  uploads: true,
  filters: { licenseId: null, type: null },
  create: {},
  events: {},
});

/** One operation on a resource. */
export interface Operation {
  readonly entry: Entry;
  readonly method: string;
  /** What its path adds to that of the resource, with `{}` for a parameter. */
  readonly end: string;
  /** The lowest role that may call it. */
  readonly needs: Role;
}

/** The operations of a resource by method and path, from its entry. */
function operationsBy(entry: Entry): readonly (readonly [string, Operation])[] {
  const { path, sort, reads, creates, writes, deletes, uploads, history, more = {} } = entry;
  const roles = new Map<string, Role>([
    ['GET ', reads],
    ['GET /{}', reads],
    ['POST ', creates],
  ]);
  if (sort !== null) roles.set('GET /paged', reads);
  if (history) roles.set('GET /{}/history', 'CRUD');
  if (uploads !== true) roles.set('PATCH /{}', writes);
  if (deletes === true) roles.set('DELETE /{}', writes);
  for (const [key, role] of Object.entries(more)) roles.set(key, role);
  return [...roles].map(([key, needs]) => {
    const [method = '', end = ''] = key.split(' ');
    return [`${method} ${withoutNames(path)}${end}`, { entry, method, end, needs }];
  });
}

/** A path with `{}` for each parameter. */
export function withoutNames(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}

/** All operations on resources, by method and path. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map([...IN_ORDER, FILE].flatMap(operationsBy));
