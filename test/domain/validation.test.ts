import { expect } from 'chai';
import { z } from 'zod';
import { IN_OUR_WORDS } from '../../src/domain/validation.ts';

describe('what is wrong with a value', () => {
  const cases: readonly (readonly [z.ZodType, unknown, string])[] = [
    [z.string(), 5, 'must be a string'],
    [z.boolean(), 'yes', 'must be true or false'],
    [z.object({}), null, 'must be an object'],
    [z.array(z.string()), {}, 'must be an array'],
    [z.int(), 1.5, 'must be an integer'],
    [z.int().min(1), 0, 'must be at least 1'],
    [z.string().min(2), 'a', 'must have at least 2 characters'],
    [z.array(z.int()).max(1), [1, 2], 'must have at most 1 item'],
    [z.enum(['READ', 'ADMIN']), 'ROOT', 'must be READ or ADMIN'],
    [z.literal('LOGO'), 'A', 'must be LOGO'],
    [z.guid(), 'x', 'must be a UUID'],
    [z.iso.datetime(), 'x', 'must be a time as in 2026-05-01T20:15:00Z'],
    [z.string().regex(/^a$/), 'x', 'must be in the form that the API document names'],
    [z.union([z.string(), z.null()]), 5, 'matches none of the allowed schemas'],
    [z.string().regex(/^a$/, 'must be an a'), 'x', 'must be an a'],
  ];
  for (const [schema, value, words] of cases) {
    it(`is said in our words: ${words}`, () => {
      expect(schema.safeParse(value, IN_OUR_WORDS).error?.issues.map(({ message }) => message)).to.deep.equal([words]);
    });
  }
});
