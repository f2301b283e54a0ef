import { itUnless } from '../unless.ts';

/** Laws that an adapter does not keep, each with the reason. */
type Skipped = Readonly<Partial<Record<string, string>>>;

/** Declares one test per law of a contract. One that is skipped shows the adapter's reason in its name. */
export function declareLaws<Law>(
  laws: Readonly<Record<string, Law>>,
  skip: Skipped,
  check: (law: Law) => Promise<void>,
): void {
  // The reason is the adapter's, beside its `skip`.
  for (const [name, law] of Object.entries(laws)) itUnless(skip[name] ?? null, name, () => check(law));
}
