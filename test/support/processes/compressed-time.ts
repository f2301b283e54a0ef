/*
 * Preloaded into a process: at each SIGUSR2, ten minutes go by in six seconds. Both clocks run so much faster meanwhile, and
 * what is begun in this time waits so much shorter: a pause between two attempts, say.
 */
import { performance } from 'node:perf_hooks';
import timersPromises from 'node:timers/promises';
import { syncBuiltinESMExports } from 'node:module';

const FACTOR = 100;
const PERIOD_MS = 6_000;

const steadyNow = performance.now.bind(performance);
const wallNow = Date.now.bind(Date);
const wait = setTimeout;
const pause = timersPromises.setTimeout;

/** By how much, in ms, both clocks are ahead because of periods that are over. */
let aheadMs = 0;
/** When the period began that runs; null: none does. */
let since: number | null = null;

function gainedMs(): number {
  return aheadMs + (since === null ? 0 : (steadyNow() - since) * (FACTOR - 1));
}

function shortened(ms: number | undefined): number {
  return (ms ?? 0) / (since === null ? 1 : FACTOR);
}

performance.now = () => steadyNow() + gainedMs();
Date.now = () => Math.round(wallNow() + gainedMs());
globalThis.setTimeout = Object.assign(
  (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => wait(callback, shortened(ms), ...args),
  wait,
);
timersPromises.setTimeout = (ms, value, options) => pause(shortened(ms), value, options);
syncBuiltinESMExports();

process.on('SIGUSR2', () => {
  if (since !== null) return;
  since = steadyNow();
  wait(() => {
    aheadMs = gainedMs();
    since = null;
  }, PERIOD_MS);
});
