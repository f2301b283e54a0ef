import { inParallel } from './pool.ts';

/** Where the demo writes: `process.stdout` fits. */
export interface Output {
  write(text: string): unknown;
  /** A terminal gets a bar that is drawn in place, anything else plain lines. */
  readonly isTTY?: boolean | undefined;
}

/** What became of one item; `sent` where the answer does not tell new from known. */
export interface Done {
  readonly outcome: 'new' | 'existing' | 'sent';
}

/** Does one kind of work for all items, 32 at a time, and shows how far it is. Results keep the items' order. */
export type RunPhase = <T, R extends Done>(
  label: string, items: readonly T[], work: (item: T) => Promise<R>,
) => Promise<readonly R[]>;

const IN_FLIGHT = 32;
const BAR_WIDTH = 30;
const REDRAW_MS = 100;
const PLAIN_LINE_EVERY = 1_000;

interface Phase {
  readonly label: string;
  readonly total: number;
  readonly startedAt: number;
  done: number;
  known: number;
  sent: number;
  drawnAt: number;
}

function bar({ label, total, done, startedAt }: Phase): string {
  const filled = Math.round((done / total) * BAR_WIDTH);
  const perSecond = Math.round((done * 1_000) / Math.max(performance.now() - startedAt, 1));
  const drawn = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
  return `\r\x1b[K${label.padEnd(22)} ${drawn} ${String(done)}/${String(total)}  ${String(perSecond)}/s`;
}

function summary({ label, done, known, sent }: Phase): string {
  const split = sent > 0 ? '' : ` (${String(done - known)} new, ${String(known)} already there)`;
  return `${label.padEnd(22)} ${String(done)}${split}\n`;
}

function advance(out: Output, phase: Phase, { outcome }: Done): void {
  phase.done += 1;
  if (outcome === 'existing') phase.known += 1;
  if (outcome === 'sent') phase.sent += 1;
  if (!out.isTTY) {
    if (phase.done % PLAIN_LINE_EVERY === 0 && phase.done < phase.total) {
      out.write(`${phase.label.padEnd(22)} ${String(phase.done)} of ${String(phase.total)}\n`);
    }
    return;
  }
  const now = performance.now();
  if (now - phase.drawnAt < REDRAW_MS) return;
  phase.drawnAt = now;
  out.write(bar(phase));
}

/** Phases that report to `out`. A failed phase leaves its bar where it stopped, on a line of its own. */
export function phasesOn(out: Output): RunPhase {
  return async (label, items, work) => {
    const startedAt = performance.now();
    const phase: Phase = { label, total: items.length, startedAt, done: 0, known: 0, sent: 0, drawnAt: 0 };
    try {
      const results = await inParallel(items, IN_FLIGHT, async (item) => {
        const result = await work(item);
        advance(out, phase, result);
        return result;
      });
      out.write((out.isTTY ? '\r\x1b[K' : '') + summary(phase));
      return results;
    } catch (error) {
      if (out.isTTY) out.write('\n');
      throw error;
    }
  };
}
