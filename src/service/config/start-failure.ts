import { ConfigError } from './config.ts';
import { OtherHistory, StoreLocked, StoreUnavailable, WrongStoreSettings } from '../../kernel/ports/errors.ts';

/** The variables with the settings of each kind of store. */
const VARIABLES_OF: Readonly<Record<WrongStoreSettings['store'], string>> = {
  EventStoreDB: 'EVENTSTORE_URL',
  MongoDB: 'MONGODB_URL',
  'the personal keys': 'PERSONAL_KEYS_SECRET',
  S3: 'S3_BUCKET, S3_ENDPOINT, S3_REGION',
};

/** Refusals of embedded stores and other parts of the data directory. */
const IN_DATA_DIR = / in .* cannot be opened$|^the data directory .* cannot be made$|^the signing key in /;

/** Why the service cannot start, a line per problem; null for a fault of the service itself, which needs a stack. */
export function reasonOf(error: unknown): string | null {
  if (error instanceof ConfigError || error instanceof OtherHistory) return error.message;
  if (error instanceof WrongStoreSettings) return `${VARIABLES_OF[error.store]}: ${error.reason}`;
  if (error instanceof StoreUnavailable) {
    const reason = [error.message, ...causesOf(error)].join(': ');
    return IN_DATA_DIR.test(error.message) ? `${reason}; see DATA_DIR` : reason;
  }
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return null;
  if (error.code.startsWith('ERR_OSSL')) return `TLS_CERT_FILE, TLS_KEY_FILE: ${error.message}`;
  // Any other refusal of the operating system names its object: a file, a host.
  return 'syscall' in error ? error.message : null;
}

/** True if a thread that is blocked on a lock keeps the process alive, even after `process.exit`. */
export const cannotEnd = (error: unknown): boolean => error instanceof StoreLocked;

/** The message of the innermost cause, if there is one: that of the operating system. */
function causesOf({ cause }: Error): readonly string[] {
  if (!(cause instanceof Error)) return [];
  return cause.cause instanceof Error ? causesOf(cause) : [cause.message];
}
