import { ConfigError } from './config.ts';
import { OtherHistory, StoreUnavailable } from '../kernel/ports/errors.ts';

/**
 * Why the service cannot start, in words for whoever starts it (a line per problem); null for a fault of our own, whose
 * stack trace is wanted.
 */
export function reasonOf(error: unknown): string | null {
  if (error instanceof ConfigError || error instanceof OtherHistory) return error.message;
  if (error instanceof StoreUnavailable) return `${error.message}: ${causeOf(error)}`;
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return null;
  if (error.code === 'EADDRINUSE') return `${error.message}; stop what listens there, or set PORT to another one`;
  if (error.code.startsWith('ERR_OSSL')) return `TLS_CERT_FILE, TLS_KEY_FILE: ${error.message}`;
  // Any other refusal of the system names what it was asked for: a file, a host.
  return 'syscall' in error ? error.message : null;
}

/** The innermost cause: what the system said. */
function causeOf({ cause }: Error): string {
  if (!(cause instanceof Error)) return 'the reason is not known';
  return cause.cause instanceof Error ? causeOf(cause) : cause.message;
}
