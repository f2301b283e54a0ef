import { ProcessLock } from './process-lock.ts';

/**
 * Reports that it starts, opens the lock in a directory, which waits for the lock's holder, and exits. Usage:
 * `lock-probe <directory>`.
 */
const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error('usage: lock-probe <directory>');
await new Promise((resolve) => process.send?.('opening', resolve));
await new ProcessLock(directory).close();
process.disconnect();
