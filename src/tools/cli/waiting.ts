import type { Output } from './output.ts';

/** What a command waits for, as the end of a sentence; a function where that changes while it waits. */
export type Awaitable = string | (() => string);

/** Says on standard error what a command waits for, while it says nothing else. */
export interface Waiting {
  /** Runs work that may take long, and names what it waits for. */
  during<T>(what: Awaitable, work: () => Promise<T>): Promise<T>;
  /** Says at once what is waited for: before work that keeps the event loop busy. */
  say(what: string): void;
  /** Ends it: nothing is printed any more. */
  end(): void;
}

/** Time, in ms, for which a command waits silently: it prints what it waits for after two seconds, then every ten. */
const FIRST_MS = 1_500;
const REPEAT_MS = 10_000;
const CHECK_MS = 250;
const MS_PER_SECOND = 1_000;

interface Wait {
  readonly what: Awaitable;
  readonly startedAt: number;
  isAnnounced: boolean;
}

/** Watches a command, by how it is called; its outputs are to be written through `out` and `err` of the result. */
export function createWaiting(program: string, outputs: { readonly out: Output; readonly err: Output }) {
  const waits = new Set<Wait>();
  let wroteAt = performance.now();
  let isLineOpen = false;
  const watched = (output: Output): Output => ({
    get isTTY() {
      return output.isTTY;
    },
    write(text) {
      wroteAt = performance.now();
      if (text !== '') isLineOpen = !text.endsWith('\n');
      return output.write(text);
    },
  });
  const err = watched(outputs.err);
  const say = (what: string, seconds: number): void => {
    const since = seconds < 1 ? '' : ` (for ${seconds} s)`;
    err.write(`${isLineOpen ? '\n' : ''}${program}: waiting for ${what}${since}\n`);
  };
  const check = (): void => {
    const wait = [...waits].at(-1);
    if (wait === undefined) return;
    const now = performance.now();
    const silentMs = now - Math.max(wroteAt, wait.startedAt);
    if (silentMs < (wait.isAnnounced ? REPEAT_MS : FIRST_MS)) return;
    wait.isAnnounced = true;
    const what = typeof wait.what === 'string' ? wait.what : wait.what();
    say(what, Math.round((now - wait.startedAt) / MS_PER_SECOND));
  };
  const timer = setInterval(check, CHECK_MS);
  timer.unref();
  const waiting: Waiting = {
    async during(what, work) {
      const wait = { what, startedAt: performance.now(), isAnnounced: false };
      waits.add(wait);
      try {
        return await work();
      } finally {
        waits.delete(wait);
      }
    },
    say: (what) => say(what, 0),
    end: () => clearInterval(timer),
  };
  return { waiting, out: watched(outputs.out), err };
}
