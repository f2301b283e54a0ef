import { BenchRequest, READY, type Reply, type Role } from './child-protocol.ts';
import { eventStore, expressEcho, fixedAnswer } from './child-baselines.ts';
import { liveReaders } from './child-readers.ts';
import { rebuild } from './child-rebuild.ts';
import { service } from './child-service.ts';
import { strangers } from './child-strangers.ts';
import { rawStores, stores } from './child-stores.ts';

/** A measured process: `node child.js ROLE ARGUMENT`, started by children.ts. */
const ROLES: { readonly [name: string]: (argument: unknown) => Promise<Role> } = {
  service,
  'express-echo': expressEcho,
  'fixed-answer': fixedAnswer,
  'event-store': eventStore,
  stores,
  'raw-stores': rawStores,
  rebuild,
  'live-readers': liveReaders,
  strangers,
};

async function main([name = '', argument = 'null']: readonly string[]): Promise<void> {
  // Ctrl-C reaches every process of the terminal; the bench ends this one. Without the bench it ends itself.
  process.on('SIGINT', () => undefined);
  process.on('disconnect', () => process.exit());
  try {
    const start = ROLES[name];
    if (start === undefined) throw new Error(`there is no role ${name}`);
    const role = await start(JSON.parse(argument));
    process.on('message', (message) => void answer(role, BenchRequest.parse(message)));
    send({ id: READY, value: role.ready ?? null });
  } catch (error) {
    send({ id: READY, value: null, error: textOf(error) });
  }
}

async function answer(role: Role, { id, operation, argument }: BenchRequest): Promise<void> {
  try {
    send({ id, value: await perform(role, operation, argument) });
  } catch (error) {
    send({ id, value: null, error: textOf(error) });
  }
  if (operation === 'close') process.disconnect();
}

async function perform(role: Role, operation: string, argument: unknown): Promise<unknown> {
  if (operation === 'cpu') {
    const { user, system } = process.cpuUsage();
    return user + system;
  }
  if (operation === 'close') return role.close?.();
  const run = role.operations[operation];
  if (run === undefined) throw new Error(`there is no operation ${operation}`);
  return run(argument);
}

function send(reply: Reply): void {
  process.send?.(reply);
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

await main(process.argv.slice(2));
