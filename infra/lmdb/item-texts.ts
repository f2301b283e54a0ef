import type { Json } from '../../src/kernel/json.ts';
import type { Condition } from '../../src/kernel/ports/read-store.ts';
import { isPrefixes } from '../../src/kernel/where.ts';
import type { Cell } from './column.ts';

/*
 * A list of texts as one text, so that a column can hold it: `["li", "nora"]` is a line break, `li`, a line break, `nora`
 * and a line break. An item is found with the line breaks around it, and the beginning of an item with the one before it.
 */

/** Stands before, between and after the items, which hold none (`Collection.columns` of the port). */
const BREAK = '\n';

/** The texts of a list as one text; null for anything but a list. */
export function textOfItems(list: Json | undefined): string | null {
  if (!Array.isArray(list)) return null;
  const items = list.filter((item: Json) => typeof item === 'string');
  return `${BREAK}${items.map((item) => `${item}${BREAK}`).join('')}`;
}

/** Creates the test whether the text of a list meets a condition on its items. */
export function itemTest(condition: Condition): (cell: Cell) => boolean {
  const parts = partsOf(condition);
  // A text with a line break would be found across items.
  if (parts === null || parts.some((part) => part.includes(BREAK))) return () => false;
  const isWhole = !isPrefixes(condition);
  const wanted = parts.map((part) => `${BREAK}${part}${isWhole ? BREAK : ''}`);
  return (cell) => typeof cell === 'string' && wanted.every((text) => cell.includes(text));
}

/** The texts that a condition asks for; null: something that is no text. */
function partsOf(condition: Condition): readonly string[] | null {
  if (isPrefixes(condition)) return condition.prefixes;
  return typeof condition === 'string' ? [condition] : null;
}
