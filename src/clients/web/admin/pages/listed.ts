import type { Resource } from '../api/model.ts';
import type { Session } from '../session.ts';

/** The resources that have a page of their own, of those that the key may see. */
export function listed({ model, may }: Session): readonly Resource[] {
  return model.resources.filter(
    ({ parents, list, current }) => parents.length === 0 && (may(list) || (list.role === 'ADMIN' && may(current))),
  );
}
