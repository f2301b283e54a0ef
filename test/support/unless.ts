/** A `describe` that is skipped where something is lacking; its title says what. */
export function describeUnless(lacking: string | null, title: string, tests: () => void): void {
  if (lacking === null) describe(title, tests);
  else describe.skip(`${title} (${lacking})`, tests); // The reason is what is lacking.
}

/** A test that is skipped where something is lacking; its title says what. */
export function itUnless(lacking: string | null, title: string, test: Mocha.AsyncFunc): void {
  if (lacking === null) it(title, test);
  else it.skip(`${title} (${lacking})`, test); // The reason is what is lacking.
}
