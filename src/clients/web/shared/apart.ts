/** Fewest characters of an id that are shown. */
const LEAST = 4;

interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * What tells things of one name apart, by their ids: the end of the id, as short as all of them differ. A thing that
 * alone has its name is not in it. Ids are public, and tell nothing of a person.
 */
export function tellApart(things: Iterable<Named>): ReadonlyMap<string, string> {
  const byName = new Map<string, Set<string>>();
  for (const { id, name } of things) {
    const shown = asSeen(name);
    const ids = byName.get(shown);
    if (ids === undefined) byName.set(shown, new Set([id]));
    else ids.add(id);
  }
  const apart = new Map<string, string>();
  for (const ids of byName.values()) {
    if (ids.size === 1) continue;
    let length = LEAST;
    while (new Set(Array.from(ids, (id) => id.slice(-length))).size < ids.size) length += 1;
    for (const id of ids) apart.set(id, id.slice(-length));
  }
  return apart;
}

/** A name without its invisible characters. */
function asSeen(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** A name in plain text, with what tells it apart. */
export function nameApart({ id, name }: Named, apart: ReadonlyMap<string, string>): string {
  const end = apart.get(id);
  return end === undefined ? name : `${name} · ${end}`;
}
