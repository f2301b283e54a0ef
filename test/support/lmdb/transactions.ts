import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_FILE } from '../../../infra/lmdb/preflight.ts';

/** Where a meta page of an LMDB file names the size of pages (`md_pad` of the first database), and its transaction. */
const PAGE_SIZE_OFFSET = 48;
const TRANSACTION_OFFSET = 152;

/** Number of the newest transaction in an LMDB file: they are counted, and the two meta pages take turns. */
export function newestTransaction(directory: string): number {
  const file = readFileSync(join(directory, DATA_FILE));
  const second = file.readUInt32LE(PAGE_SIZE_OFFSET);
  const numbers = [0, second].map((page) => Number(file.readBigUInt64LE(page + TRANSACTION_OFFSET)));
  return Math.max(...numbers);
}
