import { expect } from 'chai';

/** What a promise rejects with; null if it does not. */
export function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (error: unknown) => error,
  );
}

/** What a promise rejects with, as it must. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return (await outcomeOf(promise)) ?? expect.fail('it did not fail');
}
