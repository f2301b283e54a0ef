import { loadConfig } from '../../service/config/config.ts';
import { checkEvents } from '../../service/stores/stores.ts';
import { describeLocation } from '../history/location.ts';
import { EXIT, JSON_OPTION, jsonLine, text, UsageError } from './command.ts';
import { checkHistory } from './files.ts';
import { formatCount } from './progress.ts';
import { sourceLocationOf, storeCommand } from './stores.ts';

const SYNTAX = {
  name: 'check',
  about: `
Checks that an embedded event store is whole: every page of its file, then every event, and the bytes of every uploaded
file that the events tell of. For a copy that was not made by sim-racing-timing backup, and after a disk or a file system
has had a fault.`,
  options: {
    from: text('DIR', 'a data directory; default: that of the environment (DATA_DIR, else ./data)'),
    json: JSON_OPTION,
  },
  notes: `
A service may run on it, but its writes wait while the pages are read: a second for some hundred MB. A service that is
started on a copy checks the pages itself. Uploaded files are those of S3_BUCKET, or of the data directory; one that is
missing or damaged can be uploaded again. Other damage cannot be repaired: restore a backup. Read models are not checked:
sim-racing-timing verify compares them, sim-racing-timing rebuild makes them anew.
Exit codes: 0 nothing is damaged, 1 something is, 2 wrong usage.`,
} as const;

export const run = storeCommand(SYNTAX, async ({ env, out, values: { from, json = false } }) => {
  const { storeTimeoutMs, ...config } = loadConfig(env);
  const location = sourceLocationOf(from, config);
  if (!('dataDir' in location)) throw new UsageError('only embedded event stores can be checked: give --from DIR');
  const { pages, pageBytes } = await checkEvents({ ...location, storeTimeoutMs });
  const { events, faults } = await checkHistory(location, { ...config, storeTimeoutMs });
  const counts = `${formatCount(events)} events on ${formatCount(pages)} pages`;
  const found = faults.length === 0 ? 'nothing is damaged.\n' : `of the uploaded files\n${faults.join('\n')}\n`;
  const result = faults.length === 0 ? { result: 'whole' } : { result: 'damaged', files: faults };
  out.write(
    json
      ? jsonLine({ ...result, events, pages, bytes: pages * pageBytes })
      : `Checked ${counts} in ${describeLocation(location)}: ${found}`,
  );
  return faults.length === 0 ? EXIT.done : EXIT.failed;
});
