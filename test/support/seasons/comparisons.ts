import type { Json } from '../../../src/service/kernel/json.ts';
import { same } from '../model/things.ts';

/** A place in which an answer is another one than the calculation, by its JSON pointer. */
interface Place {
  readonly at: string;
  readonly expected: Json | undefined;
  readonly actual: Json | undefined;
}

/** Counts comparisons, and keeps the differences. */
export class Comparisons {
  count = 0;
  /** What was asked, a path with its query or a command, and all places that differ. */
  readonly #differences: (readonly [of: string, places: readonly Place[]])[] = [];

  /** Compares an answer with what it must be, as JSON. */
  same(of: string, actual: unknown, expected: unknown): void {
    this.count += 1;
    const places = [...differing({ at: '', expected: asJson(expected), actual: asJson(actual) })];
    if (places.length > 0) this.#differences.push([of, places]);
  }

  /** @throws when anything differed: names the smallest difference. */
  finish(): void {
    const bySize = this.#differences.toSorted(
      ([a, some], [b, others]) => some.length - others.length || a.length - b.length,
    );
    const [[of, [first, ...others]] = ['', []]] = bySize;
    if (first === undefined) return;
    const shown = (value: Json | undefined) => JSON.stringify(value ?? null).slice(0, SHOWN);
    throw new Error(
      `${bySize.length} of ${this.count} comparisons differ. The smallest, in ${others.length + 1} places: ${of}\n` +
        `at ${first.at || '/'}\nexpected ${shown(first.expected)}\nactual   ${shown(first.actual)}`,
    );
  }
}

/** Characters of a value that are shown. */
const SHOWN = 2_000;

function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/** The innermost places in which two values differ. */
function* differing({ at, expected, actual }: Place): Generator<Place> {
  if (same(actual, expected)) return;
  if (!isNested(expected) || !isNested(actual)) {
    yield { at, expected, actual };
    return;
  }
  const [its, others] = [new Map(Object.entries(expected)), new Map(Object.entries(actual))];
  for (const key of new Set([...its.keys(), ...others.keys()])) {
    yield* differing({ at: `${at}/${key}`, expected: its.get(key), actual: others.get(key) });
  }
}

function isNested(value: Json | undefined): value is Extract<Json, object> {
  return typeof value === 'object' && value !== null;
}
