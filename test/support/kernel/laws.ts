/** Laws that an adapter does not keep, each with the reason. */
type Skipped = Readonly<Partial<Record<string, string>>>;

/** Declares one test per law of a contract. One that is skipped shows the adapter's reason in its name. */
export function declareLaws<Law>(
  laws: Readonly<Record<string, Law>>,
  skip: Skipped,
  check: (law: Law) => Promise<void>,
): void {
  for (const [name, law] of Object.entries(laws)) {
    const reason = skip[name];
    if (reason === undefined) it(name, () => check(law));
    else it.skip(`${name} (${reason})`); // The reason is the adapter's, beside its `skip`.
  }
}
