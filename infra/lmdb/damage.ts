import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** File in the directory of an event store that describes the damage found there. */
const DAMAGE_FILE = 'damage';

/** Notes damage that was met, so that no service starts on the store. Only the first is kept. */
export function noteDamage(directory: string, { message }: Error): void {
  if (!existsSync(join(directory, DAMAGE_FILE))) writeFileSync(join(directory, DAMAGE_FILE), `${message}\n`);
}

/** The damage that was met in an event store; null where there was none. */
export function knownDamage(directory: string): string | null {
  const path = join(directory, DAMAGE_FILE);
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
}

/** Forgets damage: the store was checked, and is whole. */
export function forgetDamage(directory: string): void {
  rmSync(join(directory, DAMAGE_FILE), { force: true });
}
