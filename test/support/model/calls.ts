import fc, { type Arbitrary } from 'fast-check';
import type { Json, JsonObject } from '../../../src/kernel/json.ts';
import { KINDS, type Fields, type Kind } from './kinds.ts';

/**
 * The sender of a call: the root ADMIN key, no key, or the nth visible key, newest first; past the end, the ADMIN key.
 */
export type By = 'admin' | 'nobody' | { readonly key: number };

/** The target that does not exist. */
export const NOTHING = 99;

/** A call that creates, for the newest simulator and licence. */
export function creates(kind: string, by: By, body: JsonObject): Call {
  return { do: 'create', kind, by, body, simulator: 0, license: 0, idempotency: null };
}

/** The simplest body that creates a resource that a call needs. */
export function plainBody({ create }: Kind, number: number): JsonObject {
  const required = Object.entries(create).filter(isRequired);
  return Object.fromEntries(required.map(([name, { plain }]) => [name, plain(number)]));
}

function isRequired([, { unset, otherwise }]: readonly [string, Fields[string]]): boolean {
  return unset === undefined && otherwise === undefined;
}

const index = fc.nat({ max: 3 });
const target = fc.oneof({ weight: 30, arbitrary: index }, { weight: 1, arbitrary: fc.constant(NOTHING) });
const by: Arbitrary<By> = fc.oneof(
  { weight: 12, arbitrary: fc.constant('admin' as const) },
  { weight: 8, arbitrary: fc.nat({ max: 6 }).map((key) => ({ key })) },
  { weight: 1, arbitrary: fc.constant('nobody' as const) },
);
const kindWith = (matches: (kind: Kind) => boolean): Arbitrary<Kind> =>
  fc.constantFrom(...[...KINDS.values()].filter(matches));

/** Laps are recorded and changed most, as in reality. */
const anyKind = fc.oneof({ weight: 3, arbitrary: kindWith(() => true) }, { weight: 1, arbitrary: kindWith(isLap) });

function isLap({ name }: Kind): boolean {
  return name === 'Lap';
}

/** A body for POST, which may be incomplete. */
function creating(fields: Fields): Arbitrary<JsonObject> {
  const all = fc.record(valuesOf(fields));
  const some = fc.record(valuesOf(fields), { requiredKeys: [] });
  const required = Object.entries(fields).filter(isRequired);
  const least = fc.record(valuesOf(fields), { requiredKeys: required.map(([name]) => name) });
  return fc.oneof({ weight: 20, arbitrary: least }, { weight: 20, arbitrary: all }, { weight: 1, arbitrary: some });
}

/** A body for PATCH: mostly one field. */
function changing(kind: Kind): Arbitrary<JsonObject> {
  const { change, replaces } = kind;
  if (replaces) return creating(change);
  const names = Object.keys(change);
  const one = fc
    .subarray(names, { minLength: 1, maxLength: Math.min(2, names.length) })
    .chain((picked) => fc.record(valuesOf(Object.fromEntries(picked.map((name) => [name, change[name]])))));
  const plain = fc.oneof({ weight: 9, arbitrary: one }, { weight: 1, arbitrary: fc.constant({}) });
  if (kind.name !== 'Lap') return plain;
  const strike = fc.constantFrom<JsonObject>({ valid: false, reason: 'Cut' }, { valid: false });
  return fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: strike });
}

function valuesOf(fields: { readonly [name: string]: Fields[string] | undefined }): Record<string, Arbitrary<Json>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (field === undefined ? [] : [[name, field.values]])),
  );
}

const createCall = anyKind.chain((kind) =>
  fc.record({
    do: fc.constant('create' as const),
    kind: fc.constant(kind.name),
    by,
    body: creating(kind.create),
    /** The simulator of a mapping, as a target. */
    simulator: target,
    /** The licence whose file a rig sends, as a reference. */
    license: index,
    /** Equal numbers give equal `Idempotency-Key`s; null: none. */
    idempotency: ['by its path', 'registers once'].includes(kind.idempotent ?? '')
      ? fc.constant(null)
      : fc.option(index, { freq: 2 }),
  }),
);

const changeCall = anyKind.chain((kind) =>
  fc.record({
    do: fc.constant('change' as const),
    kind: fc.constant(kind.name),
    by,
    target,
    body: changing(kind),
    /** `If-Match`: none, the current revision, an older one, or `*`. */
    match: fc.constantFrom(...(['none', 'none', 'none', 'present', 'older', 'any'] as const)),
  }),
);

const readCall = fc.record({
  do: fc.constant('read' as const),
  kind: anyKind.map(({ name }) => name),
  by,
  target,
  /** True for a conditional GET. */
  cached: fc.boolean(),
});

const listCall = fc.record({
  do: fc.constant('list' as const),
  kind: kindWith(({ maps }) => maps === undefined).map(({ name }) => name),
  by,
  disabled: fc.boolean(),
});

const pageCall = fc.record({
  do: fc.constant('page' as const),
  kind: kindWith(({ sort }) => sort !== null).map(({ name }) => name),
  by,
  disabled: fc.boolean(),
  page: fc.constantFrom(0, 0, 1, 2, 1_000),
  size: fc.constantFrom(1, 2, 3, 20, 1_000),
  /** The nth sortable field; null: the default. */
  sort: fc.option(fc.nat({ max: 30 })),
  direction: fc.constantFrom('asc' as const, 'desc' as const),
});

const keyCalls = fc.oneof(
  fc.record({
    do: fc.constant('issueKey' as const),
    by,
    role: fc.constantFrom(...(['R', 'CR', 'CRUD', 'ADMIN'] as const)),
  }),
  fc.record({ do: fc.constant('revokeKey' as const), by, target: index }),
);

const deleteCall = fc.record({
  do: fc.constant('delete' as const),
  kind: kindWith(({ maps }) => maps !== undefined).map(({ name }) => name),
  by,
  target,
});

const call = fc.oneof(
  // Shrinking turns calls into none.
  { withCrossShrink: true },
  { weight: 1, arbitrary: fc.constant({ do: 'nothing' as const }) },
  { weight: 140, arbitrary: createCall },
  { weight: 140, arbitrary: changeCall },
  { weight: 50, arbitrary: readCall },
  { weight: 20, arbitrary: listCall },
  { weight: 40, arbitrary: pageCall },
  { weight: 20, arbitrary: deleteCall },
  { weight: 12, arbitrary: keyCalls },
);

/**
 * One call of a sequence, as plain data that can be printed and kept as a test. A `target` is the nth of the sequence's
 * own resources, newest first; past the end, the oldest. If there is none of the kind, one is created first.
 */
export type Call = typeof call extends Arbitrary<infer T> ? T : never;

/** The calls that do one of some things. */
export type CallOf<Do extends Call['do']> = Extract<Call, { do: Do }>;

/** Sequences of calls. */
export function sequences(length: number): Arbitrary<readonly Call[]> {
  return fc.tuple(...Array.from({ length }, () => call));
}
