import { BUILT_IN } from '../../projections/index.ts';
import type { ReadModels, ReadStore, Register } from '../kernel/read-store.ts';
import type { JsonObject } from '../kernel/json.ts';
import { collectionsOf } from '../kernel/projection-runner.ts';
import type { Projection } from '../kernel/projection.ts';
import { hasEnded, newProcessName, retire } from '../process-name.ts';
import { ReplayRefused } from './refused.ts';

/** What documents are made by: those of one job go on with that job only. */
export interface Job {
  /** Of the module. */
  readonly fingerprint: string;
  /** The event store, in words. */
  readonly from: string;
  /** Where the history ends, as it was asked for; null: it does not, or the documents may go on past it. */
  readonly until: string | null;
}

/** How to claim a namespace. */
export interface Claim {
  readonly readStore: ReadStore;
  readonly namespace: string;
  readonly projections: readonly Projection[];
  readonly job: Job;
  /** What to do with documents of another job: say so and stop, or drop them. */
  readonly others: 'refuse' | 'drop';
  /** Whether to drop documents of the same job, too. */
  readonly fresh: boolean;
}

/** A namespace that this process alone writes. */
export interface Claimed {
  readonly models: ReadModels;
  /** When the newest event that a finished run has seen happened, ISO 8601, or null. */
  readonly lastEventAt: string | null;
  /** Gives it back. */
  readonly release: (lastEventAt: string | null) => Promise<void>;
}

const NAMESPACE = /^[a-z0-9][a-z0-9_-]{0,39}$/i;

/** Why a namespace cannot have this name, or null. */
export function wrongNamespace(name: string): string | null {
  if (name.toLowerCase().startsWith(BUILT_IN)) return `${name} belongs to the service's own read models; choose another`;
  return NAMESPACE.test(name) ? null : 'it takes up to 40 letters, digits, - and _, a letter or digit first';
}

/**
 * Takes a namespace for a job: a new one, or one that the same job has begun.
 * @throws {ReplayRefused} when it holds something else, or another process is at work on it.
 * @throws {StoreUnavailable}
 */
export async function claim(wanted: Claim): Promise<Claimed> {
  const { readStore, namespace, projections, job } = wanted;
  const name = `replay ${namespace}`;
  const register = await readStore.readRegister(name);
  if (await isToBeDropped(wanted, register)) await readStore.drop(namespace);
  const holder = newProcessName();
  const version = register?.version ?? 0;
  if (!(await readStore.writeRegister(name, valueOf(job, { holder, lastEventAt: null }), version))) {
    throw new ReplayRefused(`another timing replay has just begun to write to ${namespace}`);
  }
  return {
    models: await readStore.namespace(namespace, collectionsOf(projections)),
    lastEventAt: textIn(register, 'lastEventAt'),
    async release(lastEventAt) {
      retire(holder);
      await readStore.writeRegister(name, valueOf(job, { holder: null, lastEventAt }), version + 1);
    },
  };
}

/** @throws {ReplayRefused} */
async function isToBeDropped(wanted: Claim, register: Register | null): Promise<boolean> {
  const { readStore, namespace, job, others, fresh } = wanted;
  if (register === null) {
    const models = await readStore.namespace(namespace, []);
    if (await models.checkpoint() === null) return false;
    throw new ReplayRefused(`${namespace} holds read models that timing replay has not made; choose another name`);
  }
  const holder = textIn(register, 'holder');
  if (holder !== null && !hasEnded(holder)) {
    const [host, , pid] = holder.split(' ');
    throw new ReplayRefused(`another timing replay is at work on it: process ${pid} on ${host}`);
  }
  const difference = differenceOf(register, job);
  if (difference === null || others === 'drop') return fresh || difference !== null;
  if (fresh) return true;
  throw new ReplayRefused(
    `${namespace} holds documents made ${difference}; --fresh drops them and begins anew, or choose another name`,
  );
}

/** What is different about the job that a register tells of, or null. */
function differenceOf(register: Register, { fingerprint, from, until }: Job): string | null {
  if (textIn(register, 'fingerprint') !== fingerprint) return 'by another version of the module';
  if (textIn(register, 'from') !== from) return `of the events in ${textIn(register, 'from') ?? 'another store'}`;
  return textIn(register, 'until') === until ? null : 'up to another point of the history';
}

function valueOf(job: Job, state: { readonly holder: string | null; readonly lastEventAt: string | null }): JsonObject {
  return { ...job, ...state };
}

function textIn(register: Register | null, field: string): string | null {
  const value = register?.value[field];
  return typeof value === 'string' ? value : null;
}
