import { createEstimate } from '../../service/projector/progress.ts';
import type { RebuildOptions } from '../../service/projector/rebuild.ts';
import type { Output } from './command.ts';

export type Progress = ReturnType<typeof createProgress>;

const LABEL_WIDTH = 22;
const BAR_WIDTH = 30;
const REDRAW_MS = 100;
/** Time between plain lines, which often go to logs. */
const PLAIN_LINE_MS = 5_000;
const MS_PER_SECOND = 1_000;
const CLEAR_LINE = '\r\x1b[K';

/** Creates the display of work that begins now: a bar with rate and time left on a terminal, else a line every 5 s. */
export function createProgress(out: Output, label: string) {
  const startedAt = performance.now();
  const estimate = createEstimate(0, startedAt);
  const title = label.padEnd(LABEL_WIDTH);
  let shownAt = startedAt;
  let drawn = false;
  return {
    /**
     * Updates the display; may be called often, as it limits how often it draws. `share` is the part of the work that is
     * done, from 0 to 1, and `total` the number of all items, where it is known.
     */
    show: ({ done, total, share }: Readonly<{ done: number; total?: number; share: number }>): void => {
      const now = performance.now();
      if (now - shownAt < (out.isTTY ? REDRAW_MS : PLAIN_LINE_MS)) return;
      shownAt = now;
      drawn = true;
      const { percent, etaMs } = estimate(now, share, 1);
      const count = total === undefined ? formatCount(done) : `${formatCount(done)}/${formatCount(total)}`;
      const rate = `${formatCount((done * MS_PER_SECOND) / Math.max(now - startedAt, 1))}/s`;
      const left = etaMs === null ? [] : [`${formatDuration(etaMs / MS_PER_SECOND)} to go`];
      const text = [count, rate, ...left].join('  ');
      const filled = Math.round(share * BAR_WIDTH);
      const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
      out.write(
        out.isTTY ? `${CLEAR_LINE}${title} ${bar} ${text}` : `${title} ${String(percent).padStart(3)} %  ${text}\n`,
      );
    },
    /** Replaces the display by a line: the work is done. */
    end: (line: string): void => {
      out.write(`${out.isTTY && drawn ? CLEAR_LINE : ''}${title} ${line}\n`);
    },
    /** Leaves the bar as it is, on a line of its own: the work has failed. */
    abandon: (): void => {
      if (out.isTTY && drawn) out.write('\n');
    },
  };
}

/** Shows the progress of a replay into read models, which ends with null when it is interrupted. */
export async function replayWithProgress<T>(
  out: Output,
  label: string,
  replay: (callbacks: Pick<RebuildOptions, 'events' | 'onProgress'>) => Promise<T | null>,
): Promise<{ readonly result: T | null; readonly parked: number }> {
  const progress = createProgress(out, label);
  let events = 0;
  let parked = 0;
  const result = await replay({
    events: { onError: (error) => void out.write(`\n${error.message}\n`), onParked: () => void (parked += 1) },
    onProgress: ({ events: done, position, head }) => {
      events = done;
      progress.show({ done, share: head === 0 ? 1 : Math.min(1, position / head) });
    },
  });
  if (result === null) progress.abandon();
  else progress.end(`${formatCount(events)} events`);
  return { result, parked };
}

/** A line that says how many events could not be projected; empty when all could. */
export function parkedNote(parked: number): string {
  if (parked === 0) return '';
  return `${formatCount(parked)} events could not be projected: see sim-racing-timing dead-letters show.\n`;
}

export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en');
}

/** A time in seconds since a point of `performance.now()`, in ms. */
export function secondsSince(startedAt: number): number {
  return Number(((performance.now() - startedAt) / MS_PER_SECOND).toFixed(3));
}

/** Formats a time with the rate of what was done in it, such as `2.5 s (40,000/s)`. */
export function formatRate(count: number, seconds: number): string {
  return `${seconds.toFixed(1)} s (${formatCount(count / seconds)}/s)`;
}

/** Formats a duration: `0:07`, `12:34`, `1:02:03`. */
export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const [first, ...rest] = parts[0] === 0 ? parts.slice(1) : parts;
  return [String(first), ...rest.map((part) => String(part).padStart(2, '0'))].join(':');
}
