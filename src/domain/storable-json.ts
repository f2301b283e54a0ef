import type { Fault } from '../kernel/rejections.ts';

/** Levels of arrays and objects at most (DESIGN §5). */
const MAX_DEPTH = 32;

/**
 * NUL, and surrogates without their partner, which no UTF-8 can carry: with the `u` flag, a pair is not a surrogate.
 */
const UNSTORABLE = /[\0\ud800-\udfff]/u;

/**
 * What JSON can say and the service cannot keep, or null: NUL, lone surrogates, numbers past the range of a double, the
 * key `__proto__`, more than 32 levels. The pointer leads from `value`.
 */
export function unstorable(value: unknown, pointer = '', depth = 0): Fault | null {
  if (typeof value === 'object' && value !== null) return unstorableMember(value, pointer, depth);
  const detail = unstorableScalar(value);
  return detail === null ? null : { pointer, detail };
}

function unstorableScalar(value: unknown): string | null {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'is out of range';
  if (typeof value !== 'string' || !UNSTORABLE.test(value)) return null;
  return 'may not contain NUL or half of a surrogate pair';
}

function unstorableMember(value: object, pointer: string, depth: number): Fault | null {
  if (depth >= MAX_DEPTH) return { pointer, detail: `is nested deeper than ${MAX_DEPTH} levels` };
  for (const [key, member] of Object.entries(value)) {
    if (key === '__proto__') return { pointer, detail: 'may not have a key named __proto__' };
    const fault = unstorable(key, pointer) ?? unstorable(member, `${pointer}/${key}`, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}
