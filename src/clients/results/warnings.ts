interface Tally {
  readonly firstPlace: string;
  count: number;
}

/** What is odd about a file. However often one thing occurs, it is one sentence. */
export class Warnings {
  readonly #sentences = new Set<string>();
  readonly #tallies = new Map<string, Tally>();

  /** Adds a sentence, once. */
  add(sentence: string): void {
    this.#sentences.add(sentence);
  }

  /** Counts what has no sentence of its own; `place` is shown for the first. */
  count(what: string, place: string): void {
    const tally = this.#tallies.get(what);
    if (tally === undefined) this.#tallies.set(what, { firstPlace: place, count: 1 });
    else tally.count += 1;
  }

  list(): readonly string[] {
    const counted: string[] = [];
    for (const [what, { firstPlace, count }] of this.#tallies) {
      counted.push(count === 1 ? `${what} (at ${firstPlace}).` : `${what} (${count} times, first at ${firstPlace}).`);
    }
    return [...this.#sentences, ...counted];
  }
}
