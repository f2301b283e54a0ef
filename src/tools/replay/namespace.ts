import { BUILT_IN, REPLACEABLE_EVENTS } from '../../service/resources/built-in.ts';
import { canContinueTo, parseBound, formatBound, type Bound } from '../history/bounds.ts';
import { OtherHistory } from '../../kernel/ports/errors.ts';
import type { ReadModels, ReadStore, Register } from '../../kernel/ports/read-store.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { LineageCheck, type LineageCheckOptions } from '../../kernel/projection/lineage.ts';
import { collectionsOf } from '../../kernel/projection/projection-runner.ts';
import type { Projection } from '../../kernel/projection/projection.ts';
import { system } from '../../service/stores/stores.ts';
import { ReplayRefused } from './refused.ts';

/** What the documents of a namespace are made from: only a replay of the same job may resume them. */
export interface Job {
  readonly fingerprint: string;
  /** The event store, as text for people. */
  readonly from: string;
  /** Last point of the history to replay; null: no bound. Documents can be continued to a later point. */
  readonly until: Bound | null;
}

export interface ReserveOptions {
  readonly readStore: ReadStore;
  readonly namespace: string;
  readonly projections: readonly Projection[];
  readonly job: Job;
  /** What to do with documents of another job: refuse, or drop them. */
  readonly otherJob: 'refuse' | 'drop';
  /** Whether to drop documents of the same job, too. */
  readonly fresh: boolean;
}

/** Holds of which history the documents are. No collection of a module may have such a name. */
const REPLAY_LINEAGE = '__history';

/** Checks that documents in a namespace were made from the events of a store. */
export function replayLineage(store: LineageCheckOptions['store']): LineageCheck {
  const options = { store, clock: system.clock, replaceable: REPLACEABLE_EVENTS, collection: REPLAY_LINEAGE };
  return new LineageCheck(options);
}

/** Whether documents were made from a history; true for none. @throws {StoreUnavailable} */
export async function isOfHistory(
  models: Pick<ReadModels, 'get' | 'checkpoint'>,
  lineage: LineageCheck,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await lineage.expectSameAfterLag(models, signal);
    return true;
  } catch (error) {
    if (error instanceof OtherHistory) return false;
    throw error;
  }
}

const NAMESPACE = /^[a-z0-9][a-z0-9_-]{0,39}$/i;

/** Why a namespace cannot have this name; null when it can. */
export function namespaceProblem(name: string): string | null {
  if (name.toLowerCase().startsWith(BUILT_IN)) {
    return `${name} belongs to the service's own read models; choose another name`;
  }
  return NAMESPACE.test(name) ? null : 'it takes up to 40 letters, digits, - and _, a letter or digit first';
}

/**
 * Reserves a namespace for a job: a new one, or one that the same job has started. Only this process writes to it.
 * @throws {ReplayRefused} when it holds other documents, or another process writes to it.
 * @throws {StoreUnavailable}
 */
export async function reserveNamespace(options: ReserveOptions) {
  const { readStore, namespace, projections, job } = options;
  const name = `replay ${namespace}`;
  const register = await readStore.readRegister(name);
  const isDropped = await isToBeDropped(options, register);
  const holder = system.processes.newName();
  let version = register?.version ?? 0;
  const reserve = async (dropping: boolean): Promise<void> => {
    if (!(await readStore.writeRegister(name, { ...valueOf(job, holder), dropping }, version))) {
      throw new ReplayRefused(`another replay has just started to write to ${namespace}`);
    }
    version += 1;
  };
  await reserve(isDropped);
  if (isDropped) {
    // Only now, as the namespace is reserved. If this process is killed meanwhile, the next one drops it.
    await readStore.drop(namespace);
    await reserve(false);
  }
  return {
    models: await readStore.namespace(namespace, [
      ...collectionsOf(projections),
      { name: REPLAY_LINEAGE, indexes: [] },
    ]),
    release: async (): Promise<void> => {
      system.processes.retire(holder);
      await readStore.writeRegister(name, valueOf(job, null), version);
    },
  };
}

/** @throws {ReplayRefused} */
async function isToBeDropped(options: ReserveOptions, register: Register | null): Promise<boolean> {
  const { readStore, namespace, job, otherJob, fresh } = options;
  if (register === null) {
    const models = await readStore.namespace(namespace, []);
    if ((await models.checkpoint()) === null) return false;
    throw new ReplayRefused(`${namespace} holds read models that no replay has made; choose another name`);
  }
  const holder = textIn(register, 'holder');
  if (holder !== null && !system.processes.hasEnded(holder)) {
    const [host, , pid] = holder.split(' ');
    throw new ReplayRefused(`another replay is writing to it: process ${pid} on ${host}`);
  }
  if (register.value['dropping'] === true) return true;
  const difference = differenceOf(register, job);
  if (difference === null || otherJob === 'drop') return fresh || difference !== null;
  if (fresh) return true;
  throw new ReplayRefused(
    `${namespace} holds documents made ${difference}; --fresh drops them and starts again, or choose another name`,
  );
}

function differenceOf(register: Register, { fingerprint, from, until }: Job): string | null {
  if (textIn(register, 'fingerprint') !== fingerprint) return 'by another version of the module';
  if (textIn(register, 'from') !== from) return `of the events in ${textIn(register, 'from') ?? 'another store'}`;
  const before = textIn(register, 'until');
  if (canContinueTo(before === null ? null : parseBound(before), until)) return null;
  return before === null ? 'of the whole history, past --until' : `up to ${before}, past --until`;
}

function valueOf({ fingerprint, from, until }: Job, holder: string | null): JsonObject {
  return { fingerprint, from, until: until === null ? null : formatBound(until), holder };
}

function textIn(register: Register | null, field: string): string | null {
  const value = register?.value[field];
  return typeof value === 'string' ? value : null;
}
