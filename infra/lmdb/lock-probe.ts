import { ProcessLock } from './process-lock.ts';

/** Opens the lock in each directory that it is sent, which waits for the lock's holder; says before and after so. */
process.on('message', (directory: string) => {
  process.send?.('opening', () => {
    void new ProcessLock(directory).close().then(() => process.send?.('opened'));
  });
});
