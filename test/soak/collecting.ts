/** Loaded first into the service of a soak, which collects its garbage at SIGUSR2: what is left then has leaked, or is used. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');
if (typeof collect !== 'function') throw new Error('there is no garbage collector to call');
process.on('SIGUSR2', () => {
  Reflect.apply(collect, undefined, []);
});
