import { BUILT_IN } from '../../projections/index.ts';
import { goesOnTo, parseBound, textOf, type Bound } from '../history/bounds.ts';
import type { ReadModels, ReadStore, Register } from '../kernel/ports/read-store.ts';
import type { JsonObject } from '../kernel/json.ts';
import { collectionsOf } from '../kernel/projection/projection-runner.ts';
import type { Projection } from '../kernel/projection/projection.ts';
import { system } from '../stores/stores.ts';
import { ReplayRefused } from './refused.ts';

/** What documents are made by: those of one job go on with that job only. */
export interface Job {
  /** Of the module. */
  readonly fingerprint: string;
  /** The event store, in words. */
  readonly from: string;
  /** Where the history ends; null: it does not. Documents go on to a later end. */
  readonly until: Bound | null;
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
  /** Gives it back. */
  readonly release: () => Promise<void>;
}

const NAMESPACE = /^[a-z0-9][a-z0-9_-]{0,39}$/i;

/** Why a namespace cannot have this name, or null. */
export function wrongNamespace(name: string): string | null {
  if (name.toLowerCase().startsWith(BUILT_IN)) {
    return `${name} belongs to the service's own read models; choose another name`;
  }
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
  const holder = system.processes.newName();
  const version = register?.version ?? 0;
  if (!(await readStore.writeRegister(name, valueOf(job, holder), version))) {
    throw new ReplayRefused(`another replay has just begun to write to ${namespace}`);
  }
  return {
    models: await readStore.namespace(namespace, collectionsOf(projections)),
    async release() {
      system.processes.retire(holder);
      await readStore.writeRegister(name, valueOf(job, null), version + 1);
    },
  };
}

/** @throws {ReplayRefused} */
async function isToBeDropped(wanted: Claim, register: Register | null): Promise<boolean> {
  const { readStore, namespace, job, others, fresh } = wanted;
  if (register === null) {
    const models = await readStore.namespace(namespace, []);
    if ((await models.checkpoint()) === null) return false;
    throw new ReplayRefused(`${namespace} holds read models that no replay has made; choose another name`);
  }
  const holder = textIn(register, 'holder');
  if (holder !== null && !system.processes.hasEnded(holder)) {
    const [host, , pid] = holder.split(' ');
    throw new ReplayRefused(`another replay is at work on it: process ${pid} on ${host}`);
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
  const before = textIn(register, 'until');
  if (goesOnTo(before === null ? null : parseBound(before), until)) return null;
  return before === null ? 'of the whole history, past --until' : `up to ${before}, past --until`;
}

function valueOf({ fingerprint, from, until }: Job, holder: string | null): JsonObject {
  return { fingerprint, from, until: until === null ? null : textOf(until), holder };
}

function textIn(register: Register | null, field: string): string | null {
  const value = register?.value[field];
  return typeof value === 'string' ? value : null;
}
