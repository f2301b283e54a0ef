import { once } from 'node:events';
import { ProcessLock } from '../../../infra/lmdb/environment.ts';

/**
 * A process of its own that holds the lock on the LMDB environment in a directory until it is killed or gets any
 * message, and reports that it has it. Usage: `lock-holder <path>`.
 */
async function main(path: string): Promise<void> {
  const lock = new ProcessLock(path);
  await lock.run(async () => {
    process.send?.('inside');
    await once(process, 'message');
  });
  await lock.close();
  process.disconnect();
}

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: lock-holder <path>');
await main(path);
