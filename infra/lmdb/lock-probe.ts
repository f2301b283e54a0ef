import { ProcessLock } from './process-lock.ts';

/**
 * Says that it begins, and ends when the lock in a directory could be opened, which waits for who holds it. Usage:
 * `lock-probe <directory>`.
 */
const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error('usage: lock-probe <directory>');
await new Promise((resolve) => process.send?.('opening', resolve));
await new ProcessLock(directory).close();
process.disconnect();
