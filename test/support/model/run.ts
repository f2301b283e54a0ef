import { expect } from 'chai';
import { creates, plainBody, type By, type Call } from './calls.ts';
import { expectProblemOf } from './checks.ts';
import { kindNamed, KINDS } from './kinds.ts';
import { textIn } from '../resources/entries.ts';
import { Learner } from './learner.ts';
import { includes, type Oracle } from './oracle.ts';
import { send } from './requests.ts';
import { NOWHERE, Scope, type ResourceCall } from './scope.ts';
import { membersOf, type Key } from './things.ts';
import type { World } from './world.ts';

/** Creates what all sequences of a world share: two of everything, for two licences, with keys of each role. */
export async function furnish(world: World): Promise<void> {
  const base = new Sequence(world, 0);
  for (const round of [0, 1]) {
    for (const { name } of KINDS.values()) {
      const isMade = name === 'License' || (round === 1 && name !== 'Simulator');
      await base.play(plainCall(name, isMade ? 'admin' : { key: 0 }, round));
    }
  }
  for (const role of ['R', 'CR'] as const) await base.play({ do: 'issueKey', by: { key: 1 }, role });
}

function plainCall(kind: string, by: By, number: number): Call {
  return creates(kind, by, plainBody(kindNamed(kind), number));
}

/** One sequence of calls in a world. */
export class Sequence {
  readonly #world: World;
  readonly #number: number;
  readonly #scope: Scope;
  readonly #learner: Learner;
  /** Names of resources created because a call needed them. */
  #made = 100;

  /** @param number counts the sequences of a world; the resources of number 0 are shared by all. */
  constructor(world: World, number: number) {
    this.#world = world;
    this.#number = number;
    this.#scope = new Scope(world, number);
    this.#learner = new Learner(world, number);
  }

  /** Sends one call and compares the answer with the model. */
  async play(call: Call): Promise<void> {
    switch (call.do) {
      case 'nothing':
        return;
      case 'issueKey':
        return this.#issueKey(call);
      case 'revokeKey':
        return this.#revokeKey(call);
      default:
        return this.#send(call);
    }
  }

  get #oracle(): Oracle {
    return this.#world.oracle;
  }

  async #send(call: ResourceCall): Promise<void> {
    const kind = kindNamed(call.kind);
    if (call.do === 'create' && kind.maps !== undefined) await this.#ensure('Simulator');
    if ('target' in call) await this.#ensure(kind.name);
    const key = this.#scope.keyOf(call.by);
    const request = this.#scope.requestOf(kind, call);
    const expected = this.#oracle.expect(key, request);
    const answer = await send(this.#world, key, request);
    try {
      if ('problems' in expected) expectProblemOf(answer, expected.problems);
      else this.#learner.take({ key, request, answer }, expected);
    } catch (error) {
      const sent = JSON.stringify({ by: key?.role ?? 'nobody', ...request, kind: kind.name });
      throw new Error(`${sent} was answered ${answer.status} ${answer.text.slice(0, 1_000)}`, { cause: error });
    }
  }

  /** Creates a resource of a kind unless the sequence has one. */
  async #ensure(kind: string): Promise<void> {
    if (this.#scope.own(kind).length > 0) return;
    this.#made += 1;
    await this.play(plainCall(kind, 'admin', this.#made));
  }

  /** A key, and the same as a caller if it works. */
  #callerOf(by: By): readonly [Key | null, Key | null] {
    const key = this.#scope.keyOf(by);
    return [key, key !== null && this.#oracle.works(key) ? key : null];
  }

  async #issueKey({ by, role }: Extract<Call, { do: 'issueKey' }>): Promise<void> {
    const [key, caller] = this.#callerOf(by);
    const answer = await this.#world.as(key).post('/api/v1/api-keys', { name: this.#scope.name(0), role });
    const problem = managementProblem(caller) ?? (includes(caller?.role ?? '', role) ? null : 'forbidden');
    if (problem !== null || caller === null) {
      expectProblemOf(answer, [problem ?? 'unauthenticated']);
      return;
    }
    expect(answer.status, answer.text).to.equal(201);
    const id = textIn(membersOf(answer.body['apiKey'])['id']);
    const token = textIn(answer.body['token']);
    const { licenseId } = caller;
    const made = { licenseId, role, rigId: null, scope: this.#number, revoked: false };
    this.#world.keys.push({ ...made, id, token });
  }

  /** Revokes one of the sequence's own keys; those of other licences answer 404. */
  async #revokeKey({ by, target }: Extract<Call, { do: 'revokeKey' }>): Promise<void> {
    const [key, caller] = this.#callerOf(by);
    const revoked = this.#scope.ownKeys()[target] ?? null;
    const answer = await this.#world.as(key).delete(`/api/v1/api-keys/${revoked?.id ?? NOWHERE}`);
    const problem = managementProblem(caller) ?? revocationProblem(caller, revoked);
    if (problem !== null || revoked === null) {
      expectProblemOf(answer, [problem ?? 'not-found']);
      return;
    }
    expect(answer.status, answer.text).to.equal(204);
    revoked.revoked = true;
  }
}

function managementProblem(caller: Key | null): string | null {
  if (caller === null) return 'unauthenticated';
  if (caller.rigId !== null) return 'rig-scope';
  return includes(caller.role, 'CRUD') ? null : 'forbidden';
}

function revocationProblem(caller: Key | null, revoked: Key | null): string | null {
  if (revoked === null) return 'not-found';
  if (caller?.role === 'ADMIN') return null;
  if (revoked.licenseId !== caller?.licenseId) return 'not-found';
  return revoked.role === 'ADMIN' ? 'forbidden' : null;
}
