import { expect } from 'chai';
import type { z } from 'zod';
import type { JsonObject } from '../../../src/service/kernel/json.ts';

/** What the bodies that create and change a resource take and refuse. */
export interface Bodies {
  /** Both take each of these values in this field. */
  readonly takes: (field: string, ...values: readonly unknown[]) => void;
  /** Both refuse each of these values in this field, and say that it is this field. */
  readonly refuses: (field: string, ...values: readonly unknown[]) => void;
  /** Both take texts of `least` to `most` characters, tried one below, at and one above each bound. */
  readonly takesLengths: (field: string, least: number, most: number) => void;
  /** Creating needs exactly these fields; a change needs none. */
  readonly needsOnly: (...fields: readonly string[]) => void;
}

interface Command {
  readonly body: z.ZodType;
}

/**
 * Holds the bodies of two commands against the bounds of docs/interface.md. `whole` has every field, each with a good
 * value.
 */
export function bodies(create: Command, change: Command, whole: JsonObject): Bodies {
  const answers = (field: string, value: unknown): readonly (readonly string[])[] =>
    [create.body.safeParse({ ...whole, [field]: value }), change.body.safeParse({ [field]: value })].map(faultyFields);

  const takes: Bodies['takes'] = (field, ...values) => {
    for (const value of values) expect(answers(field, value), said(field, value)).to.deep.equal([[], []]);
  };
  const refuses: Bodies['refuses'] = (field, ...values) => {
    for (const value of values) expect(answers(field, value), said(field, value)).to.deep.equal([[field], [field]]);
  };
  return {
    takes,
    refuses,
    takesLengths(field, least, most) {
      if (least > 0) refuses(field, letters(least - 1));
      const within = [least, least + 1, most - 1, most].filter((length) => length >= least && length <= most);
      takes(field, ...within.map(letters));
      refuses(field, letters(most + 1));
    },
    needsOnly(...fields) {
      const needed = Object.keys(whole).filter((field) => !create.body.safeParse(without(whole, field)).success);
      expect(needed).to.have.members(fields);
      expect(change.body.parse({}), 'an empty change').to.deep.equal({});
    },
  };
}

/** A text of this many characters, good for a slug too. */
export function letters(length: number): string {
  return 'x'.repeat(length);
}

function said(field: string, value: unknown): string {
  return `${field}: ${JSON.stringify(value)}`;
}

function faultyFields({ error }: z.ZodSafeParseResult<unknown>): string[] {
  return [...new Set((error?.issues ?? []).map(({ path }) => String(path[0])))];
}

function without(whole: JsonObject, field: string): JsonObject {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => name !== field));
}
