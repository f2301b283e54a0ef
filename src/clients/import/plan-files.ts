import { readResults } from '../results/read-results.ts';
import type { FoundFile } from './found-file.ts';
import { plannedFile, type PlannedFile } from './planned-file.ts';
import { UnreadableSource } from './unreadable-source.ts';

/** A file that is left out of an import, and why. */
export type LeftOut =
  | { readonly path: string; readonly why: 'unreadable'; readonly reason: string }
  | { readonly path: string; readonly why: 'same-content'; readonly as: string };

/**
 * The result files among those that were found, each content once.
 * @param onLeftOut called for each file that is no result file, or has the content of an earlier one
 * @throws {UnreadableSource} for a file that was named and is no result file
 */
export async function planFiles(
  found: AsyncIterable<FoundFile>,
  onLeftOut: (file: LeftOut) => void,
): Promise<readonly PlannedFile[]> {
  const files = new Map<string, PlannedFile>();
  for await (const file of found) {
    const { path } = file;
    const results = readResults(file.bytes);
    if (results.outcome === 'refused') {
      if (file.isNamed) throw new UnreadableSource(path, results.reason);
      onLeftOut({ path, why: 'unreadable', reason: results.reason });
      continue;
    }
    const planned = plannedFile(file, results.plan);
    const same = files.get(planned.id);
    if (same === undefined) files.set(planned.id, planned);
    else onLeftOut({ path, why: 'same-content', as: same.path });
  }
  return [...files.values()];
}
