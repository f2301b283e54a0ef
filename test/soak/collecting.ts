/** Preloaded into the service of a soak, which collects garbage at SIGUSR2: what remains is in use or has leaked. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');
if (typeof collect !== 'function') throw new Error('there is no garbage collector to call');
process.on('SIGUSR2', () => {
  Reflect.apply(collect, undefined, []);
});
