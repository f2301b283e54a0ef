import type { AdminKeyGuard } from '../access/admin-keys.ts';
import type { KeyIssuer } from '../access/keys.ts';
import type { KeyRegistry } from '../access/registry.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { KeyUsage } from '../access/authenticator.ts';
import type { Category } from '../domain/body-command.ts';
import type { LicenseSigner } from '../domain/license-file.ts';
import type { Role } from '../domain/roles.ts';
import type { Assets } from '../kernel/ports/assets.ts';
import type { Aggregates } from '../kernel/aggregate/decider.ts';
import type { CommandHandler } from '../kernel/aggregate/command-handler.ts';
import type { CheckpointReader } from '../kernel/projection/checkpoint-waiter.ts';
import type { Clock, Ids } from '../kernel/ports/system.ts';
import type { FairTurns } from '../http/fair-turns.ts';
import type { Live } from '../live/live.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { createUploadRoom } from './upload-room.ts';
import type { ReadApi } from './views.ts';

/** What the handlers of the endpoint table have in common: stores, services and settings. */
export interface ApiContext extends ReadApi {
  readonly handler: CommandHandler;
  readonly aggregates: Aggregates;
  /** Resources that were found, by id: nothing that others refer to is ever deleted. */
  readonly existing: Map<string, Category>;
  /** Checkpoint of the built-in read models. */
  readonly checkpointWaiter: CheckpointReader;
  readonly registry: KeyRegistry;
  readonly keyIssuer: KeyIssuer;
  readonly guardAdminKeys: AdminKeyGuard;
  readonly usage: KeyUsage;
  readonly signer: LicenseSigner;
  readonly assets: Assets;
  readonly uploadRoom: ReturnType<typeof createUploadRoom>;
  readonly live: Live;
  /** Called with the verdicts on each batch of laps. */
  readonly onLapBatch: Metrics['observeLapBatch'];
  /** Runs what may visit many documents, in turns. */
  readonly longReads: FairTurns;
  /** Runs what large bodies ask for, in turns. */
  readonly largeBodies: FairTurns;
  /** Base URL from which clients get assets, without a slash at its end; null: from this service. */
  readonly cdnBaseUrl: string | null;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly authorizer: Authorizer;
  /** Role of the keys that are issued to rigs, and whether those may do no more than a rig needs. */
  readonly rigKeyRole: Role;
  readonly rigsOnly: boolean;
  /** Age, in ms, from which a licence file is not taken any more; null: none. */
  readonly licenseFileMaxAgeMs: number | null;
  /** Levels of arrays and objects of a body at most. */
  readonly bodyLevels: number;
  /** Longest wait, in ms, for a write to reach the read models before the response is 202. */
  readonly projectionWaitMs: number;
}
