import type { z } from 'zod';

type Issue = Parameters<NonNullable<z.core.ParseContext<z.core.$ZodIssue>['error']>>[0];

/** The types of JSON, by zod's names for them. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

/** The formats of strings that schemas of ours use without words of their own. */
const FORMATS: Readonly<Record<string, string>> = {
  guid: 'a UUID',
  uuid: 'a UUID',
  datetime: 'a time as in 2026-05-01T20:15:00Z',
};

const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item' };

/**
 * Option of zod's `safeParse`: says what is wrong with a value in words of our own, which stay when the library changes its
 * words. The words of a schema come first. `async` is what zod would add to a copy: all copies then have one
 * hidden class, and a body is parsed in half the time.
 */
export const IN_OUR_WORDS: z.core.ParseContextInternal<z.core.$ZodIssue> = { error: wordsOf, async: false };

function wordsOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_format':
      return `must be ${FORMATS[issue.format] ?? 'in the form that the API document names'}`;
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'too_small':
      return boundOf(issue.origin, 'at least', Number(issue.minimum));
    case 'too_big':
      return boundOf(issue.origin, 'at most', Number(issue.maximum));
    default:
      return 'matches none of the allowed schemas';
  }
}

function boundOf(origin: string, limit: string, bound: number): string {
  const unit = UNITS[origin];
  if (unit === undefined) return `must be ${limit} ${bound}`;
  return `must have ${limit} ${bound} ${unit}${bound === 1 ? '' : 's'}`;
}
