import type { Json, JsonObject } from '../../../src/kernel/json.ts';
import { NOTHING, type By, type Call } from './calls.ts';
import { isList, isObject } from './fields.ts';
import type { Kind } from './kinds.ts';
import type { Request } from './oracle.ts';
import { ifMatchOf } from './requests.ts';
import type { Key, Thing, Things } from './things.ts';
import type { World } from './world.ts';

/** An id that does not exist. */
export const NOWHERE = '00000000-0000-7000-8000-0000000000ff';

/** A call that is about one kind of resource. */
export type ResourceCall = Exclude<Call, { do: 'nothing' | 'issueKey' | 'revokeKey' }>;

/** The part of a world that a sequence sees: its own resources, and those shared by all sequences. */
export class Scope {
  readonly #world: World;
  readonly #scope: number;

  constructor(world: World, scope: number) {
    this.#world = world;
    this.#scope = scope;
  }

  get #things(): Things {
    return this.#world.oracle.things;
  }

  /** The sequence's own resources of a kind, which calls may change, newest first. */
  own(kind: string): readonly Thing[] {
    return this.#things.known(kind, this.#scope).filter(({ scope }) => scope === this.#scope);
  }

  /** The sequence's own keys, newest first. */
  ownKeys(): readonly Key[] {
    return this.#world.keys.filter(({ scope }) => scope === this.#scope && scope !== 0).toReversed();
  }

  keyOf(by: By): Key | null {
    if (by === 'nobody') return null;
    const [root, ...keys] = this.#world.keys.filter(({ scope }) => scope === this.#scope || scope === 0);
    return (by === 'admin' ? root : (keys.toReversed()[by.key] ?? root)) ?? null;
  }

  /** The request of a call. */
  requestOf(kind: Kind, call: ResourceCall): Request {
    switch (call.do) {
      case 'create':
        return this.#createRequest(kind, call);
      case 'list':
        return { do: 'list', kind, disabled: call.disabled };
      case 'page': {
        const { sortable } = kind;
        const sort = call.sort === null ? null : (sortable[call.sort % sortable.length] ?? null);
        return { ...call, kind, sort };
      }
      default:
        return this.#targetRequest(kind, call);
    }
  }

  #createRequest(kind: Kind, call: Extract<Call, { do: 'create' }>): Request {
    const licenses = this.#things.known('License', this.#scope);
    return {
      do: 'create',
      kind,
      body: this.#filled(kind.create, call.body),
      simulatorId: this.targetIn('Simulator', call.simulator)?.id ?? NOWHERE,
      idempotencyKey: call.idempotency === null ? null : this.name(call.idempotency),
      licenseId: (licenses[call.license] ?? licenses.at(-1))?.id ?? NOWHERE,
    };
  }

  #targetRequest(kind: Kind, call: Extract<ResourceCall, { target: number }>): Request {
    const thing = this.targetIn(kind.name, call.target);
    const nowhere = kind.maps === undefined ? NOWHERE : `${NOWHERE}:${NOWHERE}`;
    const id = thing?.id ?? nowhere;
    if (call.do === 'delete') return { do: 'delete', kind, id };
    if (call.do === 'read') {
      const isKept = call.cached && kind.used === undefined;
      return { do: 'read', kind, id, ifNoneMatch: isKept ? (thing?.seen?.etag ?? null) : null };
    }
    return {
      do: 'change',
      kind,
      id,
      body: this.#filled(kind.change, call.body),
      ifMatch: ifMatchOf(call.match, thing),
    };
  }

  /** The nth of its own resources of a kind, past the end the oldest; null: none that exists. */
  targetIn(kind: string, n: number): Thing | null {
    const own = this.own(kind);
    return n === NOTHING ? null : (own[n] ?? own.at(-1) ?? null);
  }

  /** Id of the nth visible resource of a kind; past the end, an id that does not exist. */
  ref(kind: string, n: number): string {
    return this.#things.known(kind, this.#scope)[n]?.id ?? NOWHERE;
  }

  /** A text that no other sequence uses. */
  name(n: number): string {
    return `s${this.#scope}-${n}`;
  }

  /** A body with its placeholders filled. */
  #filled(fields: Kind['create'], body: JsonObject): JsonObject {
    const filled = Object.entries(body).map(([name, value]): [string, Json] => [
      name,
      this.#filledValue(fields[name]?.refersTo ?? '', value ?? null),
    ]);
    return Object.fromEntries(filled);
  }

  #filledValue(kind: string, value: Json): Json {
    if (isList(value)) return value.map((one) => this.#filledValue(kind, one));
    if (!isObject(value)) return value;
    const { $ref, $name } = value;
    if (typeof $ref === 'number') return this.ref(kind, $ref);
    return typeof $name === 'number' ? this.name($name) : value;
  }
}
