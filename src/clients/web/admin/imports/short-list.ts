import { t } from '../../shared/page.ts';
import say from '../../texts/imports.json' with { type: 'json' };

/** Most files, notes and the like that are shown of a kind: a file may have very many. */
export const SHOWN = 50;
/** Most names in a line. */
const NAMES = 30;

/** Names in a line, as many as can be read. */
export function shortList(names: readonly string[]): string {
  const some = names.slice(0, NAMES).join(', ');
  return names.length > NAMES ? `${some} ${t(say.andMore, { count: names.length - NAMES })}` : some;
}
