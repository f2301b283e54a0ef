import { isDeepStrictEqual } from 'node:util';
import { AlreadyRunning } from '../projector/exclusive-job.ts';
import type { CompareResult, Difference } from '../projector/compare.ts';
import { verify } from '../projector/verify.ts';
import { EXIT, readOptions, withUsageErrors, type Invocation } from './arguments.ts';
import { withServiceStores, type ServiceStores } from './service-stores.ts';
import { formatCount, createProgress } from './progress.ts';

const HELP = `usage: sim-racing-timing verify [--json]

Replays the history into a temporary namespace, compares every document of the built-in read models with the replayed
one, and drops that namespace again. A service may run meanwhile: it is not disturbed, and what it changes is compared,
too.

  --json       JSON on standard output, for scripts: one object per difference, and one with the result
  -h, --help   this text

The stores are those of the service: DATA_DIR, EVENTSTORE_URL, MONGODB_URL. The namespace needs as much space as the
read models. A difference names the collection, the id and the fields, no values: they may be personal. At most 1,000
are listed. sim-racing-timing rebuild makes the read models anew. Progress goes to standard error.
Exit codes: 0 all documents are the same, 1 some differ, or it failed or was refused, 2 wrong usage, 130 interrupted.
`;

/** Runs `sim-racing-timing verify`; the result is the exit code. */
export function runVerify(command: Invocation): Promise<number> {
  return withUsageErrors(command, 'verify', async () => {
    const { json = false, help } = readOptions(command.args, { json: { type: 'boolean' } });
    if (help !== true) return withServiceStores(command, 'verify', (opened) => run(command, opened, json));
    command.out.write(HELP);
    return EXIT.done;
  });
}

async function run(command: Invocation, opened: ServiceStores, json: boolean): Promise<number> {
  const { err } = command;
  try {
    const compared = await verifyWithProgress(command, opened);
    if (compared !== null) return report(command, compared, json);
    err.write('Interrupted: nothing is left behind.\n');
    return EXIT.interrupted;
  } catch (error) {
    if (!(error instanceof AlreadyRunning)) throw error;
    err.write(`sim-racing-timing verify: refused: ${error.message}\n`);
    return EXIT.failed;
  }
}

async function verifyWithProgress(
  { err, signal }: Invocation,
  { stores, config }: ServiceStores,
): Promise<CompareResult | null> {
  const progress = createProgress(err, 'Replaying');
  let [events, parked] = [0, 0];
  const compared = await verify({
    stores,
    leaseTermMs: config.leaseTermMs,
    signal,
    events: {
      onError: (error) => {
        err.write(`\n${error.message}\n`);
      },
      onParked: () => {
        parked += 1;
      },
    },
    onProgress: ({ events: done, position, head }) => {
      events = done;
      progress.show({ done, share: head === 0 ? 1 : Math.min(1, position / head) });
    },
  });
  if (compared === null) progress.abandon();
  else progress.end(`${formatCount(events)} events`);
  if (parked > 0)
    err.write(`${formatCount(parked)} events could not be projected: see sim-racing-timing dead-letters show.\n`);
  return compared;
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
