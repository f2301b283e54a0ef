import { readFile, stat } from 'node:fs/promises';
import { readResults } from '../../clients/results/read-results.ts';
import { MAX_FILE_BYTES } from '../../clients/results/text.ts';
import { command, EXIT, flag, UsageError } from './command.ts';

const SYNTAX = {
  name: 'import',
  about: `
Reads a result file of a game and shows what an import of it would record: sessions, laps, drivers, cars and results, and
what is odd about the file. It sends nothing: so far it only makes plans. docs/results.md lists the games.`,
  options: { plan: flag('shows the plan, one JSON document, on standard output') },
  notes: `
The game and the encoding are told from the content of the file, never from its name.
Exit codes: 0 a plan was shown, even an empty one, 1 the file cannot be read, 2 wrong usage.`,
  argument: 'FILE',
} as const;

export const run = command(SYNTAX, async ({ out, err, values: { plan = false }, argument: path }) => {
  if (path === null) throw new UsageError('FILE is missing');
  if (!plan) throw new UsageError('an import sends nothing yet: give --plan, which shows what it would record');
  const file = await readBounded(path);
  if ('reason' in file) {
    err.write(`${path} cannot be read: ${file.reason}\n`);
    return EXIT.failed;
  }
  const results = readResults(file.bytes);
  if (results.outcome === 'refused') {
    err.write(`${path} cannot be read: ${results.reason}\n`);
    return EXIT.failed;
  }
  out.write(`${JSON.stringify(results.plan, null, 2)}\n`);
  return EXIT.done;
});

type BoundedFile = { readonly bytes: Uint8Array } | { readonly reason: string };

/** The bytes of a file, which is not read when it is too large, or no file. */
async function readBounded(path: string): Promise<BoundedFile> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) return { reason: 'it is no file' };
    if (stats.size > MAX_FILE_BYTES) {
      return { reason: `it has ${stats.size} bytes; at most ${MAX_FILE_BYTES} are read` };
    }
    return { bytes: await readFile(path) };
  } catch (error) {
    if (error instanceof Error && 'code' in error) return { reason: error.message };
    throw error;
  }
}
