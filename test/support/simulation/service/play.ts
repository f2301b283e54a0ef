import { expect } from 'chai';
import type { JsonObject } from '../../../../src/kernel/json.ts';
import type { RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import { chancesOf } from '../random.ts';
import { areCheckInsComplete, expectAsRebuilt, expectRecorded, expectSoundEvents, type Wanted } from './laws.ts';
import { Machine } from './machine.ts';
import { startNode, type Node, type SimulatedRequest } from './node.ts';
import { FURNISHING, isDone, learned, requestOf, type Known } from './requests.ts';
import { sharedStores, type SharedStores } from './stores.ts';

/** Limits that no correct run exceeds. */
export const BOUND = { steps: 40_000, ms: 120_000 } as const;

/** Stores, and the nodes that were started on them. */
export type Cluster = ReturnType<typeof clusterOf>;

export function clusterOf(shared: SharedStores) {
  const { machine } = shared;
  const started: Node[] = [];
  /** Errors of nodes, which fail the run. */
  const failures: unknown[] = [];
  return {
    shared,
    machine,
    failures,
    /** The running nodes, without crashed ones. */
    nodes: (): readonly Node[] => started.filter(({ process }) => process.isAlive),
    /** Starts a node, which is listed once it runs. */
    start() {
      const process = machine.start(`node${machine.processes.length}`);
      const fail = (error: unknown): void => void (process.isAlive && failures.push(error));
      startNode(shared, process).then((node) => started.push(node), fail);
    },
  };
}

/** Sends a request to a node once; true when the answer settles it. */
export async function sendOnce(node: Node, wanted: Wanted, failures: unknown[]): Promise<boolean> {
  const { request, attempts } = wanted;
  const requestId = `${request.idempotencyKey ?? request.operation}#${attempts.push('')}`;
  attempts[attempts.length - 1] = requestId;
  const answer = await node.send(request, requestId);
  if (answer.unexpected !== undefined) failures.push(answer.unexpected);
  if (answer.status !== 503) wanted.answer = answer;
  return answer.status !== 503;
}

/** A request that nobody else sends, and that was not sent yet. */
const wantedOf = (request: SimulatedRequest): Wanted => ({ request, contended: false, attempts: [], answer: null });

/** A history that creates one of everything, and the created resources. */
export type Furnished = Awaited<ReturnType<typeof furnished>>;

/** A seed that no history uses, as equal seeds make equal ids. */
const FURNISHING_SEED = 2 ** 31 - 1;

/** Runs one node without faults and creates one of everything. */
export async function furnished() {
  const machine = new Machine(chancesOf(FURNISHING_SEED));
  const shared = sharedStores(machine, [], { reading: 'leader', wholeBatches: true, sameHost: true });
  const cluster = clusterOf(shared);
  cluster.start();
  await reach(cluster, () => cluster.nodes().some((node) => node.isReady()), 'the first start');
  let known: Known = new Map();
  for (const [n, operation] of FURNISHING.entries()) {
    const wanted = wantedOf(requestOf(operation, n, known));
    await settle(cluster, wanted);
    const { status, body } = wanted.answer ?? { status: 0, body: {} };
    expect(status, `${operation}: ${JSON.stringify(body)}`).to.be.oneOf([200, 201]);
    known = learned(operation, body, known);
  }
  // What is mapped already cannot be mapped again.
  const other = wantedOf(requestOf('createSimulator', FURNISHING.length, known));
  await settle(cluster, other);
  known = new Map([...known, [OTHER_SIMULATOR, other.answer?.body ?? {}]]);
  const rows = [...(cluster.nodes()[0]?.rows.values() ?? [])];
  // Uploads write no events.
  const writes = rows.filter(({ method, upload }) => method !== 'GET' && upload === undefined);
  const history: readonly RecordedEvent[] = shared.events.all;
  return { history, known, writes: writes.map(({ operationId }) => operationId) };
}

/** Sends a request to the nodes in turn until it is settled. */
export async function settle(cluster: Cluster, wanted: Wanted): Promise<void> {
  for (let tries = 0; wanted.answer === null; tries += 1) {
    const [node] = cluster.nodes().filter((one) => one.isReady());
    if (node === undefined || tries === MOST_TRIES) throw new Error(`nobody answers ${wanted.request.operation}`);
    let ended = false;
    void sendOnce(node, wanted, cluster.failures).then(() => (ended = true));
    await reach(cluster, () => ended || !node.process.isAlive, `an answer to ${wanted.request.operation}`);
    expectNoFailure(cluster);
  }
}

const OTHER_SIMULATOR = 'OtherSimulator';

/** Resources that an operation refers to; a mapping is made for a simulator that has none. */
function knownTo(operation: string, known: Known): Known {
  const other = known.get(OTHER_SIMULATOR);
  const isMapping = ['createSimulatorLayout', 'createSimulatorCar'].includes(operation);
  return isMapping && other !== undefined ? new Map([...known, ['Simulator', other]]) : known;
}

/** Attempts of a client at a node that answers 503: more than needed once the faults have ended. */
const MOST_TRIES = 5;

/** Runs the machine until a condition holds. @throws if it does not hold within the limit. */
export async function reach(cluster: Cluster, isSo: () => boolean, what: string): Promise<void> {
  const isOver = (): boolean => isSo() || cluster.failures.length > 0;
  if (!(await cluster.machine.until(isOver, BOUND))) throw new Error(`${what} is not reached by ${describe(cluster)}`);
  expectNoFailure(cluster);
}

/** The state of the nodes, to find out why they do not come to rest. */
function describe({ machine, nodes, shared: { events } }: Cluster): string {
  const states = nodes().map(({ process, projector, describe: keys }) => {
    const { lease, runner } = projector.status();
    const { checkpoint, state, error } = runner;
    return { node: process.name, keys: keys(), lease: lease.state, checkpoint, state, error: error?.message };
  });
  const head = events.all.at(-1)?.position;
  return JSON.stringify({ steps: machine.steps, ms: machine.now, head, states });
}

function expectNoFailure({ failures }: Cluster): void {
  const [first] = failures;
  if (first !== undefined) throw new Error('a request failed as none may', { cause: first });
}

/** Without further faults all comes to rest: everything acknowledged is shown, and one node leads. */
export async function expectRest(cluster: Cluster, wanted: readonly Wanted[]): Promise<void> {
  const { shared } = cluster;
  await reach(cluster, () => isResting(cluster), 'rest');
  const [node] = cluster.nodes();
  if (node === undefined) throw new Error('no node is left');
  expectSoundEvents(shared);
  for (const one of wanted) expectRecorded(shared, one);
  let compared = false;
  const comparing = expectAsRebuilt(shared, node).then(() => (compared = true));
  // Reading the current generation is a call to a port.
  await Promise.race([comparing, reach(cluster, () => compared, 'the comparison')]);
  await comparing;
}

function isResting({ nodes, shared: { events } }: Cluster): boolean {
  const newest = events.all.at(-1)?.position ?? 0;
  const leaders = nodes().filter(({ projector }) => projector.status().lease.state === 'holding');
  const [leader] = leaders;
  const checkpoint = leader?.projector.status().runner.checkpoint ?? 0;
  return leaders.length === 1 && checkpoint >= newest && nodes().every((node) => node.isReady());
}

/**
 * One node carries out a request and crashes after a number of calls to a port, by the request or its projector, whose
 * order is determined by the seed; or does not, if the request needs fewer. Another one starts, and the client repeats
 * the request unless it was answered. The result must be as if nothing had happened.
 */
export async function crashAt(
  { operation, step, seed }: { readonly operation: string; readonly step: number; readonly seed: number },
  { history, known }: Furnished,
) {
  const machine = new Machine(chancesOf(seed));
  const shared = sharedStores(machine, history, { reading: 'leader', wholeBatches: false, sameHost: true });
  const cluster = clusterOf(shared);
  cluster.start();
  await reach(cluster, () => isResting(cluster), 'the start');
  const [node] = cluster.nodes();
  if (node === undefined) throw new Error('no node has started');
  const wanted = wantedOf(requestOf(operation, 1_000, knownTo(operation, known)));
  const { process } = node;
  process.crashBefore = process.calls + step;
  void sendOnce(node, wanted, cluster.failures);
  await reach(
    cluster,
    () => !process.isAlive || (wanted.answer !== null && isResting(cluster)),
    `an end of ${operation}`,
  );
  const crashed = !process.isAlive;
  process.crashBefore = null;
  if (crashed) cluster.start();
  await reach(cluster, () => isResting(cluster), 'the next start');
  const again = wanted.answer === null;
  await settle(cluster, wanted);
  const { status, body } = wanted.answer ?? { status: 0, body: {} };
  expect(isDone(operation, status, again), `${operation} was answered ${status} ${JSON.stringify(body)}`).to.equal(
    true,
  );
  await expectRest(cluster, [wanted]);
  await expectToken(cluster, body);
  machine.end();
  return { crashed, steps: machine.steps };
}

/**
 * One node checks somebody in and crashes after a number of calls to a port, or does not. Nobody repeats the request:
 * another node starts. What is recorded of the check-in must become whole.
 */
export async function crashInCheckIn(
  { step, seed }: { readonly step: number; readonly seed: number },
  { history, known }: Furnished,
): Promise<{ readonly crashed: boolean; readonly isRecorded: boolean }> {
  const machine = new Machine(chancesOf(seed));
  const shared = sharedStores(machine, history, { reading: 'leader', wholeBatches: false, sameHost: true });
  const cluster = clusterOf(shared);
  cluster.start();
  await reach(cluster, () => isResting(cluster), 'the start');
  const [node] = cluster.nodes();
  if (node === undefined) throw new Error('no node has started');
  const wanted = wantedOf(requestOf('checkIn', 1_000, known));
  const { process } = node;
  process.crashBefore = process.calls + step;
  void sendOnce(node, wanted, cluster.failures);
  const isOver = (): boolean => !process.isAlive || (wanted.answer !== null && isResting(cluster));
  await reach(cluster, isOver, 'an end of checkIn');
  const crashed = !process.isAlive;
  process.crashBefore = null;
  if (crashed) cluster.start();
  await reach(cluster, () => isResting(cluster) && areCheckInsComplete(shared), 'the completion of check-ins');
  await expectRest(cluster, [wanted]);
  machine.end();
  const isRecorded = shared.events.all.some(({ type }) => type === 'ParticipantCheckedIn');
  return { crashed, isRecorded };
}

/** A token in an answer is a working key. */
async function expectToken(cluster: Cluster, body: JsonObject): Promise<void> {
  const token = tokenIn(body);
  const [node] = cluster.nodes();
  if (token === null || node === undefined) return;
  const caller = node.authenticator.authenticate(token);
  expect(caller instanceof Promise ? 'not known' : caller, 'the key of the answer').to.be.an('object');
}

function tokenIn(body: JsonObject): string | null {
  const { token, apiKey } = body;
  if (typeof token === 'string') return token;
  // Views are JSON objects.
  const inner = apiKey as JsonObject | undefined;
  return typeof inner?.['token'] === 'string' ? inner['token'] : null;
}
