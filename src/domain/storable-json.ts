/** Levels of arrays and objects at most, unless configured otherwise (docs/interface.md#limits). */
export const MAX_DEPTH = 32;

/**
 * NUL, and surrogates without their partner, which no UTF-8 can carry: with the `u` flag, a pair is not a surrogate.
 */
const UNSTORABLE = /[\0\ud800-\udfff]/u;
const UNSTORABLE_DETAIL = 'may not contain NUL or half of a surrogate pair';

/** A value that cannot be stored, and the keys that lead to it. */
export interface Unstorable {
  readonly path: (string | number)[];
  readonly detail: string;
  readonly tooDeep: boolean;
}

/** Stands for an item of a list whose text had a fault that its value does not show; `unstorable` returns that fault. */
export class RefusedItem {
  readonly fault: Unstorable;

  constructor(fault: Unstorable) {
    this.fault = fault;
  }
}

/**
 * The first thing in a parsed JSON value that the service cannot keep, or null: NUL, lone surrogates, numbers past the
 * range of a double, the key `__proto__`, more than `levels` levels.
 */
export function unstorable(value: unknown, levels = MAX_DEPTH): Unstorable | null {
  if (value instanceof RefusedItem) return value.fault;
  if (typeof value === 'object' && value !== null) return unstorableWithin(value, levels);
  if (typeof value === 'string' && UNSTORABLE.test(value)) return found(UNSTORABLE_DETAIL);
  return typeof value === 'number' && !Number.isFinite(value) ? found('is out of range') : null;
}

function unstorableWithin(value: object, levels: number): Unstorable | null {
  if (levels === 0) return { path: [], detail: 'is nested too deep', tooDeep: true };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const fault = unstorable(value[index], levels - 1);
      if (fault !== null) return at(index, fault);
    }
    return null;
  }
  for (const [key, member] of Object.entries(value)) {
    const fault = unstorableKey(key) ?? unstorable(member, levels - 1);
    if (fault !== null) return at(key, fault);
  }
  return null;
}

function unstorableKey(key: string): Unstorable | null {
  if (key === '__proto__') return found('may not be a key');
  return UNSTORABLE.test(key) ? found(UNSTORABLE_DETAIL) : null;
}

function found(detail: string): Unstorable {
  return { path: [], detail, tooDeep: false };
}

/** Built on the way back, so that a valid value costs no path. */
function at(key: string | number, fault: Unstorable): Unstorable {
  fault.path.unshift(key);
  return fault;
}
