/** A queue in which owners take turns; the items of one owner keep their order. */
export class FairQueue<T> {
  /** The items by owner, in the order of the owners' next turns. */
  readonly #waiting = new Map<string, T[]>();
  /** Changed here only. */
  length = 0;

  lengthOf(owner: string): number {
    return this.#waiting.get(owner)?.length ?? 0;
  }

  add(owner: string, item: T): void {
    const own = this.#waiting.get(owner);
    if (own === undefined) this.#waiting.set(owner, [item]);
    else own.push(item);
    this.length += 1;
  }

  take(): T | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    const [owner, own] = first;
    const item = own.shift();
    this.#waiting.delete(owner);
    if (own.length > 0) this.#waiting.set(owner, own);
    this.length -= 1;
    return item;
  }

  remove(owner: string, item: T): void {
    const own = this.#waiting.get(owner) ?? [];
    const at = own.indexOf(item);
    if (at < 0) return;
    own.splice(at, 1);
    this.length -= 1;
    if (own.length === 0) this.#waiting.delete(owner);
  }
}
