/** Where a command writes: `process.stdout` fits. */
export interface Output {
  write(text: string): unknown;
  /** A terminal gets a bar that is drawn in place, anything else plain lines. */
  readonly isTTY?: boolean | undefined;
}

/** How far some work has come. */
export interface ProgressUpdate {
  /** Things done so far. */
  readonly done: number;
  /** How many there are in all; left out where nobody knows. */
  readonly total?: number;
  /** Part of the work that is done, from 0 to 1. */
  readonly share: number;
}

/** The display of one piece of work. */
export interface Progress {
  /** To be called as often as one likes: it draws now and then. */
  readonly show: (advance: ProgressUpdate) => void;
  /** Puts a line in the place of the display: the work is over. */
  readonly end: (line: string) => void;
  /** Leaves a bar where it stopped, on a line of its own: the work has failed. */
  readonly abandon: () => void;
}

const LABEL_WIDTH = 22;
const BAR_WIDTH = 30;
const REDRAW_MS = 100;
/** Plain lines end up in logs. */
const PLAIN_LINE_MS = 5_000;
const CLEAR_LINE = '\r\x1b[K';

/** Shows work that begins now: a bar with rate and time to go on a terminal, a plain line now and then elsewhere. */
export function createProgress(out: Output, label: string): Progress {
  const startedAt = performance.now();
  let shownAt = startedAt;
  let drawn = false;
  return {
    show(update) {
      const now = performance.now();
      if (now - shownAt < (out.isTTY ? REDRAW_MS : PLAIN_LINE_MS)) return;
      shownAt = now;
      drawn = true;
      const text = [countOf(update), ...paceOf(update, (now - startedAt) / 1_000)].join('  ');
      out.write(
        out.isTTY
          ? `${CLEAR_LINE}${padded(label)} ${barOf(update)} ${text}`
          : `${padded(label)} ${percentOf(update)}  ${text}\n`,
      );
    },
    end(line) {
      out.write(`${out.isTTY && drawn ? CLEAR_LINE : ''}${padded(label)} ${line}\n`);
    },
    abandon() {
      if (out.isTTY && drawn) out.write('\n');
    },
  };
}

/** A whole number, with its thousands apart. */
export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en');
}

/** A time as people write it: `0:07`, `12:34`, `1:02:03`. */
export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const [first, ...rest] = parts[0] === 0 ? parts.slice(1) : parts;
  return [String(first), ...rest.map((part) => String(part).padStart(2, '0'))].join(':');
}

function padded(label: string): string {
  return label.padEnd(LABEL_WIDTH);
}

function barOf({ share }: ProgressUpdate): string {
  const filled = Math.round(share * BAR_WIDTH);
  return '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
}

function percentOf({ share }: ProgressUpdate): string {
  return `${String(Math.floor(share * 100)).padStart(3)} %`;
}

function countOf({ done, total }: ProgressUpdate): string {
  return total === undefined ? formatCount(done) : `${formatCount(done)}/${formatCount(total)}`;
}

/** Rate, and the time to go as soon as there is something to tell it from. */
function paceOf({ done, share }: ProgressUpdate, seconds: number): readonly string[] {
  const rate = `${formatCount(done / Math.max(seconds, 0.001))}/s`;
  return share > 0 ? [rate, `${formatDuration(seconds / share - seconds)} to go`] : [rate];
}
