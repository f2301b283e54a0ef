import { z } from 'zod';
import { fieldsMarked } from './facts.ts';
import { eventType, type EventType, type EventTypes } from '../kernel/event-types.ts';
import type { Json } from '../kernel/json.ts';

/**
 * Events of a person: the fields that are marked as personal or as contact are theirs, and are encrypted where they are
 * stored (docs/architecture.md#personal-data).
 * @param erased what is read in place of each such field once the person was erased
 * @throws {TypeError} when a marked field is not in `erased`
 */
export function personalEvents<const T extends EventTypes>(erased: { readonly [field: string]: Json }, types: T): T {
  const declared = Object.entries(types).map(([name, type]) => {
    const fields = fieldsMarked(type.schema, 'personal', 'contact').map((field) => {
      const value = erased[field];
      if (value === undefined) throw new TypeError(`${name}: nothing is declared to stand for an erased ${field}`);
      return [field, value] as const;
    });
    if (fields.length === 0) return [name, type] as const;
    return [name, { ...type, personal: [{ subject: 'stream', erased: Object.fromEntries(fields) }] }] as const;
  });
  // The same types by the same names.
  return Object.fromEntries(declared) as T;
}

/** Declares the event that says that the person of its stream was erased. It has no data. */
export function erasingEvent(): EventType<Record<string, never>> {
  return { ...eventType(z.object({})), erases: true };
}
