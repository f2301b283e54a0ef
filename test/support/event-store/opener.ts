import { mkdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { EventRecords } from '../../../infra/lmdb/event-records.ts';

/**
 * A process of its own that opens and closes the files of the store in a directory so many times. It gives way to all
 * others, so that they often run in the midst of its opening. Usage: `event-store-opener <path> <times>`.
 */
async function main(path: string, times: number): Promise<void> {
  setPriority(constants.priority.PRIORITY_LOW);
  mkdirSync(path, { recursive: true });
  for (let n = 0; n < times; n++) await (await EventRecords.open(path)).close();
}

const [path, times] = process.argv.slice(2);
if (path === undefined || times === undefined) throw new Error('usage: event-store-opener <path> <times>');
await main(path, Number(times));
