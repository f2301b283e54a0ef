import type { Change, Collection } from '../../../src/kernel/ports/read-store.ts';

export const WRITTEN: Collection = { name: 'written', indexes: [['value'], ['group', 'value'], ['group']] };

/**
 * The changes of one event of an endless history: each follows from its position alone, so any process can make it again.
 */
export function eventChanges(position: number): Change[] {
  const collection = WRITTEN.name;
  const id = `t${Math.floor(position / 4)}`;
  const group = `g${position % 5}`;
  if (position % 4 === 0) {
    const shapes = { [`shape${position % 40}`]: { [`key${position}`]: position } };
    const document = {
      id,
      _created: position,
      _position: position,
      _revision: 0,
      value: position % 17,
      group,
      ...shapes,
    };
    return [{ kind: 'insert', collection, document }];
  }
  if (position % 4 === 1) {
    return [{ kind: 'set', collection, id, fields: { value: -position, group }, position, revision: 1 }];
  }
  if (position % 4 === 2) {
    return [{ kind: 'unset', collection, id: `t${Math.floor(position / 8)}`, fields: ['value'], position }];
  }
  if (position % 40 !== 3) return [];
  const fields = { name: `n${position}`, group: `g${(position + 2) % 5}` };
  return [{ kind: 'setWhere', collection, field: 'group', value: group, fields, position }];
}
