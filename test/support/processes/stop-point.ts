/**
 * Loaded first into a child, which says so and stops, as by SIGSTOP, right before it writes past the position STOP_BEFORE
 * into the STOP_IN-th read models that it writes.
 */
import { writeSync } from 'node:fs';
import { LmdbReadModels } from '../../../infra/lmdb/read-models.ts';

const { STOP_BEFORE, STOP_IN = '1' } = process.env;
const apply: unknown = Reflect.get(LmdbReadModels.prototype, 'apply');
if (STOP_BEFORE === undefined || typeof apply !== 'function') throw new Error('there is nothing to stop before');
const written = new Set<unknown>();
let stopped = false;

Reflect.set(LmdbReadModels.prototype, 'apply', function stopping(this: unknown, ...args: readonly unknown[]): unknown {
  written.add(this);
  const isWanted = [...written].indexOf(this) + 1 === Number(STOP_IN) && Number(args[1]) > Number(STOP_BEFORE);
  if (isWanted && !stopped) {
    stopped = true;
    writeSync(2, 'Stopped\n');
    process.kill(process.pid, 'SIGSTOP');
  }
  const applied: unknown = Reflect.apply(apply, this, args);
  return applied;
});
