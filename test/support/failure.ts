import { expect } from 'chai';

/** What a promise rejects with, as it must. */
export function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => error,
  );
}
