import type { Answer } from '../api/client.ts';
import { revisionOf, type Request } from './oracle.ts';
import type { Key, Thing } from './things.ts';
import type { World } from './world.ts';

/** Sends a request with a key, or none. */
export async function send(world: World, key: Key | null, request: Request): Promise<Answer> {
  const client = world.as(key);
  const path = pathOf(request);
  switch (request.do) {
    case 'create': {
      const { kind, body, licenseId, idempotencyKey } = request;
      const file = kind.name === 'Rig' ? { licenseFile: await world.fileOf(licenseId) } : {};
      const headers = idempotencyKey === null ? {} : { 'Idempotency-Key': idempotencyKey };
      return client.post(path, { ...body, ...file }, headers);
    }
    case 'change':
      return client.patch(path, request.body, request.ifMatch === null ? {} : { 'If-Match': request.ifMatch });
    case 'delete':
      return client.delete(path);
    case 'read':
      return client.get(path, request.ifNoneMatch === null ? {} : { 'If-None-Match': request.ifNoneMatch });
    default:
      return client.get(path);
  }
}

/** The `If-Match` for a resource: its current revision, an older one, `*`, or none. */
export function ifMatchOf(match: 'none' | 'present' | 'older' | 'any', thing: Thing | null): string | null {
  if (match === 'none') return null;
  if (match === 'any') return '*';
  const present = thing?.etags.at(-1) ?? null;
  if (match === 'present' || present === null) return present;
  return thing?.etags.find((etag) => revisionOf(etag) !== revisionOf(present)) ?? present;
}

function pathOf(request: Request): string {
  const { kind } = request;
  switch (request.do) {
    case 'create':
      return kind.path.replace('{simulatorId}', request.simulatorId);
    case 'list':
      return kind.path + (request.disabled && kind.hides ? '?includeDisabled=true' : '');
    case 'page': {
      const { page, size, sort, direction, disabled } = request;
      const query = new URLSearchParams({ page: `${page}`, size: `${size}` });
      if (sort !== null) query.set('sort', `${sort},${direction}`);
      if (disabled && kind.hides) query.set('includeDisabled', 'true');
      return `${kind.path}/paged?${query.toString()}`;
    }
    default: {
      const [first = '', second = ''] = request.id.split(':');
      return kind.maps === undefined
        ? `${kind.path}/${first}`
        : `${kind.path.replace('{simulatorId}', first)}/${second}`;
    }
  }
}
