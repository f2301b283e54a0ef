import { statSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../service/config/config.ts';
import { WAY_OUT } from '../../service/stores/stores.ts';
import { describeLocation } from '../history/location.ts';
import { EXIT, JSON_OPTION, jsonLine, text, UsageError } from './command.ts';
import { checkHistory, type CheckedHistory } from './files.ts';
import { formatCount } from './progress.ts';
import { sourceLocationOf, storeCommand } from './stores.ts';

const SYNTAX = {
  name: 'check',
  about: `
Checks that an embedded event store is intact: every page of its file, then every event against its checksum, and the
bytes of every uploaded file that the events tell of. For a copy that was not made by sim-racing-timing backup, and
after a disk or a file system has had a fault.`,
  options: {
    from: text('DIR', 'a data directory; default: that of the environment (DATA_DIR, else ./data)'),
    json: JSON_OPTION,
  },
  notes: `
A service may run on it, but its writes wait while the pages are read: a second for some hundred MB. A service that is
started on a copy checks the pages itself. Events of earlier releases have no checksum, and are counted: a backup or
copy gives them one. Uploaded files are those of S3_BUCKET, or of the data directory; one that is missing or damaged
can be uploaded again. Other damage cannot be repaired: the service does not start on it any more, unless with
--read-only; restore a backup. A check that finds all whole lifts this. Read models are not checked: sim-racing-timing
verify compares them, sim-racing-timing rebuild makes them again.
Exit codes: 0 nothing is damaged, 1 something is, 2 wrong usage.`,
} as const;

export const run = storeCommand(SYNTAX, async ({ env, out, waiting, values: { from, json = false } }) => {
  const config = loadConfig(env);
  const location = sourceLocationOf(from, config);
  if (!('dataDir' in location)) throw new UsageError('only embedded event stores can be checked: give --from DIR');
  const what = `the pages and events of ${describeLocation(location)} to be read`;
  // The pages are read without a pause.
  if (bytesOf(location.dataDir) > LARGE_BYTES) waiting.say(what);
  const found = await waiting.during(what, () => checkHistory(location, config));
  const { events, withoutChecksum, pages, pageBytes, damage, faults: files } = found;
  const isIntact = damage.length === 0 && files.length === 0;
  if (json) {
    const result = isIntact ? { result: 'whole' } : { result: 'damaged', damage, files };
    out.write(jsonLine({ ...result, events, withoutChecksum, pages, bytes: pages * pageBytes }));
  } else out.write(`Checked ${countsOf(found)} in ${describeLocation(location)}: ${textOf(found)}\n`);
  return isIntact ? EXIT.done : EXIT.failed;
});

/** Size, in bytes, from which reading the pages of a store takes a second. */
const LARGE_BYTES = 200_000_000;

function bytesOf(dataDir: string): number {
  return statSync(join(dataDir, 'events', 'data.mdb'), { throwIfNoEntry: false })?.size ?? 0;
}

function countsOf({ events, withoutChecksum, pages }: CheckedHistory): string {
  const old =
    withoutChecksum === 0 ? '' : ` (${formatCount(withoutChecksum)} of them, of earlier releases, without a checksum)`;
  return `${formatCount(events)} events${old} on ${formatCount(pages)} pages`;
}

function textOf({ damage, faults }: CheckedHistory): string {
  if (damage.length > 0) return `these are damaged:\n${damage.join('\n')}\nTo continue: ${WAY_OUT}.`;
  return faults.length === 0 ? 'nothing is damaged.' : `of the uploaded files\n${faults.join('\n')}`;
}
