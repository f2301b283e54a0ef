import { BUILT_IN, BUILT_IN_VERSION } from '../../projections/index.ts';
import { deadLetters } from '../kernel/dead-letters.ts';
import { pause } from '../kernel/time.ts';
import { PROJECTOR_LEASE } from '../projector/projector.ts';
import { hasEnded } from '../process-name.ts';
import type { Stores } from '../stores.ts';
import { systemClock } from '../system.ts';
import { EXIT, readOptions } from './arguments.ts';
import { onStores, usageOf, type GroupCommand } from './group.ts';

const HELP = `usage: timing projections [--json]

Shows each group of projections: its version and generation, how far it has come and how fast, who projects it, and
what it could not digest. The rate is measured over a second.

  --json       one JSON object per group on standard output, for scripts
  -h, --help   this text

The stores are those of the service: DATA_DIR, EVENTSTORE_URL, MONGODB_URL.
Exit codes: 0 done, 1 failed, 2 wrong usage.
`;

/** Runs `timing projections`; the result is the exit code. */
export function runProjections(command: GroupCommand): Promise<number> {
  return usageOf(command, 'projections', async () => {
    const { json = false, help } = readOptions(command.args, { json: { type: 'boolean' } });
    if (help === true) {
      command.out.write(HELP);
      return EXIT.done;
    }
    return onStores(command, 'projections', async ({ stores }) => {
      const groups = await groupsOf(stores, command.signal);
      for (const group of groups) command.out.write(json ? `${JSON.stringify(group)}\n` : linesOf(group));
      return EXIT.done;
    });
  });
}

/** How long, in ms, the rate is measured. */
const MEASURED_MS = 1_000;
const MS_PER_SECOND = 1_000;

type Group = Readonly<Record<string, string | number | null>>;

/** The built-in group, and the generation that a rebuild is making. */
async function groupsOf(stores: Stores, signal: AbortSignal): Promise<readonly Group[]> {
  const { readStore, generations } = stores;
  const { current, next, retiring, kept } = await generations.look();
  const projecting = await holderOf(readStore, PROJECTOR_LEASE);
  const rebuilding = await holderOf(readStore, `rebuild ${BUILT_IN}`);
  const groups = [groupOf(stores, signal, { ...current, holder: projecting })];
  if (next !== null) groups.push(groupOf(stores, signal, { ...next, holder: next.ready ? projecting : rebuilding }));
  const [built, ...others] = await Promise.all(groups);
  return [{ ...built, latestVersion: BUILT_IN_VERSION, retiring: retiring?.namespace ?? null, kept }, ...others];
}

async function holderOf(readStore: Stores['readStore'], lease: string): Promise<string | null> {
  const holder = (await readStore.readRegister(lease))?.value['holder'];
  return typeof holder === 'string' && !hasEnded(holder) ? holder : null;
}

async function groupOf(
  { store, generations }: Stores, signal: AbortSignal,
  { namespace, version, holder }: { namespace: string; version: number; holder: string | null },
): Promise<Group> {
  const models = await generations.open(namespace);
  const before = await models.checkpoint();
  const startedAt = systemClock.now();
  await pause(systemClock, MEASURED_MS, signal);
  const [head, checkpoint] = await Promise.all([store.head(), models.checkpoint()]);
  const seconds = Math.max(0.001, (systemClock.now() - startedAt) / MS_PER_SECOND);
  const lag = Math.max(0, (head ?? 0) - (checkpoint ?? 0));
  const waiting = { waiting: true };
  const [last] = await models.find(deadLetters.collection, {
    where: waiting, sort: { field: 'position', direction: 'desc' }, offset: 0, limit: 1,
  });
  return {
    group: BUILT_IN, generation: namespace, version,
    state: holder === null ? 'nobody projects' : lag === 0 ? 'live' : 'catching up',
    checkpoint, lagPositions: lag,
    lagSeconds: lag === 0 ? 0 : await secondsBehind(store, checkpoint),
    positionsPerSecond: Math.round(((checkpoint ?? 0) - (before ?? 0)) / seconds),
    leaseHolder: holder,
    deadLetters: await models.count(deadLetters.collection, waiting),
    lastError: typeof last?.['error'] === 'string' ? last['error'] : null,
  };
}

/** Age of the first event that is not projected yet; null when that is not to be known. */
async function secondsBehind(store: Stores['store'], checkpoint: number | null): Promise<number | null> {
  for await (const [event] of store.readAll(checkpoint)) {
    if (event === undefined) continue;
    return Math.round((systemClock.now() - Date.parse(event.metadata.occurredAt)) / MS_PER_SECOND);
  }
  return 0;
}

function linesOf(group: Group): string {
  const width = Math.max(...Object.keys(group).map((name) => name.length));
  return `${Object.entries(group).map(([name, value]) => `${name.padEnd(width)}  ${value ?? '-'}\n`).join('')}\n`;
}
