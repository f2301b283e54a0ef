import { expect } from 'chai';
import { apiKeysProjection } from '../../projections/api-keys.ts';
import type { RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { textOf } from '../support/api/client.ts';
import { depth } from '../support/depth.ts';
import { projectedAtOnce, readAll } from '../support/kernel/projecting.ts';
import { chancesOf } from '../support/simulation/random.ts';
import { Machine } from '../support/simulation/service/machine.ts';
import type { Node, SimulatedAnswer, SimulatedRequest } from '../support/simulation/service/node.ts';
import { clusterOf, furnished, reach, type Furnished } from '../support/simulation/service/play.ts';
import { learned, requestOf, type Known } from '../support/simulation/service/requests.ts';
import { sharedStores } from '../support/simulation/service/stores.ts';

/** Orders of all calls that are tried. */
const ORDERS = depth({ short: 2, deep: 40 });

/** What became of a request for a rig's key, and whether the rig moved before its answer. */
type Outcome = 'refused' | 'ended' | 'of the new licence' | 'over';

/** A node that is ready, on stores with a history. */
async function started(seed: number, { history }: Furnished) {
  const how = { reading: 'leader', wholeBatches: true, sameHost: true } as const;
  const cluster = clusterOf(sharedStores(new Machine(chancesOf(seed)), history, how));
  cluster.start();
  await reach(cluster, () => cluster.nodes().some((one) => one.isReady()), 'the start');
  const [node] = cluster.nodes();
  if (node === undefined) throw new Error('no node has started');
  return { cluster, node };
}

/** A rig moves while a call of a request for its key waits: of the calls of its node, the n-th from then on. */
async function moveBefore(call: number, seed: number, base: Furnished): Promise<Outcome> {
  const { cluster, node } = await started(seed, base);
  const answers = new Map<string, SimulatedAnswer>();
  const send = (request: SimulatedRequest): void => {
    void node.send(request, request.operation).then((answer) => answers.set(request.operation, answer));
  };
  send(requestOf('createLicense', 2_000, base.known));
  await reach(cluster, () => answers.has('createLicense'), 'another licence');
  const known = learned('createLicense', answers.get('createLicense')?.body ?? {}, base.known);

  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  const { process } = node;
  const heldCall = process.calls + call;
  process.held = { call: heldCall, until };
  const issue = requestOf('issueRigKey', 2_001, known);
  send(issue);
  await reach(cluster, () => answers.has(issue.operation) || process.calls >= heldCall, 'the call');
  if (answers.has(issue.operation)) return 'over';
  send({ ...issue, operation: 'updateRig', body: { licenseId: idOf('License', known) } });
  const { all } = cluster.shared.events;
  await reach(cluster, () => all.some(({ type }) => type === 'RigMovedToLicense'), 'the move');
  release();
  await reach(cluster, () => answers.has(issue.operation) && answers.has('updateRig'), 'the answers');
  return outcomeOf(answers.get(issue.operation) ?? { status: 0, body: {} }, { node, known, events: all });
}

interface Moved extends Pick<Furnished, 'known'> {
  readonly node: Node;
  readonly events: readonly RecordedEvent[];
}

/** What became of a key, which must work for the new licence only. */
async function outcomeOf({ status, body }: SimulatedAnswer, { node, known, events }: Moved): Promise<Outcome> {
  const { documents } = await readAll(await projectedAtOnce(events, [apiKeysProjection]), [apiKeysProjection]);
  const keys = [...documents.values()].filter(({ _rigId, enabled }) => _rigId === idOf('Rig', known) && enabled);
  const licenses = keys.map(({ licenseId }) => licenseId);
  expect(licenses, 'licences of keys that work').to.deep.equal(keys.length === 0 ? [] : [idOf('License', known)]);
  expect(status).to.be.oneOf([200, 403]);
  if (status === 403) return 'refused';
  const caller = await node.authenticator.authenticate(textOf(body, 'token'));
  expect(caller?.licenseId).to.equal(licenses[0]);
  return caller === null ? 'ended' : 'of the new licence';
}

function idOf(kind: string, known: Known): string {
  return textOf(known.get(kind) ?? {}, 'id');
}

describe('a key that is issued while its rig moves', () => {
  it('works for no licence but the one that has the rig, whichever step the move comes before', async () => {
    const base = await furnished();
    const seen = new Map<Outcome, number>();
    for (let seed = 1; seed <= ORDERS; seed += 1) {
      for (let call = 1, outcome: Outcome = 'refused'; outcome !== 'over'; call += 1) {
        outcome = await moveBefore(call, seed, base);
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      }
    }
    expect([...seen.keys()]).to.have.members(['refused', 'ended', 'of the new licence', 'over']);
  }).timeout(600_000);
});
