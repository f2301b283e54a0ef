/** The name that a misspelt one probably stands for: the one with the least distance, whatever its case. */
export function nearest(text: string, names: Iterable<string>): string {
  const wanted = text.toLowerCase();
  let [found, least] = ['', Infinity];
  for (const name of names) {
    const far = distance(wanted, name.toLowerCase());
    if (far < least) [found, least] = [name, far];
  }
  return found;
}

/** The Levenshtein distance: the number of letters to insert, delete or replace. */
export function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, n) => n);
  for (const [i, letter] of Array.from(one).entries()) {
    const next = [i + 1];
    for (const [j, another] of Array.from(other).entries()) {
      const replaced = (row[j] ?? 0) + (letter === another ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
