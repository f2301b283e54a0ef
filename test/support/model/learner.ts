import { expect } from 'chai';
import { canonicalJson, type Json, type JsonObject } from '../../../src/kernel/json.ts';
import { textOf, type Answer } from '../api/client.ts';
import { expectSame, expectSameList, expectSamePage } from './checks.ts';
import { textIn } from '../resources/entries.ts';
import {
  changes,
  keptValues,
  revisionOf,
  type CreateRequest,
  type Expected,
  type Oracle,
  type Request,
} from './oracle.ts';
import { isMoved, membersOf, NOBODY, type Key, type Thing } from './things.ts';
import type { World } from './world.ts';

type ExpectedSuccess = Exclude<Expected, { problems: readonly string[] }>;

interface CreateAnswer {
  readonly request: CreateRequest;
  readonly answer: Answer;
  /** The existing resource; null if it is new. */
  readonly thing: Thing | null;
  readonly replayed?: boolean | undefined;
}

/** A successful request and its sender. */
interface Success {
  readonly key: Key | null;
  readonly request: Request;
  readonly answer: Answer;
}

/** Compares the answers to a sequence's requests with the model, and learns from them. */
export class Learner {
  readonly #world: World;
  readonly #scope: number;

  constructor(world: World, scope: number) {
    this.#world = world;
    this.#scope = scope;
  }

  get #oracle(): Oracle {
    return this.#world.oracle;
  }

  /** @throws {AssertionError} when the answer is not as expected. */
  take({ key, request, answer }: Success, expected: ExpectedSuccess): void {
    expect(answer.status).to.equal(expected.status);
    switch (request.do) {
      case 'list':
        expectSameList(answer.list, expected.body);
        return;
      case 'page':
        expectSamePage(answer.body, expected.body);
        return;
      case 'create':
        this.#applyCreate(key, { request, answer, thing: expected.thing ?? null, replayed: expected.replayed });
        return;
      default:
        this.#applyToThing({ key, request, answer }, expected.thing ?? null);
    }
  }

  #applyToThing({ key, request, answer }: Success, thing: Thing | null): void {
    if (thing === null) throw new Error('there is nothing to show');
    if (request.do === 'delete') thing.mapped = false;
    if (request.do === 'read') this.#applyRead(key, thing, answer);
    if (request.do === 'change') this.#applyChange(key, thing, { request, answer });
  }

  #applyRead(key: Key | null, thing: Thing, answer: Answer): void {
    if (answer.status === 304) return;
    this.#expectShown(key, thing, answer.body);
    const etag = answer.header('ETag');
    expect(revisionOf(etag)).to.equal(revisionOf(thing.etags.at(-1) ?? etag));
    if (thing.etags.length === 0) thing.etags.push(etag);
    thing.seen = { etag, body: canonicalJson(this.#oracle.things.shown(thing, key)) };
  }

  #applyChange(
    key: Key | null,
    thing: Thing,
    { request, answer }: { readonly request: Extract<Request, { do: 'change' }>; readonly answer: Answer },
  ): void {
    const values = keptValues(request.kind.change, request.body);
    const isChanged = changes(thing, values);
    const { updatedAt: before } = thing;
    const movesRig = thing.kind.name === 'Rig' && isMoved(thing, values);
    if (movesRig) for (const one of this.#world.keys) one.revoked ||= one.rigId === thing.id;
    if (isChanged && isTakenOver(key, thing, values)) thing.creator = NOBODY;
    const { valid } = values;
    if (thing.kind.name === 'Lap' && typeof valid === 'boolean' && valid !== thing.values['valid'])
      thing.struckBy = valid ? null : { licenseId: key?.licenseId ?? '', role: key?.role ?? 'R' };
    thing.values = { ...thing.values, ...values };
    if (thing.kind.maps === undefined && isChanged) {
      thing.updatedAt = textOf(answer.body, 'updatedAt');
      expect(thing.updatedAt >= before, `updatedAt ${before} and then ${thing.updatedAt}`).to.equal(true);
    }
    this.#expectShown(key, thing, answer.body);
    const etag = answer.header('ETag');
    const last = thing.etags.at(-1);
    if (last !== undefined) expect(revisionOf(etag) !== revisionOf(last), 'another revision').to.equal(isChanged);
    thing.etags.push(etag);
  }

  #applyCreate(key: Key | null, { request, answer, thing, replayed = false }: CreateAnswer): void {
    const { kind } = request;
    expect(answer.headers.get('Idempotency-Replayed')).to.equal(replayed ? 'true' : null);
    const body = kind.member === undefined ? answer.body : membersOf(answer.body[kind.member]);
    const made = thing ?? this.#added(key, request, body);
    if (kind.member !== undefined) this.#learnKey(made, membersOf(answer.body['apiKey']));
    this.#expectShown(key, made, body);
    const etag = answer.headers.get('ETag');
    if (etag !== null && thing === null) made.etags.push(etag);
    const place = kind.maps === undefined ? made.id : made.id.split(':')[1];
    if (answer.status === 201) expect(answer.header('Location').endsWith(`/${place}`), 'Location').to.equal(true);
  }

  #added(key: Key | null, request: CreateRequest, body: JsonObject): Thing {
    const { kind } = request;
    const isMapping = kind.maps !== undefined;
    const id = isMapping ? this.#oracle.mappingId(request) : textOf(body, 'id');
    const learned = ['createdAt', ...(kind.made ?? [])].map((name): [string, Json] => [name, body[name] ?? null]);
    const thing: Thing = {
      kind,
      id,
      scope: this.#scope,
      values: this.#oracle.valuesOf(request),
      learned: isMapping ? {} : Object.fromEntries(learned),
      updatedAt: isMapping ? '' : textOf(body, 'createdAt'),
      creator: { licenseId: key?.licenseId ?? '', role: key?.role ?? 'R' },
      struckBy: null,
      etags: [],
      seen: null,
      mapped: true,
    };
    this.#oracle.things.add(thing);
    if (key !== null) this.#oracle.remember(key, request, id);
    return thing;
  }

  /** The key that comes with a licence or a rig. */
  #learnKey(thing: Thing, { apiKey, token }: JsonObject): void {
    const rigId = thing.kind.name === 'Rig' ? thing.id : null;
    const { id, licenseId, role } = membersOf(apiKey);
    const expected = { role: 'CRUD', licenseId: rigId === null ? thing.id : thing.values['licenseId'] };
    expectSame({ role: role ?? null, licenseId: licenseId ?? null }, expected);
    const own = { scope: this.#scope, licenseId: textIn(licenseId), role: 'CRUD', rigId } as const;
    this.#world.keys.push({ ...own, id: textIn(id), token: textIn(token), revoked: false });
  }

  #expectShown(key: Key | null, thing: Thing, body: JsonObject): void {
    const { used = [] } = thing.kind;
    const reader = key !== null && this.#oracle.works(key) ? key : null;
    const stable = Object.fromEntries(Object.entries(body).filter(([name]) => !used.includes(name)));
    expectSame(stable, this.#oracle.things.shown(thing, reader));
  }
}

/** True if a change ends what the creator of a resource owns of it: another licence or ADMIN makes it, or it moves. */
function isTakenOver(key: Key | null, thing: Thing, change: JsonObject): boolean {
  const { kind, creator } = thing;
  if (kind.name !== 'Participant') return false;
  return isMoved(thing, change) || key?.licenseId !== creator.licenseId || key.role === 'ADMIN';
}
