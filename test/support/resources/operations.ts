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

/** What there is to do with a resource, by method and path, by its entry. */
function operationsBy(entry: Entry): readonly (readonly [string, Operation])[] {
  const { path, sort, reads, creates, writes, deletes, uploads, history, more = {} } = entry;
  const all = {
    'GET ': reads,
    ...(sort === null ? {} : { 'GET /paged': reads }),
    'GET /{}': reads,
    ...(history ? { 'GET /{}/history': 'CRUD' as const } : {}),
    'POST ': creates,
    ...(uploads === true ? {} : { 'PATCH /{}': writes }),
    ...(deletes === true ? { 'DELETE /{}': writes } : {}),
    ...more,
  };
  return Object.entries<Role>(all).map(([key, needs]) => {
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
