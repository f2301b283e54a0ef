import { createHash } from 'node:crypto';
import { ensureRootKey } from '../../../../src/service/app/root-key.ts';
import { createAuthenticator } from '../../../../src/service/access/authenticator.ts';
import { KeyRegistry } from '../../../../src/service/access/registry.ts';
import { loadConfig } from '../../../../src/service/config/config.ts';
import type { LicenseClaims, LicenseSigner } from '../../../../src/domain/license-file.ts';
import type { Caller } from '../../../../src/domain/roles.ts';
import {
  featuresOf,
  type ApiRequest,
  type Endpoint,
  type EndpointResponse,
} from '../../../../src/service/http/endpoint.ts';
import type { Authenticator } from '../../../../src/service/http/middleware/authenticate.ts';
import { toProblem } from '../../../../src/service/http/problems.ts';
import type { JsonObject } from '../../../../src/kernel/json.ts';
import type { Assets } from '../../../../src/kernel/ports/assets.ts';
import { pause } from '../../../../src/kernel/ports/system.ts';
import { Live } from '../../../../src/service/live/live.ts';
import { createLogger } from '../../../../src/service/observability/log.ts';
import { createMetrics } from '../../../../src/service/observability/metrics.ts';
import { withGenerations, type ProjectionStores } from '../../../../src/service/projector/generations.ts';
import { createProjector, type Projector } from '../../../../src/service/projector/projector.ts';
import { completeCheckIns } from '../../../../src/service/api/check-ins.ts';
import { createApiServices } from '../../../../src/service/api/services.ts';
import { endpointsOf } from '../../../../src/service/api/endpoints.ts';
import { ClientChanges, ClientUsage } from '../../../../src/service/http/usage.ts';
import { FairTurns } from '../../../../src/service/http/fair-turns.ts';
import type { SimulatedProcess } from './machine.ts';
import { storesOf, type SharedStores } from './stores.ts';

/** Token of the root ADMIN key. */
const ROOT_TOKEN = 'root-token-of-the-simulation-0123456789';

/** The settings of each node: the defaults. */
export const CONFIG = loadConfig({ BOOTSTRAP_ADMIN_TOKEN: ROOT_TOKEN });
const { requestDeadlineMs: DEADLINE_MS } = CONFIG;
const SILENT = createLogger({ level: 'silent' });
const METRICS = createMetrics();

/** A client's request: the operation's id and its input. */
export interface SimulatedRequest {
  readonly operation: string;
  readonly params?: JsonObject;
  readonly body?: JsonObject;
  readonly idempotencyKey?: string | null;
}

/** An answer; `unexpected` is the error behind a 500. */
export interface SimulatedAnswer {
  readonly status: number;
  readonly body: JsonObject;
  readonly unexpected?: unknown;
}

/** A node of the service: all real code but HTTP, over simulated stores. */
export interface Node {
  readonly process: SimulatedProcess;
  readonly stores: ProjectionStores;
  readonly projector: Projector;
  readonly authenticator: Authenticator;
  readonly rows: ReadonlyMap<string, Endpoint>;
  readonly isReady: () => boolean;
  /** Why it is not ready, in words. */
  readonly describe: () => object;
  readonly send: (request: SimulatedRequest, requestId: string) => Promise<SimulatedAnswer>;
}

/** Starts a node; resolves when its components run. */
export async function startNode(shared: SharedStores, process: SimulatedProcess): Promise<Node> {
  const stores = await withGenerations(storesOf(shared, process), CONFIG);
  const { signal } = process.over;
  const common = { config: CONFIG, log: SILENT, stores };
  const projector = createProjector({ ...CONFIG, ...common, metrics: null });
  const { checkpoint: checkpointWaiter } = projector;
  const registry = new KeyRegistry({ ...stores, onError: () => undefined });
  const live = new Live({ ...stores, checkpointWaiter, turns: new FairTurns(), onError: () => undefined });
  const freeBytes = (): Promise<number> => Promise.resolve(Infinity);
  const services = { registry, checkpointWaiter, live, assets: noAssets, signer: plainSigner, freeBytes };
  const api = createApiServices({ ...common, ...services, metrics: METRICS });
  const rows = new Map(endpointsOf(api).map((row) => [row.operationId, row]));
  const authenticator = createAuthenticator({
    registry,
    clock: stores.clock,
    onUse: api.usage.recordUse,
    rigsOnly: api.settings.rigsOnly,
  });
  void ensureRootKey(api, { ...common, announce: () => undefined, signal });
  const checkIns = completeCheckIns({ ...api, ...stores, log: SILENT, requestDeadlineMs: DEADLINE_MS, signal });
  const running = [projector.run(signal), registry.runner.run(signal), registry.keepCurrent(signal), checkIns.running];
  // A correct run never ends; what ends here has failed.
  for (const run of running) run.catch(reportLater);
  return {
    process,
    stores,
    projector,
    authenticator,
    rows,
    isReady: () => registry.isCurrent(),
    describe: () => ({ isSecured: registry.hasRootKey(), isCurrent: registry.isCurrent(), ...registry.status() }),
    send: (request, requestId) => answered({ rows, authenticator, process }, request, requestId),
  };
}

const reportLater = (error: unknown): void => {
  setImmediate(() => {
    throw error;
  });
};

type Serving = Pick<Node, 'rows' | 'authenticator' | 'process'>;

/** The answer to a request, or 503 at the deadline. */
async function answered(serving: Serving, request: SimulatedRequest, requestId: string): Promise<SimulatedAnswer> {
  const gone = new AbortController();
  const tooLate = pause(serving.process.clock, DEADLINE_MS, gone.signal).then(() => ({ status: 503, body: {} }));
  const answer = await Promise.race([handled(serving, request, { id: requestId, signal: gone.signal }), tooLate]);
  gone.abort();
  return answer;
}

async function handled(
  { rows, authenticator, process: { clock } }: Serving,
  { operation, params = {}, body = {}, idempotencyKey = null }: SimulatedRequest,
  { id, signal }: Pick<ApiRequest, 'id' | 'signal'>,
): Promise<SimulatedAnswer> {
  const row = rows.get(operation);
  if (row === undefined) throw new Error(`no operation ${operation}`);
  const now = clock.now();
  try {
    const caller: Caller | null = await authenticator.authenticate(ROOT_TOKEN);
    if (caller === null) return { status: 401, body: {} };
    const response = await row.handle({
      ...parsed(row, { params, body }),
      json: body,
      caller,
      id,
      address: ROOT_TOKEN,
      usage: new ClientUsage(null, null),
      changeUsage: new ClientChanges(null, null),
      arrivedAt: now,
      deadline: now + DEADLINE_MS,
      signal,
      headers: {
        idempotencyKey: featuresOf(row).includes('idempotency-key') ? idempotencyKey : null,
        ifMatch: null,
        respondAsync: false,
        lastEventId: null,
      },
    });
    return { status: statusOf(response), body: bodyOf(response) };
  } catch (error) {
    const { status, code } = toProblem(error);
    return status === 500 ? { status, body: { code }, unexpected: error } : { status, body: { code } };
  }
}

function parsed({ params, query, body }: Endpoint, sent: { readonly params: JsonObject; readonly body: JsonObject }) {
  return { params: params?.parse(sent.params), query: query?.parse({}), body: body?.parse(sent.body) };
}

/** The status; of a batch, that of an item's problem if there is one, as if the item had been sent alone. */
function statusOf(response: EndpointResponse): number {
  const { results = [] }: { readonly results?: readonly { readonly problem?: { readonly status: number } }[] } =
    bodyOf(response);
  const problem = results.find((one) => one.problem !== undefined)?.problem;
  return problem?.status ?? ('status' in response ? response.status : 200);
}

function bodyOf(response: EndpointResponse): JsonObject {
  // Views are JSON objects.
  return response.kind === 'resource' || response.kind === 'json' ? (response.body as JsonObject) : {};
}

/** Signs without cryptography, which would slow the simulation down and is tested elsewhere. */
const plainSigner: LicenseSigner = {
  sign: (claims) => Promise.resolve({ ...claims, signature: signatureOf(claims) }),
  verify: ({ signature, ...claims }) => Promise.resolve(signature === signatureOf(claims)),
  jwks: () => ({ keys: [] }),
};

function signatureOf({ licenseId, licenseKey, issuedAt }: LicenseClaims): string {
  return createHash('sha256').update([licenseId, licenseKey, issuedAt].join()).digest('base64url');
}

const refuse = (): Promise<never> => Promise.reject(new Error('the simulation has no assets'));

const noAssets: Assets = {
  put: refuse,
  get: () => Promise.resolve(null),
  remove: refuse,
  move: refuse,
  async *list() {
    // There are none.
  },
};
