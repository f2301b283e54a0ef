import { eventStore, expressEcho, fixedAnswer } from './child-baselines.ts';
import { expressSqlite } from './child-express-sqlite.ts';
import { pocketbase } from './child-pocketbase.ts';
import { liveReaders } from './child-readers.ts';
import { rebuild } from './child-rebuild.ts';
import { service } from './child-service.ts';
import { rawStores, stores } from './child-stores.ts';
import type { Reply, Request, Role } from './role.ts';

/** A measured process, started by children.ts, which asks one thing at a time: first, to take one of these roles. */
const ROLES = {
  service,
  'express-echo': expressEcho,
  'fixed-answer': fixedAnswer,
  'event-store': eventStore,
  'express-sqlite': expressSqlite,
  pocketbase,
  stores,
  'raw-stores': rawStores,
  rebuild,
  'live-readers': liveReaders,
};

export type Roles = typeof ROLES;

const roles: Readonly<Record<string, (argument: never) => Promise<Role>>> = ROLES;
let role: Role | undefined;

async function perform([operation, argument]: Request): Promise<unknown> {
  // Arguments have their types from the table of roles, as children.ts has them.
  const own = argument as never;
  if (role === undefined) {
    role = await roles[operation]?.(own);
    return role?.url;
  }
  if (operation === 'cpu') {
    if (role.cpuMicros !== undefined) return role.cpuMicros();
    const { user, system } = process.cpuUsage();
    return user + system;
  }
  return operation === 'close' ? role.close?.() : role.operations[operation]?.(own);
}

/** Tells the bench the result of a request, or its failure. */
async function answer(request: Request): Promise<void> {
  const reply: Reply = await perform(request).then(
    (value) => ({ value }),
    (error: unknown) => ({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
  process.send?.(reply);
}

// Ctrl-C reaches every process of the terminal; the bench ends this one. Without the bench it ends itself.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
// children.ts sends nothing else.
process.on('message', (message) => void answer(message as Request));
