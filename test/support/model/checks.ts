import { expect } from 'chai';
import { canonicalJson, type Json, type JsonObject } from '../../../src/kernel/json.ts';
import { textOf, type Answer } from '../api/client.ts';
import { isList } from './fields.ts';
import { membersOf, ROOT_LICENSE, same } from './things.ts';

const PROBLEMS: ReadonlyMap<string, number> = new Map([
  ['invalid', 400],
  ['unauthenticated', 401],
  ['forbidden', 403],
  ['not-yours', 403],
  ['rig-scope', 403],
  ['not-found', 404],
  ['taken', 409],
  ['revision-mismatch', 412],
  ['unknown-reference', 422],
  ['key-reused', 422],
]);

/** Expects one of some problems, by the ends of their types; their precedence is not specified. */
export function expectProblemOf(answer: Answer, problems: readonly string[]): void {
  expect(answer.header('Content-Type'), answer.text).to.equal('application/problem+json');
  const type = textOf(answer.body, 'type').split(':').at(-1) ?? '';
  expect(problems, answer.text).to.include(type);
  expect(answer.status, type).to.equal(PROBLEMS.get(type));
}

/** Expects two values to be the same JSON. */
export function expectSame(found: Json, expected: Json | undefined): void {
  if (!same(found, expected)) expect(found).to.deep.equal(expected);
}

/** Expects a page to be the same, with its members in this order. */
export function expectSamePage(found: JsonObject, expected: Json | undefined): void {
  const { content } = found;
  expectSame(
    { ...found, content: isList(content ?? null) ? (content as readonly Json[]).map(withoutUse) : [] },
    expected,
  );
}

/** Expects a list to have these members, in any order. */
export function expectSameList(found: readonly JsonObject[], expected: Json | undefined): void {
  const texts = (list: Json | undefined): readonly string[] =>
    isList(list ?? null) ? (list as readonly Json[]).map((one) => canonicalJson(withoutUse(one))).toSorted() : [];
  // The model does not contain the root licence.
  const shown = texts(found.filter(({ id }) => id !== ROOT_LICENSE));
  const wanted = texts(expected);
  if (shown.join('\n') !== wanted.join('\n')) expect(shown).to.deep.equal(wanted);
}

/** Times of last use of a licence or a rig, which are not predictable. */
function withoutUse(one: Json): Json {
  const { lastLoginAt: _, lastSeenAt: __, ...rest } = membersOf(one);
  return rest;
}
