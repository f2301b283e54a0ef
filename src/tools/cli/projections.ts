import { BUILT_IN, BUILT_IN_VERSION } from '../../service/resources/built-in.ts';
import { deadLetters } from '../../kernel/projection/dead-letters.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import type { ReadModels } from '../../kernel/ports/read-store.ts';
import { pause } from '../../kernel/ports/system.ts';
import { describeLease, PROJECTOR_LEASE, REBUILD_LEASE } from '../../service/projector/leases.ts';
import type { ProjectionStores } from '../../service/projector/generations.ts';
import { EXIT, flag, jsonLine } from './command.ts';
import { serviceCommand } from './stores.ts';

const SYNTAX = {
  name: 'projections',
  about: `
Shows every generation of each group of projections. Everything is read from the stores, so it works whether a service
runs or not. It takes a second, over which the rate is measured.

  group         name of the group; the read models of the service are built-in
  generation    namespace in the read store
  version       of the projections that made it; latestVersion is that of this release, whose service rebuilds what
                is older
  role          current: readers use it. next: a rebuild is making it. retiring: it was current, and may still have
                readers. kept: rebuild --keep-old has kept it
  state         live, or catching up (more than 2 s behind); waiting for the projector: a rebuild is done, but not
                current yet; nobody projects: no process updates it; kept
  checkpoint    position up to which it reflects the events
  lagEvents     number of newer events; "lagIsAtLeast": true means that there are more, not counted
  lagSeconds    age of the oldest of them
  rate          positions per second by which the checkpoint advances
  holder        process that projects it, its host, and since when
  deadLetters   number of dead letters; see sim-racing-timing dead-letters
  lastError     error of the newest of them; other errors of a projector are in its log and its health`,
  options: { json: flag('one JSON object per generation on standard output, for scripts') },
  notes: `
The stores are those of the service: DATA_DIR, EVENTSTORE_URL, MONGODB_URL. Namespaces of the replay command are not
listed.
Exit codes: 0 done, 1 failed, 2 wrong usage.`,
} as const;

export const run = serviceCommand(SYNTAX, ({ values: { json = false }, out, signal }) => async ({ stores }) => {
  const groups = await groupsOf(stores, signal);
  out.write(groups.map(json ? jsonLine : linesOf).join(json ? '' : '\n'));
  return EXIT.done;
});

/** Period, in ms, over which the rate is measured. */
const RATE_PERIOD_MS = 1_000;

/** Time limit, in ms, for counting the events that are not projected yet. */
const MAX_COUNT_MS = 1_000;

const MS_PER_SECOND = 1_000;

interface Generation {
  readonly namespace: string;
  readonly version: number | null;
  readonly role: 'current' | 'next' | 'retiring' | 'kept';
  /** The process that projects it. */
  readonly holder: string | null;
  /** Whether it is complete, and waits for a projector to make it current. */
  readonly ready: boolean;
}

async function groupsOf(stores: ProjectionStores, signal: AbortSignal) {
  const [{ current, next, retiring, kept }, { holder }, rebuilding] = await Promise.all([
    stores.generations.refresh(),
    describeLease(stores, PROJECTOR_LEASE),
    describeLease(stores, REBUILD_LEASE),
  ]);
  const all: Generation[] = [{ ...current, role: 'current', holder, ready: false }];
  if (next !== null) all.push({ ...next, role: 'next', holder: next.ready ? holder : rebuilding.holder });
  if (retiring !== null) all.push({ ...retiring, version: null, role: 'retiring', holder, ready: false });
  if (kept !== null) all.push({ namespace: kept, version: null, role: 'kept', holder: null, ready: false });
  return Promise.all(all.map((one) => groupOf(stores, signal, one)));
}

async function groupOf(
  stores: ProjectionStores,
  signal: AbortSignal,
  { namespace, version, role, holder, ready }: Generation,
) {
  const models = await stores.generations.open(namespace);
  const before = await models.checkpoint();
  const startedAt = stores.clock.monotonic();
  await pause(stores.clock, RATE_PERIOD_MS, signal);
  const checkpoint = await models.checkpoint();
  const seconds = Math.max(0.001, (stores.clock.monotonic() - startedAt) / MS_PER_SECOND);
  const lag = await lagOf(stores, checkpoint);
  return {
    group: BUILT_IN,
    generation: namespace,
    version,
    latestVersion: BUILT_IN_VERSION,
    role,
    state: stateOf({ holder, ready, role }, lag.lagSeconds),
    checkpoint,
    ...lag,
    rate: Math.round(((checkpoint ?? 0) - (before ?? 0)) / seconds),
    holder,
    ...(await deadLettersOf(models)),
  };
}

/** Lag, in seconds, up to which a generation counts as live. */
const LIVE_SECONDS = 2;

function stateOf({ holder, ready, role }: Pick<Generation, 'holder' | 'ready' | 'role'>, lagSeconds: number): string {
  if (role === 'kept') return 'kept';
  if (ready) return 'waiting for the projector';
  if (holder === null) return 'nobody projects';
  return lagSeconds <= LIVE_SECONDS ? 'live' : 'catching up';
}

/** The lag. Events are counted, within a time limit, as positions may have gaps. */
async function lagOf({ store, clock }: ProjectionStores, checkpoint: Position | null) {
  const until = performance.now() + MAX_COUNT_MS;
  let lagEvents = 0;
  let oldest: string | null = null;
  let lagIsAtLeast = false;
  for await (const batch of store.readAll(checkpoint)) {
    lagEvents += batch.length;
    oldest ??= batch[0]?.metadata.occurredAt ?? null;
    lagIsAtLeast = performance.now() > until;
    if (lagIsAtLeast) break;
  }
  const ageMs = oldest === null ? 0 : clock.now() - Date.parse(oldest);
  return { lagEvents, lagIsAtLeast, lagSeconds: Math.max(0, Math.round(ageMs / MS_PER_SECOND)) };
}

async function deadLettersOf(models: ReadModels) {
  const where = { waiting: true };
  const newestFirst = { where, sort: { field: 'position', direction: 'desc' }, offset: 0, limit: 1 } as const;
  const [newest] = await models.find(deadLetters.collection, newestFirst);
  const error = newest?.['error'];
  return {
    deadLetters: await models.count(deadLetters.collection, where),
    lastError: typeof error === 'string' ? error : null,
  };
}

function linesOf(group: Readonly<Record<string, string | number | boolean | null>>): string {
  const width = Math.max(...Object.keys(group).map((name) => name.length));
  return Object.entries(group)
    .map(([name, value]) => `${name.padEnd(width)}  ${value ?? '-'}\n`)
    .join('');
}
