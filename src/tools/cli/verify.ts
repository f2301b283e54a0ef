import { isDeepStrictEqual } from 'node:util';
import type { CompareResult, Difference } from '../../service/projector/compare.ts';
import { verify } from '../../service/projector/verify.ts';
import { EXIT, runCommand, type Invocation } from './arguments.ts';
import { flag } from './options.ts';
import { formatCount, parkedNote, replayWithProgress } from './progress.ts';
import { withServiceStores, type ServiceStores } from './stores.ts';

const SYNTAX = {
  name: 'verify',
  about: `
Replays the history into a temporary namespace, compares every document of the built-in read models with the replayed
one, and drops that namespace again. A service may run meanwhile: it is not disturbed, and what it changes is compared,
too.`,
  options: { json: flag('JSON on standard output, for scripts: one object per difference, and one with the result') },
  notes: `
The stores are those of the service: DATA_DIR, EVENTSTORE_URL, MONGODB_URL. The namespace needs as much space as the
read models. A difference names the collection, the id and the fields, no values: they may be personal. At most 1,000
are listed. sim-racing-timing rebuild makes the read models anew. Progress goes to standard error.
Exit codes: 0 all documents are the same, 1 some differ, or it failed or was refused, 2 wrong usage, 130 interrupted.`,
} as const;

/** Runs `sim-racing-timing verify`; the result is the exit code. */
export function runVerify(command: Invocation): Promise<number> {
  return runCommand(command, SYNTAX, ({ json = false }) =>
    withServiceStores(command, 'verify', (opened) => run(command, opened, json)),
  );
}

async function run(command: Invocation, { stores, config }: ServiceStores, json: boolean): Promise<number> {
  const { err, signal } = command;
  const { result: compared, parked } = await replayWithProgress(err, 'Replaying', (callbacks) =>
    verify({ stores, leaseTermMs: config.leaseTermMs, signal, ...callbacks }),
  );
  err.write(parkedNote(parked));
  if (compared !== null) return report(command, compared, json);
  err.write('Interrupted: nothing is left behind.\n');
  return EXIT.interrupted;
}

function report({ out }: Invocation, compared: CompareResult, json: boolean): number {
  const { documents, different, differences, unsettled } = compared;
  const same = different === 0;
  if (json) {
    for (const difference of differences) out.write(`${JSON.stringify(describeDifference(difference))}\n`);
    const result = same ? 'same' : 'different';
    out.write(`${JSON.stringify({ result, documents, differences: different, unsettled })}\n`);
  } else {
    for (const difference of differences) out.write(lineOf(difference));
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

function lineOf(difference: Difference): string {
  const { collection, id, difference: kind, fields } = describeDifference(difference);
  return `${collection}/${id}: ${fields.length > 0 ? `differs in ${fields.join(', ')}` : kind}\n`;
}
