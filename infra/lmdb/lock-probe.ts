import { ProcessLock } from './process-lock.ts';

/** Opens the lock in each directory that it receives, which waits for the lock's holder. Sends a message before and after. */
process.on('message', (directory: string) => {
  process.send?.('opening', () => {
    void new ProcessLock(directory).close().then(() => process.send?.('opened'));
  });
});
