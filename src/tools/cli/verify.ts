import { isDeepStrictEqual } from 'node:util';
import type { Difference } from '../../../projections/leaderboards/wrong-boards.ts';
import type { CompareResult } from '../../service/projector/compare.ts';
import { verify } from '../../service/projector/verify.ts';
import { EXIT, flag, jsonLine, type Output } from './command.ts';
import { formatCount, parkedNote, replayWithProgress } from './progress.ts';
import { serviceCommand } from './stores.ts';

const SYNTAX = {
  name: 'verify',
  about: `
Replays the history into a temporary namespace, compares every document of the built-in read models with the replayed
one, and the boards with sums of all laps that no projection makes, and drops that namespace again. A service may keep
running: it is not disturbed, and what it changes is compared, too.`,
  options: { json: flag('JSON on standard output, for scripts: one object per difference, and one with the result') },
  notes: `
The stores are those of the service: DATA_DIR, EVENTSTORE_URL, MONGODB_URL. The namespace needs as much space as the
read models. A difference names the collection, the id and the fields, no values: they may be personal. At most 1,000
are listed. sim-racing-timing rebuild makes the read models again. Progress goes to standard error.
Exit codes: 0 all documents are the same, 1 some differ, or it failed or was refused, 2 wrong usage, 130 interrupted.`,
} as const;

export const run = serviceCommand(SYNTAX, ({ out, err, signal, values }) => async ({ stores, config }) => {
  const { leaseTermMs } = config;
  const { result: compared, parked } = await replayWithProgress(err, 'Replaying', (callbacks) =>
    verify({ stores, leaseTermMs, signal, ...callbacks }),
  );
  err.write(parkedNote(parked));
  if (compared !== null) return report(out, compared, values.json === true);
  err.write('Interrupted: nothing is left behind.\n');
  return EXIT.interrupted;
});

function report(out: Output, compared: CompareResult, json: boolean): number {
  const { documents, different, differences, unsettled } = compared;
  const same = different === 0;
  for (const difference of differences) {
    const described = describeDifference(difference);
    out.write(json ? jsonLine(described) : lineOf(described));
  }
  if (json) {
    const result = same ? 'same' : 'different';
    out.write(jsonLine({ result, documents, differences: different, unsettled }));
  } else {
    const busy = unsettled === 0 ? '' : `; ${formatCount(unsettled)} kept changing and could not be compared`;
    const found = same ? 'none differs' : `${formatCount(different)} ${different === 1 ? 'differs' : 'differ'}`;
    out.write(`Compared ${formatCount(documents)} documents: ${found}${busy}.\n`);
  }
  return same ? EXIT.done : EXIT.failed;
}

/** No values: they may be personal. */
function describeDifference({ collection, id, live, replayed }: Difference) {
  if (live === null) return { collection, id, difference: 'missing', fields: [] };
  if (replayed === null) return { collection, id, difference: 'of no event', fields: [] };
  const names = [...new Set([...Object.keys(live), ...Object.keys(replayed)])];
  const fields = names.filter((name) => !isDeepStrictEqual(live[name], replayed[name]));
  return { collection, id, difference: 'fields', fields };
}

function lineOf({ collection, id, difference, fields }: ReturnType<typeof describeDifference>): string {
  return `${collection}/${id}: ${fields.length > 0 ? `differs in ${fields.join(', ')}` : difference}\n`;
}
