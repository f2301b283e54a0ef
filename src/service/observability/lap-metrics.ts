import { Counter, Gauge, Registry } from 'prom-client';

export const LAPS_ROUTE = 'POST /api/v1/laps';

export interface LapBatch {
  readonly verdicts: readonly string[];
  /** The rig whose key they were sent with; null: they were sent with another key. */
  readonly rigId: string | null;
}

export interface RigState {
  readonly id: string;
  readonly name: string;
  /** Seconds since its last request; null: there was none. */
  readonly silence: number | null;
}

/**
 * Counts laps in plain numbers, copied at each scrape. In `counts`, each is counted by way, verdict and rig:
 * `batch created <rigId>`. Those that are sent alone are counted by the server: their verdict is a status, or `replay` for
 * a repeated answer.
 */
export function lapMetrics(registry: Registry, counts: Map<string, number>) {
  const registers = [registry];
  const batches = new Counter({ name: 'lap_batches_total', help: 'Batches of laps answered.', registers });
  new Counter({
    name: 'laps_total',
    help: 'Laps answered, alone or in batches, by verdict.',
    labelNames: ['sent', 'verdict'],
    registers,
    collect() {
      this.reset();
      for (const { sent, verdict, count } of countedIn(counts)) this.inc({ sent, verdict }, count);
    },
  });
  return {
    observeBatch: ({ verdicts, rigId }: LapBatch): void => {
      batches.inc();
      for (const verdict of verdicts) {
        const key = `batch ${verdict} ${rigId ?? ''}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    },
    renderRigs: (rigs: readonly RigState[]): Promise<string> => rigFigures(rigs, countedIn(counts)).metrics(),
  };
}

/** Numbers of laps with one verdict, sent in one way with the keys of one rig, or with other keys (''). */
function countedIn(counts: ReadonlyMap<string, number>) {
  return Array.from(counts).flatMap(([key, count]) => {
    const [sent = '', outcome = '', rigId = ''] = key.split(' ');
    const verdict = sent === 'alone' ? verdictOf(outcome) : outcome;
    return verdict === null ? [] : [{ sent, verdict, rigId, count }];
  });
}

/** Statuses of requests whose lap nobody has looked at. */
const NOT_LOOKED_AT: readonly number[] = [401, 408, 429];

/** The client left before the answer (499): like failures, that says nothing of what came of the lap. */
const LEAST_UNKNOWN = 499;

/** The verdict that a lap that is sent alone would have got in a batch; null: it does not count. */
function verdictOf(outcome: string): string | null {
  if (outcome === 'replay') return 'duplicate';
  const status = Number(outcome);
  if (NOT_LOOKED_AT.includes(status)) return null;
  if (status < 300) return 'created';
  return status < LEAST_UNKNOWN ? 'rejected' : 'retry';
}

function rigFigures(rigs: readonly RigState[], counted: ReturnType<typeof countedIn>): Registry {
  const registry = new Registry();
  const registers = [registry];
  const silences = new Gauge({
    name: 'rig_silence_seconds',
    help: 'Age of the last request of a rig.',
    labelNames: ['rig', 'name'],
    registers,
  });
  const laps = new Counter({
    name: 'rig_laps_total',
    help: 'Laps sent with the keys of a rig, by verdict.',
    labelNames: ['rig', 'name', 'verdict'],
    registers,
  });
  const names = new Map(rigs.map(({ id, name }) => [id, name]));
  for (const { id: rig, name, silence } of rigs) if (silence !== null) silences.set({ rig, name }, silence);
  for (const { rigId: rig, verdict, count } of counted) {
    const name = names.get(rig);
    if (name !== undefined) laps.inc({ rig, name, verdict }, count);
  }
  return registry;
}
