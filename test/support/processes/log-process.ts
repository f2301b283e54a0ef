/** A process that logs and then ends as its argument says. */
import { createLogger } from '../../../src/service/observability/log.ts';

const log = createLogger({ level: 'info' });
const LINES = 1_000;
const STALLED_LINES = 30_000;
for (let line = 1; line <= LINES; line++) log.info({ line }, 'long enough to fill the buffer a few times');

const endings: Record<string, () => void> = {
  exit: () => process.exit(0),
  throw: () => {
    throw new Error('uncaught');
  },
  kill: () => {
    log.fatal('the last words');
    process.kill(process.pid, 'SIGKILL');
  },
  return: () => undefined,
  // Logs far more than may be buffered for a reader, and stays until it receives input.
  stall: () => {
    for (let line = 1; line <= STALLED_LINES; line++) log.info({ line }, 'x'.repeat(200));
    process.stderr.write('not blocked\n');
    process.stdin.once('data', () => process.exit(0));
  },
  // Stays until it receives input, so that the test can close its end of the pipe first.
  wait: () =>
    process.stdin.once('data', () => {
      log.info('nobody reads this');
      process.exit(0);
    }),
};
endings[process.argv[2] ?? 'return']?.();
