import { expect } from 'chai';
import type { Json } from '../../../src/kernel/json.ts';
import { same } from '../model/things.ts';

/** Counts comparisons. */
export class Comparisons {
  count = 0;

  /** Compares an answer with what it must be, as JSON; `of` is what was asked, a path with its query or a command. */
  same(of: string, actual: unknown, expected: unknown): void {
    this.count += 1;
    const found = asJson(actual);
    const wanted = asJson(expected);
    if (!same(found, wanted)) expect(found, of).to.deep.equal(wanted);
  }
}

function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
