/**
 * Preloaded into a child, which receives a signal right before it appends to a stream that matches CRASH_BEFORE:
 * SIGKILL, unless CRASH_BY names another.
 */
import { Writer } from '../../../infra/lmdb/event-store.ts';

const { CRASH_BEFORE, CRASH_BY = 'SIGKILL' } = process.env;
const append: unknown = Reflect.get(Writer.prototype, 'append');
if (CRASH_BEFORE === undefined || typeof append !== 'function') throw new Error('there is nothing to crash before');
const fatal = new RegExp(CRASH_BEFORE);

Reflect.set(
  Writer.prototype,
  'append',
  function dying(this: Writer, ...request: Parameters<Writer['append']>): unknown {
    if (fatal.test(request[0])) process.kill(process.pid, CRASH_BY);
    const appended: unknown = Reflect.apply(append, this, request);
    return appended;
  },
);
