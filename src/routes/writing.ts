import { hash } from 'node:crypto';
import type { Query } from '../domain/query.ts';
import type { Answer, ApiRequest, Headers } from '../http/endpoint.ts';
import { problemOf } from '../http/problems.ts';
import type { CommandDone, CommandOutcome, KeyTaken } from '../kernel/aggregate/command-handler.ts';
import { StoreUnavailable } from '../kernel/ports/errors.ts';
import type { Position, Revision } from '../kernel/ports/event-store.ts';
import { canonicalJson } from '../kernel/json.ts';
import { Rejection } from '../kernel/aggregate/rejections.ts';
import type { Api } from './context.ts';
import { documentOf, viewOf } from './reading.ts';

/** Seconds after which a client that was answered 202 may look for its resource. */
const LOOK_AGAIN_SECONDS = '1';

/**
 * The id of a resource to be created: derived from licence, route and `Idempotency-Key` where there is one, so that a
 * retry meets itself.
 */
export function newId({ ids }: Pick<Api, 'ids'>, route: string, { idempotencyKey, caller }: ApiRequest): string {
  return idempotencyKey === null ? ids.next() : ids.derived(caller?.licenseId ?? '', route, idempotencyKey);
}

/** What makes two bodies of one `Idempotency-Key` the same: equality as JSON. */
export function fingerprintOf({ idempotencyKey, json }: ApiRequest): { readonly fingerprint?: string } {
  if (idempotencyKey === null) return {};
  return { fingerprint: hash('sha256', canonicalJson(json), 'base64url') };
}

/**
 * The outcome of a command that was carried out or was in effect.
 * @throws {Problem} when it was refused
 */
export function settled<S>(outcome: CommandOutcome<S>): CommandDone<S> {
  if (outcome instanceof Rejection) throw problemOf(outcome);
  if (outcome.outcome === 'taken') throw problemOf(outcome.rejection);
  return outcome;
}

/** The same, where being too late is an answer too. */
export function settledOrTaken<S>(outcome: CommandOutcome<S>): CommandDone<S> | KeyTaken {
  return outcome instanceof Rejection ? settled(outcome) : outcome;
}

/** Waits until a position shows in the read models; false when it does not in time, or the client would not wait. */
export async function shows(api: Api, position: Position, { respondAsync, deadline }: ApiRequest): Promise<boolean> {
  if (respondAsync) return false;
  return api.progress.reached(position, Math.min(api.projectionWaitMs, deadline - api.clock.now()));
}

/** A resource that was written, and how to say so. */
export interface Written {
  readonly query: Query;
  readonly id: string;
  /** Path of the resource. */
  readonly location: string;
  readonly position: Position;
  /** Of a change: a document that is behind it waits for an event among the dead letters. */
  readonly revision?: Revision;
  readonly status: 200 | 201;
  readonly headers?: Headers;
}

/** Answers a write with what the next GET will say, or with 202 when the read models are not there yet (DESIGN §4). */
export async function answerWritten(api: Api, request: ApiRequest, written: Written): Promise<Answer> {
  const { query, id, location, position, revision = 0, status } = written;
  const headers = { ...written.headers, ...(status === 201 ? { Location: location } : {}) };
  if (await shows(api, position, request)) {
    const shown = await resourceOf(api, query, id);
    if (shown !== null && shown.revision >= revision) return { kind: 'resource', status, ...shown, headers };
  }
  return accepted(id, { ...headers, Location: location });
}

/** 202: written, but not to be seen yet. */
export function accepted(id: string, headers: Headers): Answer {
  return {
    kind: 'json',
    status: 202,
    body: { id, status: 'accepted' },
    headers: { ...headers, 'Retry-After': LOOK_AGAIN_SECONDS },
  };
}

/** The write is on disk: a read store that fails now must not make it look lost. */
async function resourceOf(api: Api, query: Query, id: string) {
  try {
    const document = await documentOf(query, id, api);
    return document === null ? null : { revision: document._revision, body: await viewOf(query, document, api) };
  } catch (error) {
    if (error instanceof StoreUnavailable) return null;
    throw error;
  }
}
