import { isDeepStrictEqual } from 'node:util';
import { verify, type Difference, type Verified } from '../projector/verify.ts';
import { EXIT, readOptions } from './arguments.ts';
import { onStores, usageOf, type GroupCommand } from './group.ts';
import { grouped, progressOn } from './progress.ts';

const HELP = `usage: timing verify [--json]

Replays the history into a namespace of its own, compares every document of the built-in read models with what the
events make of it, and drops that namespace again. A service may run meanwhile.

  --json       one JSON object per difference and one with the result on standard output, for scripts
  -h, --help   this text

The stores are those of the service: DATA_DIR, EVENTSTORE_URL, MONGODB_URL. A difference names the collection, the id
and the fields; timing rebuild makes the read models anew.
Exit codes: 0 all are the same, 1 some differ, or failed, 2 wrong usage, 130 interrupted.
`;

/** Runs `timing verify`; the result is the exit code. */
export function runVerify(command: GroupCommand): Promise<number> {
  return usageOf(command, 'verify', async () => {
    const { json = false, help } = readOptions(command.args, { json: { type: 'boolean' } });
    if (help === true) {
      command.out.write(HELP);
      return EXIT.done;
    }
    return onStores(command, 'verify', async ({ stores }) => {
      const progress = progressOn(command.err, 'Replaying');
      let events = 0;
      const verified = await verify({
        stores, signal: command.signal,
        onProgress: ({ events: done, position, head }) => {
          events = done;
          progress.show({ done, share: head === 0 ? 1 : Math.min(1, position / head) });
        },
      });
      progress.end(`${grouped(events)} events`);
      return verified === null ? EXIT.interrupted : tell(command, verified, json);
    });
  });
}

function tell({ out }: GroupCommand, { documents, differences }: Verified, json: boolean): number {
  for (const difference of differences) out.write(json ? `${JSON.stringify(toldOf(difference))}\n` : lineOf(difference));
  const same = differences.length === 0;
  const counts = { documents, differences: differences.length };
  out.write(json ? `${JSON.stringify({ result: same ? 'same' : 'different', ...counts })}\n`
    : `${grouped(documents)} documents compared, ${same ? 'all are the same' : `${differences.length} differ`}.\n`);
  return same ? EXIT.done : EXIT.failed;
}

/** No values: they may be personal. */
function toldOf({ collection, id, live, replayed }: Difference) {
  const names = [...new Set([...Object.keys(live ?? {}), ...Object.keys(replayed ?? {})])];
  const fields = names.filter((name) => !isDeepStrictEqual(live?.[name], replayed?.[name]));
  return { collection, id, difference: live === null ? 'missing' : replayed === null ? 'not of any event' : 'fields', fields };
}

function lineOf(difference: Difference): string {
  const { collection, id, difference: kind, fields } = toldOf(difference);
  return `${collection}/${id}: ${kind === 'fields' ? `differs in ${fields.join(', ')}` : kind}\n`;
}
