/**
 * Preloaded into a child: it prints `Stopped` and pauses until SIGCONT, right before it writes past position
 * STOP_BEFORE into the STOP_IN-th read models that it writes. The process stays alive; after SIGSTOP it might hold the
 * lock of a store, and its leases would end.
 */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { LmdbReadModels } from '../../../infra/lmdb/namespace.ts';

const { STOP_BEFORE, STOP_IN = '1' } = process.env;
const apply: unknown = Reflect.get(LmdbReadModels.prototype, 'apply');
if (STOP_BEFORE === undefined || typeof apply !== 'function') throw new Error('there is nothing to stop before');
const written = new Set<unknown>();
let stopped = false;

Reflect.set(LmdbReadModels.prototype, 'apply', function stopping(this: unknown, ...args: readonly unknown[]): unknown {
  written.add(this);
  const isWanted = [...written].indexOf(this) + 1 === Number(STOP_IN) && Number(args[1]) > Number(STOP_BEFORE);
  const go = (): unknown => Reflect.apply(apply, this, args);
  if (!isWanted || stopped) return go();
  stopped = true;
  const continued = once(process, 'SIGCONT');
  writeSync(2, 'Stopped\n');
  return continued.then(go);
});
