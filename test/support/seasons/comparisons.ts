import { isObject, isList } from '../model/fields.ts';
import { same } from '../model/things.ts';
import type { Json } from '../../../src/service/kernel/json.ts';

/** Where an answer is another one than the calculation. */
interface Difference {
  /** What was asked: a path with its query, or a command. */
  readonly of: string;
  /** JSON pointer of the first place that differs, and how many do. */
  readonly at: string;
  readonly places: number;
  readonly expected: Json | undefined;
  readonly actual: Json | undefined;
}

/** Counts comparisons, and keeps the differences. */
export class Comparisons {
  count = 0;
  readonly #differences: Difference[] = [];

  /** Compares an answer with what it must be. */
  same(of: string, actual: Json, expected: Json): void {
    this.count += 1;
    if (same(actual, expected)) return;
    const places = [...differing(actual, expected, '')];
    const [first = { at: '', expected, actual }] = places;
    this.#differences.push({ of, ...first, places: places.length });
  }

  /** @throws when anything differed: names the smallest difference. */
  finish(): void {
    const [smallest] = this.#differences.toSorted((a, b) => a.places - b.places || a.of.length - b.of.length);
    if (smallest === undefined) return;
    const { of, at, places, expected, actual } = smallest;
    throw new Error(
      `${this.#differences.length} of ${this.count} comparisons differ. The smallest, in ${places} places: ${of}\n` +
        `at ${at === '' ? 'the whole' : at}\nexpected ${textOf(expected)}\nactual   ${textOf(actual)}`,
    );
  }
}

/** Characters of a value that are shown. */
const SHOWN = 2_000;

function textOf(value: Json | undefined): string {
  return (value === undefined ? 'nothing' : JSON.stringify(value)).slice(0, SHOWN);
}

/** The innermost places in which two values differ. */
function* differing(
  actual: Json | undefined,
  expected: Json | undefined,
  at: string,
): Generator<Pick<Difference, 'at' | 'expected' | 'actual'>> {
  if (same(actual, expected)) return;
  const [some, others] = [membersIn(actual), membersIn(expected)];
  if (some === null || others === null) {
    yield { at, expected, actual };
    return;
  }
  for (const key of new Set([...some.keys(), ...others.keys()])) {
    yield* differing(some.get(key), others.get(key), `${at}/${key}`);
  }
}

function membersIn(value: Json | undefined): ReadonlyMap<string, Json | undefined> | null {
  if (value === undefined || value === null) return null;
  if (isList(value)) return new Map(value.map((one, n) => [`${n}`, one]));
  return isObject(value) ? new Map(Object.entries(value)) : null;
}
