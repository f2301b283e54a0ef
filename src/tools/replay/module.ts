import { register } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtInProjections } from '../../../projections/index.ts';
import type { Projection } from '../../service/kernel/projection/projection.ts';
import { neglectedEvents, unknownEvents } from './check-events.ts';
import { API_URL } from './package.ts';
import type { HookData } from './hooks.ts';
import { ReplayRefused } from './refused.ts';

/** A module as it goes to the worker that runs it. */
export interface ModuleSource {
  readonly entry: string;
  readonly outputs: ReadonlyMap<string, string>;
}

/** A module's projections. */
export interface ReplayModule {
  readonly projections: readonly Projection[];
  /**
   * Collections that are the answer: those with a name that begins with `_` are there to be looked up, and built-in
   * ones as well, unless there are no others.
   */
  readonly answers: readonly string[];
  /** What its author may have overlooked, a sentence each. */
  readonly notes: readonly string[];
}

const COLLECTION = /^_?[A-Za-z][A-Za-z0-9_-]{0,59}$/;

const WANTED = `It must have a default export: a projection, or a list of them. The smallest one:

  import { lapEvents, projection, table } from 'sim-racing-timing';

  const fastLaps = table('fastLaps');
  export default projection(fastLaps, { own: {}, others: lapEvents }, {
    LapRecorded: ({ data, id, at }) =>
      data.totalTime < 100_000 ? fastLaps.insert(id, { ms: data.totalTime, at }) : null,
  });
`;

/**
 * Runs a module and takes its default export.
 * @throws {ReplayRefused} when that is not what is wanted; whatever the module throws.
 */
export async function loadModule({ entry, outputs }: ModuleSource): Promise<ReplayModule> {
  const data: HookData = { outputs, api: API_URL };
  register(new URL(`./hooks${extname(import.meta.url)}`, import.meta.url), { data });
  // What a module holds is its author's business until it is looked at.
  const loaded = (await import(entry)) as { readonly default?: unknown };
  return checked(loaded.default, fileURLToPath(entry));
}

function checked(exported: unknown, file: string): ReplayModule {
  const list: readonly unknown[] = Array.isArray(exported) ? exported : [exported];
  if (exported === undefined) throw new ReplayRefused(`${file} has no default export. ${WANTED}`);
  if (list.length === 0) throw new ReplayRefused(`${file} exports an empty list. ${WANTED}`);
  const projections = list.map((each, n) => {
    if (isProjection(each)) return each;
    const which = Array.isArray(exported) ? `element ${n} of its default export` : 'its default export';
    throw new ReplayRefused(`${file}: ${which} is ${nameOf(each)}, no projection. ${WANTED}`);
  });
  const collections = projections.map(({ model }) => model.collection);
  for (const [n, name] of collections.entries()) {
    if (collections.indexOf(name) !== n) {
      throw new ReplayRefused(`${file}: two projections keep ${name}; each collection has one`);
    }
    if (!COLLECTION.test(name)) {
      throw new ReplayRefused(
        `${file}: ${JSON.stringify(name)} is no name for a collection; it takes letters, digits, - and _`,
      );
    }
  }
  const [unknown] = unknownEvents(projections);
  if (unknown !== undefined) throw new ReplayRefused(`${file}: ${unknown}`);
  const ownProjections = projections.filter((each) => !isBuiltIn(each));
  const own = ownProjections.map(({ model }) => model.collection);
  const answers = (own.length > 0 ? own : collections).filter((name) => !name.startsWith('_'));
  return { projections, answers, notes: neglectedEvents(ownProjections).map((note) => `${file}: ${note}`) };
}

function isBuiltIn(projection: Projection): boolean {
  return builtInProjections.some((each) => each === projection);
}

function isProjection(value: unknown): value is Projection {
  if (typeof value !== 'object' || value === null) return false;
  if (!('model' in value && 'events' in value && 'on' in value)) return false;
  return (
    value.on instanceof Map &&
    typeof value.model === 'object' &&
    value.model !== null &&
    'collection' in value.model &&
    typeof value.model.collection === 'string'
  );
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'some other object' : `a ${typeof value}`;
}
