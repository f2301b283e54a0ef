import { CREATED, type Collection, type Condition, type Index, type Range, type Where } from './ports/read-store.ts';

/** Whether a condition is a range. */
export function isRange(condition: Condition | undefined): condition is Range {
  return typeof condition === 'object' && condition !== null;
}

/**
 * Whether an index has the documents that match a filter in the order of a field, so that a page costs what it holds
 * and what it skips. Only the field of the order may be in a range.
 */
export function isOrdered(indexes: readonly Index[], where: Where, field: string): boolean {
  if (field === 'id') return Object.keys(where).length === 0;
  const equal = Object.keys(where).filter((name) => !isRange(where[name]));
  const isTie = field === CREATED && equal.length > 0;
  const last = isTie || equal.includes(field) ? [] : [field];
  if (Object.keys(where).some((name) => isRange(where[name]) && !last.includes(name))) return false;
  const wanted = equal.length + last.length;
  const fits = (index: Index): boolean =>
    index.length === wanted && startsWith(index, equal) && index.slice(equal.length).every((one) => last.includes(one));
  return indexes.some(fits);
}

/** Whether an index finds exactly the documents that match a filter. */
export function isCovered(indexes: readonly Index[], where: Where): boolean {
  const conditions = Object.keys(where).length;
  return conditions === 0 || indexes.some((index) => Object.keys(coveredBy(index, where)).length === conditions);
}

/** The part of a filter that an index can use: equality on its first fields, and then one range. */
export function coveredBy(index: Index, where: Where): Where {
  const part: Record<string, Condition> = {};
  for (const field of index) {
    const condition = where[field];
    if (condition === undefined) break;
    part[field] = condition;
    if (isRange(condition)) break;
  }
  return part;
}

/** Whether all these fields are columns, so that no page by them is too costly. */
export function areColumns({ columns = [] }: Pick<Collection, 'columns'>, fields: readonly string[]): boolean {
  return columns.length > 0 && fields.every((field) => field === CREATED || columns.includes(field));
}

/** Filters by their number of conditions, the most first. */
export function narrowestFirst(filters: readonly Where[]): readonly Where[] {
  return filters.toSorted((a, b) => Object.keys(b).length - Object.keys(a).length);
}

function startsWith(index: Index, fields: readonly string[]): boolean {
  const first = index.slice(0, fields.length);
  return first.length === fields.length && fields.every((field) => first.includes(field));
}
