import { expect } from 'chai';
import { buildNextGeneration } from '../../../../src/service/projector/rebuild.ts';
import { AlreadyRunning } from '../../../../src/service/projector/exclusive-job.ts';
import { withGenerations } from '../../../../src/service/projector/generations.ts';
import type { JsonObject } from '../../../../src/kernel/json.ts';
import { StoreUnavailable } from '../../../../src/kernel/ports/errors.ts';
import { DEAD_LETTER_RETRIED, retryStreamOf } from '../../../../src/kernel/projection/dead-letters.ts';
import { BUILT_IN } from '../../../../src/service/resources/built-in.ts';
import { memoryEventStore } from '../../event-store/memory-event-store.ts';
import { recorded } from '../../kernel/projecting.ts';
import { chancesOf, type RandomSource } from '../random.ts';
import type { Wanted } from './laws.ts';
import { Machine, NO_FAULTS, type Faults } from './machine.ts';
import { CONFIG, type Node } from './node.ts';
import { clusterOf, expectRest, reach, sendOnce, settle, type Cluster, type Furnished } from './play.ts';
import { isRight, learned, requestOf, WANTING_KEYS, WRITES, type Known } from './requests.ts';
import { appendTo, sharedStores, storesOf, type Reading } from './stores.ts';

/** Limit of a client's wait for an answer, and of a node's absence after a crash, in ms. */
const PATIENCE_MS = 12_000;
const AWAY_MS = 8_000;

/** Attempts at a request while faults occur. */
const MOST_TRIES = 4;

interface History extends Cluster {
  readonly chances: RandomSource;
  readonly wanted: Wanted[];
  readonly reading: Reading;
  /** The last checkpoint shown by each node. */
  readonly shown: Map<Node, number>;
}

/**
 * Nodes serve clients over stores and a network that lose, delay and reorder calls, and crash and pause at random,
 * while read models are rebuilt and events are parked. Then the faults end: every request is completed, and all comes
 * to rest.
 */
export async function playHistory(seed: number, base: Furnished) {
  const history = begin(seed, base);
  const { machine, chances } = history;
  const clients = 1 + chances.below(3);
  let busy = clients;
  for (let n = 0; n < clients; n += 1) {
    void client(history, { number: n, known: base.known })
      .catch((error: unknown) => history.failures.push(error))
      .finally(() => (busy -= 1));
  }
  for (let jobs = chances.below(3); jobs > 0; jobs -= 1) {
    machine.schedule(null, chances.below(20_000), () => void rebuild(history).catch(failed(history)));
  }
  if (chances.oneIn(3)) machine.schedule(null, chances.below(10_000), () => void poison(history));
  const isOver = (): boolean => busy === 0 || history.failures.length > 0;
  await machine.until(isOver, { steps: 40_000, ms: 400_000 });
  await expectLiveness(history);
  machine.end();
  const attempts = history.wanted.reduce((sum, one) => sum + one.attempts.length, 0);
  // Correct requests are refused only if reads lag.
  return { requests: history.wanted.length, attempts, wronglyRefused: wronglyRefused(history) };
}

function begin(seed: number, base: Furnished): History {
  const chances = chancesOf(seed);
  const machine = new Machine(chances);
  const reading = chances.pick(['leader', 'leader', 'follower', 'either'] as const);
  const how = { reading, wholeBatches: chances.oneIn(2), sameHost: chances.oneIn(2) };
  const cluster = clusterOf(sharedStores(machine, base.history, how));
  for (let nodes = 1 + chances.below(3); nodes > 0; nodes -= 1) cluster.start();
  machine.faults = randomFaults(chances);
  machine.onCrash = ({ name }) => {
    if (name.startsWith('node')) machine.schedule(null, chances.below(AWAY_MS), () => cluster.start());
  };
  return { ...cluster, chances, reading, wanted: [], shown: new Map() };
}

function randomFaults(chances: RandomSource): Faults {
  return {
    crash: chances.pick([0, 150, 400, 1_500]),
    pause: chances.pick([0, 0, 500]),
    lost: chances.pick([0, 30, 200]),
    unanswered: chances.pick([0, 10, 60]),
    slow: chances.pick([0, 10, 100]),
    late: chances.pick([0, 10, 40]),
  };
}

const failed =
  ({ failures }: Cluster) =>
  (error: unknown): void =>
    void failures.push(error);

/** A client that sends requests one by one, each until it is settled or the client gives up for now. */
async function client(history: History, { number, known: before }: { number: number; known: Known }): Promise<void> {
  const { chances, wanted } = history;
  let known = before;
  for (let left = 3 + chances.below(8); left > 0; left -= 1) {
    const operation = chances.oneIn(2) ? chances.pick(WRITES) : chances.pick(WANTING_KEYS);
    const contended = chances.oneIn(2);
    // Few numbers, so that clients compete for keys.
    const request = requestOf(operation, contended ? 2_000 + chances.below(3) : 3_000 + wanted.length, known);
    const idempotencyKey = `client${number}-${wanted.length}`;
    const one: Wanted = { request: { ...request, idempotencyKey }, contended, attempts: [], answer: null };
    wanted.push(one);
    await retryUntilAnswered(history, one, known);
    if (one.answer !== null && one.answer.status < 202) known = learned(operation, one.answer.body, known);
  }
}

async function retryUntilAnswered(history: History, wanted: Wanted, known: Known): Promise<void> {
  const { chances, machine, failures } = history;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const nodes = history.nodes();
    if (nodes.length === 0) {
      await sleep(machine, AWAY_MS);
      continue;
    }
    const node = chances.pick(nodes);
    // A node that crashes never answers.
    const unanswered = sleep(machine, PATIENCE_MS).then(() => false);
    if (!(await Promise.race([sendOnce(node, wanted, failures), unanswered]))) continue;
    await Promise.race([expectShown(history, node, { wanted, known }), sleep(machine, PATIENCE_MS)]);
    return;
  }
}

function sleep(machine: Machine, ms: number): Promise<void> {
  return new Promise((resolve) => {
    machine.schedule(null, ms, resolve);
  });
}

/** From now on the node shows what it has answered. */
async function expectShown(
  history: History,
  node: Node,
  { wanted: { request, answer }, known }: { readonly wanted: Wanted; readonly known: Known },
): Promise<void> {
  const { operation } = request;
  const { status, body } = answer ?? { status: 0, body: {} };
  if (operation === 'deleteApiKey' && status === 204) expectRefused(node, known);
  if (status === 201) await expectReadable(node, operation, body);
  await expectNoStepBack(history, node);
}

async function expectReadable(node: Node, operation: string, { id }: JsonObject): Promise<void> {
  const row = node.rows.get(operation.replace('create', 'get'));
  const [param, ...others] = row?.path.match(/(?<=\{)\w+(?=\})/g) ?? [];
  // A mapping has two, and no id.
  if (row === undefined || param === undefined || others.length > 0 || id === undefined) return;
  const { status, unexpected } = await node.send({ operation: row.operationId, params: { [param]: id } }, 'read');
  if (unexpected !== undefined) throw new Error(`${row.operationId} failed`, { cause: unexpected });
  expect(status, `${row.operationId} after ${operation}`).to.be.oneOf([200, 503]);
}

function expectRefused({ authenticator }: Node, known: Known): void {
  const token = known.get('ApiKey')?.['token'];
  if (typeof token !== 'string') return;
  const caller = authenticator.authenticate(token);
  if (!(caller instanceof Promise)) expect(caller, 'the holder of a revoked key').to.equal(null);
  else caller.catch(() => null);
}

async function expectNoStepBack({ shown }: History, node: Node): Promise<void> {
  const checkpoint = await node.stores.models.checkpoint().catch((error: unknown) => {
    if (error instanceof StoreUnavailable) return null;
    throw error;
  });
  if (checkpoint === null) return;
  expect(checkpoint, `the checkpoint that ${node.process.name} shows`).to.be.at.least(shown.get(node) ?? 0);
  shown.set(node, Math.max(shown.get(node) ?? 0, checkpoint));
}

/** A process that rebuilds the read models; resolves when it is done or has given up. */
async function rebuild({ machine, shared, chances }: History): Promise<string | null> {
  const process = machine.start(`rebuild${machine.processes.length}`);
  try {
    const stores = await withGenerations(storesOf(shared, process), CONFIG);
    const built = await buildNextGeneration({
      stores,
      leaseTermMs: CONFIG.leaseTermMs,
      keepOld: chances.oneIn(2),
      signal: process.over.signal,
      events: {},
      onProgress: () => undefined,
    });
    return built?.namespace ?? null;
  } catch (error) {
    if (error instanceof AlreadyRunning || error instanceof StoreUnavailable) return null;
    throw error;
  } finally {
    process.end();
  }
}

/** Another release appends an unknown event, and somebody requests its retry. */
async function poison({ shared, machine }: History): Promise<void> {
  const store = memoryEventStore(shared.events);
  const lap = 'lap-00000000-0000-7000-8000-00000000dead';
  const at = new Date(machine.now).toISOString();
  const events = recorded([
    { stream: lap, type: 'LapRecorded', data: {}, version: 99, at },
    { stream: lap, type: 'LapInvalidated', data: {}, at },
    { stream: retryStreamOf(BUILT_IN), type: DEAD_LETTER_RETRIED, data: { letter: `${lap}:0` }, at },
  ]);
  for (const { stream, ...event } of events) await appendTo(shared, () => store.append(stream, [event], 'any'));
}

/** The faults end: every request is completed, half-made claims heal, and all comes to rest. */
async function expectLiveness(history: History): Promise<void> {
  const { machine, chances, wanted } = history;
  machine.faults = NO_FAULTS;
  for (const process of machine.processes) process.pausedUntil = 0;
  if (history.nodes().length === 0) history.start();
  await reach(history, () => history.nodes().some((node) => node.isReady()), 'a node that is ready');
  for (const one of wanted) {
    await settle(history, one);
    const { status, body } = one.answer ?? { status: 0, body: {} };
    if (history.reading !== 'leader') continue;
    const what = `${one.request.operation} was answered ${status} ${JSON.stringify(body)}`;
    expect(isRight(one.request.operation, status), what).to.equal(true);
  }
  if (chances.oneIn(4)) await expectPromoted(history);
  await expectRest(history, wanted);
}

/** An undisturbed rebuild becomes the current generation. */
async function expectPromoted(history: History): Promise<void> {
  const built: (string | null)[] = [];
  // A rebuild left by a crash is continued; a retiring generation has to go first.
  void rebuild(history).then((namespace) => built.push(namespace), failed(history));
  await reach(history, () => built.length > 0, 'the end of a rebuild');
  const [namespace] = built;
  if (namespace === null || namespace === undefined) return;
  let current = '';
  const look = async (): Promise<void> => {
    const [node] = history.nodes();
    current = (await node?.stores.generations.refresh())?.current.namespace ?? '';
    history.machine.schedule(null, 500, () => void look().catch(failed(history)));
  };
  void look().catch(failed(history));
  await reach(history, () => current === namespace, `the promotion of ${namespace}`);
}

function wronglyRefused({ wanted }: History): number {
  return wanted.filter(({ request, answer }) => answer !== null && !isRight(request.operation, answer.status)).length;
}
