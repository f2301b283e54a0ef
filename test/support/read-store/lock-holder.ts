import { once } from 'node:events';
import { enterDirectory } from '../../../infra/lmdb/process-table.ts';
import { ProcessLock } from '../../../infra/lmdb/process-lock.ts';

/**
 * A process of its own that holds the lock on the LMDB environment in a directory until it is killed or gets any
 * message, and reports that it has it. Usage: `lock-holder <path> [<directory of the store>]`: a process of that store.
 */
async function main(path: string, storeDirectory?: string): Promise<void> {
  const entered = storeDirectory === undefined ? null : await enterDirectory(storeDirectory);
  const lock = new ProcessLock(path);
  await lock.run(async () => {
    process.send?.('inside');
    await once(process, 'message');
  });
  await lock.close();
  await entered?.leave();
  process.disconnect();
}

const [path, storeDirectory] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: lock-holder <path>');
await main(path, storeDirectory);
