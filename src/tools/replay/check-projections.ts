import { closest } from 'fastest-levenshtein';
import * as all from '../../../projections/all.ts';
import { builtInProjections, KNOWN_EVENTS } from '../../service/resources/built-in.ts';
import type { Projection } from '../../kernel/projection/projection.ts';
import { describe } from './check-effects.ts';
import { ReplayRefused } from './refused.ts';

const COLLECTION = /^_?[A-Za-z][A-Za-z0-9_-]{0,59}$/;

/** What a module must export, for people. */
export const WANTED_EXPORT = `It must have a default export: a projection, or a list of them. The smallest one:

  import { lapEvents, projection, table } from 'sim-racing-timing';

  const fastLaps = table('fastLaps');
  export default projection(fastLaps, { own: {}, others: lapEvents }, {
    LapRecorded: ({ data, id, at }) =>
      data.totalTime < 100_000 ? fastLaps.insert(id, { ms: data.totalTime, at }) : null,
  });
`;

/** The event types of each noun: the one that creates it first, then those that change it. */
const NOUNS: readonly (readonly string[])[] = Object.entries(all)
  .filter(([name]) => name.endsWith('Events'))
  .map(([, types]) => Object.keys(types));

/**
 * Checks what a module exports by default, which may be anything at run time. `name` is what messages call the module.
 * @throws {ReplayRefused} when these are no projections that can be replayed together.
 */
export function checkProjections(exported: unknown, name: string): readonly Projection[] {
  const list: readonly unknown[] = Array.isArray(exported) ? exported : [exported];
  if (exported === undefined) throw new ReplayRefused(`${name} has no default export. ${WANTED_EXPORT}`);
  if (list.length === 0) throw new ReplayRefused(`${name} exports an empty list. ${WANTED_EXPORT}`);
  const projections = list.map((each, n) => {
    if (isProjection(each)) return each;
    const which = Array.isArray(exported) ? `element ${n} of its default export` : 'its default export';
    throw new ReplayRefused(`${name}: ${which} is ${describe(each)}, not a projection. ${WANTED_EXPORT}`);
  });
  const problem = problemOf(projections);
  if (problem !== null) throw new ReplayRefused(`${name}: ${problem}`);
  return projections;
}

function problemOf(projections: readonly Projection[]): string | null {
  const collections = projections.map(({ model }) => model.collection);
  const twice = collections.find((each, n) => collections.indexOf(each) !== n);
  if (twice !== undefined) return `two projections keep ${twice}; each collection has one`;
  const misnamed = collections.find((each) => !COLLECTION.test(each));
  if (misnamed !== undefined) {
    return `${JSON.stringify(misnamed)} cannot name a collection; use letters, digits, - and _`;
  }
  const unknown = projections.flatMap(({ on }) => [...on.keys()]).find((type) => !KNOWN_EVENTS.has(type));
  return unknown === undefined
    ? null
    : `there is no event type ${unknown}; the nearest is ${closest(unknown, [...KNOWN_EVENTS])}`;
}

/** The collections that are the result: not `_…`, and built-in ones only if there are no others. */
export function resultsOf(projections: readonly Projection[]): readonly string[] {
  const own = projections.filter(isOwn);
  const results = own.length > 0 ? own : projections;
  return results.map(({ model }) => model.collection).filter((name) => !name.startsWith('_'));
}

/** What the analyst may have overlooked: types that change things whose creation the projections handle. */
export function neglectedEvents(projections: readonly Projection[]): readonly string[] {
  const taken = new Set(projections.filter(isOwn).flatMap(({ on }) => [...on.keys()]));
  return NOUNS.flatMap(([created = '', ...changes]) => {
    const missing = changes.filter((type) => !taken.has(type));
    if (!taken.has(created) || missing.length === 0) return [];
    return [
      `it takes ${created} but not ${missing.join(', ')}: what these change stays as it was before. ` +
        'One that does not matter has the handler () => null',
    ];
  });
}

function isOwn(projection: Projection): boolean {
  return !builtInProjections.some((each) => each === projection);
}

function isProjection(value: unknown): value is Projection {
  if (typeof value !== 'object' || value === null) return false;
  if (!('model' in value && 'events' in value && 'on' in value && value.on instanceof Map)) return false;
  const { model } = value;
  return typeof model === 'object' && model !== null && 'collection' in model && typeof model.collection === 'string';
}
