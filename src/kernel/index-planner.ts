import { CREATED, type Collection, type FindOptions, type Index, type Sort, type Where } from './ports/read-store.ts';
import { isPrefixes, isRange, listOf } from './where.ts';

/** The indexes and columns that a collection declares. */
type Declared = Pick<Collection, 'indexes' | 'columns'>;

/** The part of a query that decides what a page costs. */
type Page = Pick<FindOptions, 'where' | 'budget'> & { readonly sort: Pick<Sort, 'field'>; readonly limit?: number };

/** Whether an index, within the budget, or columns have the documents that match in an order, so that a page is cheap. */
export function hasPage(declared: Declared, { where, sort: { field }, limit = 0, budget = Infinity }: Page): boolean {
  const isOrderedHere = limit <= budget && isOrdered(declared.indexes, where, field);
  return isOrderedHere || areColumns(declared, [...Object.keys(where), field]);
}

/**
 * Whether an index has the documents that match a filter in the order of a field, so that a page costs what it holds
 * and what it skips. Only the field of the order may be in a range.
 */
export function isOrdered(indexes: readonly Index[], where: Where, field: string): boolean {
  if (field === 'id') return Object.keys(where).length === 0;
  const names = Object.keys(where);
  const equal = names.filter((name) => !isRange(where[name]) && !isPrefixes(where[name]));
  // Of one value, documents are in the order of creation.
  const isTie = equal.includes(field) || (field === CREATED && equal.length > 0);
  const order = isTie ? [] : [field];
  const fits = (index: Index): boolean =>
    index.length === equal.length + order.length &&
    equal.every((name) => index.slice(0, equal.length).includes(name)) &&
    order.every((name) => name === index.at(-1));
  return names.every((name) => equal.includes(name) || order.includes(name)) && indexes.some(fits);
}

/** Whether an index finds exactly the documents that match a filter: its first fields are those of the filter. */
export function isCovered(indexes: readonly Index[], where: Where): boolean {
  const { length } = Object.keys(where);
  const covers = (index: Index): boolean =>
    index.length >= length &&
    index.slice(0, length).every((field, n) => field in where && (n === length - 1 || !isRange(where[field])));
  if (Object.values(where).some(isPrefixes)) return false;
  return length === 0 || indexes.some(covers);
}

/** Whether all these fields are columns, so that no page by them is too costly. */
export function areColumns({ columns = [] }: Pick<Declared, 'columns'>, fields: readonly string[]): boolean {
  return columns.length > 0 && fields.every((field) => field === CREATED || columns.includes(field));
}

/** Whether an index or columns find exactly the documents that match a filter. */
export function isFound(declared: Declared, where: Where): boolean {
  return isCovered(declared.indexes, where) || areColumns(declared, Object.keys(where));
}

/**
 * The parts of a filter whose documents an index or columns find: all of it, or else its items of lists, and the rest; or
 * only the empty filter, which finds all documents.
 */
export function foundParts(declared: Declared, where: Where): readonly Where[] {
  const partOf = (areItems: boolean): Where =>
    Object.fromEntries(Object.entries(where).filter(([field]) => areItems === (listOf(field) !== null)));
  if (isFound(declared, where)) return [where];
  const parts = [partOf(true), partOf(false)].filter((part) => Object.keys(part).length > 0 && isFound(declared, part));
  return parts.length > 0 ? parts : [{}];
}
