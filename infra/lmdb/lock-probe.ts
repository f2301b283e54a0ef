import { ProcessLock } from './process-lock.ts';

/** Ends when the lock in a directory could be opened, which waits for who holds it. Usage: `lock-probe <directory>`. */
const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error('usage: lock-probe <directory>');
await new ProcessLock(directory).close();
