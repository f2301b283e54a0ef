import { loadConfig } from '../../service/config/config.ts';
import { checkEvents } from '../../service/stores/stores.ts';
import { describeLocation } from '../history/location.ts';
import { EXIT, runCommand, UsageError, type Invocation } from './arguments.ts';
import { JSON_OPTION, text } from './options.ts';
import { formatCount } from './progress.ts';
import { openStoreAt, sourceLocationOf, withFailures } from './stores.ts';

const SYNTAX = {
  name: 'check',
  about: `
Checks that an embedded event store is whole: every page of its file, then every event. For a copy that was not made by
sim-racing-timing backup, and after a disk or a file system has had a fault.`,
  options: {
    from: text('DIR', 'a data directory; default: that of the environment (DATA_DIR, else ./data)'),
    json: JSON_OPTION,
  },
  notes: `
A service may run on it, but its writes wait while the pages are read, a second for some hundred MB. A service checks the
pages by itself when it is started on a copy. What is damaged cannot be repaired: restore a backup. Read models are not
checked, as sim-racing-timing rebuild makes them anew; see sim-racing-timing verify.
Exit codes: 0 nothing is damaged, 1 something is, 2 wrong usage.`,
} as const;

/** Runs `sim-racing-timing check`; the result is the exit code. */
export function runCheck(command: Invocation): Promise<number> {
  return runCommand(command, SYNTAX, ({ from, json = false }) =>
    withFailures(command.err, 'check', () => check(command, { from, json })),
  );
}

async function check(
  { env, out }: Invocation,
  { from, json }: { readonly from: string | undefined; readonly json: boolean },
): Promise<number> {
  const { storeTimeoutMs, ...config } = loadConfig(env);
  const location = sourceLocationOf(from, config);
  if (!('dataDir' in location)) throw new UsageError('only embedded event stores can be checked: give --from DIR');
  const { pages, pageBytes } = await checkEvents({ ...location, storeTimeoutMs });
  const store = await openStoreAt(location, storeTimeoutMs);
  let events = 0;
  try {
    for await (const { length } of store.readAll(null)) events += length;
  } finally {
    await store.close();
  }
  const result = { result: 'whole', events, pages, bytes: pages * pageBytes };
  out.write(
    json
      ? `${JSON.stringify(result)}\n`
      : `Checked ${formatCount(events)} events on ${formatCount(pages)} pages in ${describeLocation(location)}: ` +
          'nothing is damaged.\n',
  );
  return EXIT.done;
}
