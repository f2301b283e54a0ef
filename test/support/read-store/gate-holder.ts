import { once } from 'node:events';
import { Gate } from '../../../infra/lmdb/environment.ts';

/**
 * A process of its own that stands in the gate of the LMDB environment in a directory until it is killed or told
 * anything, and says so. Usage: `gate-holder <path>`.
 */
async function main(path: string): Promise<void> {
  const gate = new Gate(path);
  await gate.pass(async () => {
    process.send?.('inside');
    await once(process, 'message');
  });
  await gate.close();
  process.disconnect();
}

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: gate-holder <path>');
await main(path);
