import { randomInt, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import {
  CODE_VALID_MS,
  NO_SUCH_CODE,
  OfferRigPairingBody,
  RedeemRigPairingBody,
  rigPairingDecider,
  type RigPairing,
} from '../../../commands/rig-pairings.ts';
import { rigQuery } from '../../../queries/rigs.ts';
import { described, instant, uuid } from '../../domain/fields.ts';
import { EXAMPLES } from '../../domain/examples.ts';
import { reference } from '../../domain/references.ts';
import type { Aggregates } from '../../kernel/aggregate/aggregates.ts';
import type { CommandHandler } from '../../kernel/aggregate/command-handler.ts';
import type { Origin } from '../../kernel/event-types.ts';
import type { Clock, Ids } from '../../kernel/ports/system.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import type { KeyRegistry } from '../access/registry.ts';
import { endpoint, type ApiRequest, type Endpoint, type EndpointResponse } from '../http/endpoint.ts';
import { Problem, problemOf, tooManyProblem } from '../http/problems.ts';
import { Account, createRate } from '../http/quota.ts';
import { endpointBase } from './endpoint-base.ts';
import { originOf, requireSuccess } from './request-commands.ts';
import { registerPairedRig, RigRegisteredView, rigWithHardware, type RigServices, type RigSettings } from './rigs.ts';
import { idFromPath, notFoundProblem, type ReadSources } from './views.ts';

const PATH = '/api/v1/rig-pairings';
const ONE = `${PATH}/{rigPairingId}`;
const REDEMPTION = `${PATH}/redemption`;

/** Letters and digits that nobody takes for one another, read aloud or on a screen across the room. */
const CODE_LETTERS = 'ABCDEFGHJKMNPQRTUVWXYZ2346789';
const CODE_LENGTH = 8;

/** Wrong codes in ten minutes, of one address and of all. */
const WINDOW_MS = 10 * 60_000;
const WRONG_PER_ADDRESS = 10;
const WRONG_OVER_ALL = 300;

/** Most addresses whose wrong codes are remembered. */
const MAX_ADDRESSES = 10_000;

const expiresAt = described(instant, 'Until when the code is valid.', '2026-05-01T19:40:00.000Z');
const pairingId = described(uuid, 'Id of the pairing.', '6c84fb90-12c4-51e1-840d-7b25c5ee775a');

const RigPairingCreatedView = z
  .object({
    id: pairingId,
    code: described(z.string(), 'What is typed at the rig, once. It is shown only here.', 'K7QM4XRD'),
    expiresAt,
  })
  .meta({ id: 'RigPairingCreated', description: 'An offer to register a rig, with its code.' });

const RigPairingView = z
  .object({
    id: pairingId,
    name: described(z.string(), 'Name that the rig is to have.', EXAMPLES.rig.name),
    expiresAt,
    redeemed: described(z.boolean(), 'Whether the code was used.', false),
    rigId: reference('rig', 'The rig that was registered by it; null: none yet.').nullable(),
  })
  .meta({ id: 'RigPairing', description: 'An offer to register a rig to whoever has its code.' });

/** The services that the endpoints of pairings take. */
interface PairingServices extends RigServices {
  readonly reads: ReadSources;
  readonly registry: KeyRegistry;
  readonly handler: CommandHandler;
  readonly aggregates: Aggregates;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Endpoints that register a rig by a code instead of a key (docs/interface.md#pairing). */
export function rigPairingEndpoints(services: PairingServices, settings: RigSettings): readonly Endpoint[] {
  const wrongCodes = new WrongCodes();
  return [
    endpoint({
      ...endpointBase('POST', PATH, rigQuery),
      operationId: 'offerRigPairing',
      manages: 'keys of rigs',
      summary: 'Make a code that registers a rig',
      description:
        'The code is valid once, for ten minutes. Whoever types it at a rig registers that for the licence of the calling key.',
      access: 'CRUD',
      body: OfferRigPairingBody,
      features: [],
      responses: { 201: RigPairingCreatedView },
      handle: (request) => offer(services, request),
    }),
    endpoint({
      ...endpointBase('POST', REDEMPTION, rigQuery),
      operationId: 'redeemRigPairing',
      summary: 'Register a rig by a code',
      description:
        'Answers as the registration of a rig does. A code that is wrong, has expired or was used is a 404. ' +
        'Under one Idempotency-Key it may be sent again until the key of the rig is used.',
      access: 'public',
      body: RedeemRigPairingBody,
      features: ['idempotency-key'],
      responses: { 201: RigRegisteredView },
      problems: [404, 409],
      handle: (request) => redeem(services, settings, wrongCodes, request),
    }),
    endpoint({
      ...endpointBase('GET', ONE, rigQuery),
      params: z.object({ rigPairingId: pairingId }),
      operationId: 'getRigPairing',
      summary: 'Get whether a code was used',
      description: 'For the licence that made it, and ADMIN.',
      access: 'R',
      features: [],
      responses: { 200: RigPairingView },
      handle: (request) => show(services, request),
    }),
  ];
}

async function offer(
  { handler, clock, ids }: PairingServices,
  request: ApiRequest<unknown, unknown, z.output<typeof OfferRigPairingBody>>,
): Promise<EndpointResponse> {
  const { body, caller } = request;
  const data = {
    // Admission has found the key.
    licenseId: caller?.licenseId ?? '',
    name: body.name,
    expiresAt: new Date(clock.now() + CODE_VALID_MS).toISOString(),
  };
  while (true) {
    const code = newCode();
    const id = await idOfCode(ids, code);
    const offered = requireSuccess(
      await handler.handle({
        decider: rigPairingDecider,
        id,
        commands: [{ type: 'OfferRigPairing', data }],
        origin: originOf(request),
        fresh: true,
      }),
    );
    // Another pairing has or had the same code.
    if (!offered.recorded) continue;
    const headers = { Location: `${PATH}/${id}` };
    return { kind: 'json', status: 201, body: { id, code, expiresAt: data.expiresAt }, headers };
  }
}

async function show(
  { aggregates }: PairingServices,
  { params, caller }: ApiRequest<{ readonly [name: string]: string }>,
): Promise<EndpointResponse> {
  const id = idFromPath(params);
  const { state } = await aggregates.load(rigPairingDecider, streamOf(rigPairingDecider.category, id));
  if (state === null) throw notFoundProblem();
  if (caller?.role !== 'ADMIN' && caller?.licenseId !== state.licenseId)
    throw new Problem('NOT_YOURS', 'Another licence has made this code.');
  const { name, redeemed } = state;
  const body = { id, name, expiresAt: state.expiresAt, redeemed: redeemed !== null, rigId: redeemed?.rigId ?? null };
  return { kind: 'json', status: 200, body };
}

type RedeemRequest = ApiRequest<unknown, unknown, z.output<typeof RedeemRigPairingBody>>;

async function redeem(
  services: PairingServices,
  settings: RigSettings,
  wrongCodes: WrongCodes,
  request: RedeemRequest,
): Promise<EndpointResponse> {
  const { handler, aggregates, ids, clock } = services;
  const { code, hardwareId } = request.body;
  const { idempotencyKey } = request.headers;
  wrongCodes.take(request.address);
  const id = await idOfCode(ids, plainCode(code));
  const stream = streamOf(rigPairingDecider.category, id);
  const { state: pairing } = await aggregates.load(rigPairingDecider, stream);
  if (pairing === null) throw problemOf(NO_SUCH_CODE);
  const origin = await originOfPairing(services, stream, request);
  const rigId = idempotencyKey === null ? ids.next() : ids.derived(id, REDEMPTION, idempotencyKey);
  // A code is not used up by a rig that cannot be registered.
  if (pairing.redeemed === null && isValid(pairing, clock)) await requireNewHardware(services, hardwareId);
  const data = { rigId, hardwareId, now: new Date(clock.now()).toISOString() };
  requireSuccess(
    await handler.handle({ decider: rigPairingDecider, id, commands: [{ type: 'RedeemRigPairing', data }], origin }),
  );
  wrongCodes.giveBack(request.address);
  const { licenseId, name } = pairing;
  return registerPairedRig(services, settings, request, { rigId, hardwareId, licenseId, name, origin });
}

function isValid({ expiresAt: until }: RigPairing, clock: Clock): boolean {
  return Date.parse(until) > clock.now();
}

/**
 * The key that made a code, as the origin of what is registered by it.
 * @throws {Problem} 404 when that key no longer works: the code is worth no more than the key
 */
async function originOfPairing(
  { aggregates, registry }: Pick<PairingServices, 'aggregates' | 'registry'>,
  stream: string,
  { id: correlationId, deadline }: Pick<RedeemRequest, 'id' | 'deadline'>,
): Promise<Origin> {
  const { apiKeyId, licenseId, role } = await aggregates.requireFirstOf(stream);
  await registry.waitUntilUpToDate();
  const isLive = apiKeyId !== undefined && registry.key(apiKeyId)?.enabled === true;
  if (!isLive || licenseId === undefined || role === undefined) throw problemOf(NO_SUCH_CODE);
  return { correlationId, deadline, apiKeyId, licenseId, role };
}

/** @throws {Problem} 409 when a rig has this hardware already */
async function requireNewHardware({ reads: { models } }: PairingServices, hardwareId: string): Promise<void> {
  if ((await rigWithHardware(models, hardwareId)) === null) return;
  const detail = 'Another rig has this hardwareId. Its licence issues its next key: POST /api/v1/rigs/{rigId}/key.';
  throw new Problem('TAKEN', detail, { errors: [{ pointer: '/hardwareId', detail }] });
}

function newCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)] ?? '').join('');
}

/** A code as it was made, of one as somebody typed it. */
function plainCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

const hashed = promisify<string, string, number, Buffer>(scrypt);
const HASH_BYTES = 32;

/**
 * The id of the pairing with a code. The code is stored nowhere else, and has only 39 bits: who knows the id would try all
 * codes within minutes, if each took them less time than scrypt does (RFC 7914), some 30 ms.
 */
async function idOfCode(ids: Ids, code: string): Promise<string> {
  const bytes = await hashed(code, 'rig-pairing', HASH_BYTES);
  return ids.derived('rig-pairing', bytes.toString('hex'));
}

/** Counts wrong codes, so that nobody guesses one: whatever address they come from, that of this machine too. */
class WrongCodes {
  readonly #ofAddress = createRate(WRONG_PER_ADDRESS, WINDOW_MS, 0);
  readonly #ofAll = createRate(WRONG_OVER_ALL, WINDOW_MS, 0);
  readonly #addresses = new LRUCache<string, Account>({ max: MAX_ADDRESSES, memoMethod: () => new Account() });
  readonly #all = new Account();

  /** Counts a code as wrong, before it is known whether it is. @throws {Problem} 429 after too many */
  take(address: string): void {
    const account = this.#addresses.memo(address);
    const now = performance.now();
    const wait = this.#ofAddress.take(account, 1, now);
    if (wait > 0) throw tooManyProblem('This address has sent too many wrong codes.', wait);
    const waitOfAll = this.#ofAll.take(this.#all, 1, now);
    if (waitOfAll === 0) return;
    this.#ofAddress.giveBack(account, 1);
    throw tooManyProblem('Too many wrong codes were sent.', waitOfAll);
  }

  /** Takes back that a code was counted: it was right. */
  giveBack(address: string): void {
    this.#ofAddress.giveBack(this.#addresses.memo(address), 1);
    this.#ofAll.giveBack(this.#all, 1);
  }
}
